/** What systemd gets on its socket from the real `systemd-notify`, and that the unit is as strict as it says. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { startService } from '../../support/program.ts'

const units = join(import.meta.dirname, '..', '..', '..', 'ops', 'systemd')

/** Whether all programs are installed; says which is not. */
function isInstalled(...programs: string[]): boolean {
  const missing = programs.find(
    (each) => spawnSync('sh', ['-c', `command -v ${each}`]).status !== 0,
  )
  if (missing !== undefined) console.error(`skipped: no ${missing}`)
  return missing === undefined
}

/** Prints each datagram of a socket of its own as a line; a descriptor that comes along is closed, as systemd does. */
const listener = `
import socket, sys
taken = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
taken.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(taken.recv(4096).decode().replace("\\n", " "), flush=True)
`

async function listenAt(path: string) {
  const child = spawn('python3', ['-c', listener, path], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  const seen: string[] = []
  const states = () => seen.filter((line) => !line.startsWith('BARRIER'))
  const bound = once(lines, 'line')
  lines.on('line', (line) => seen.push(line))
  await bound
  seen.length = 0
  const state = async (index: number) => {
    while (states().length <= index) await once(lines, 'line')
    return states()[index]
  }
  return { state }
}

describe.runIf(isInstalled('systemd-notify', 'python3'))('the socket of systemd', () => {
  it('gets READY=1 from a service that is ready, and STOPPING=1 before it ends', async () => {
    const socket = join(temporaryDirectory(), 'notify')
    const { state } = await listenAt(socket)
    const service = await startService(temporaryDirectory(), [], {
      variables: { NOTIFY_SOCKET: socket },
    })
    expect(await state(0)).toBe(`READY=1 STATUS=serving on ${service.address}`)
    expect((await fetch(`${service.address}/readyz`)).status).toBe(200)
    const { exitCode, stderr } = await service.stop('SIGTERM')
    expect(exitCode).toBe(0)
    expect(stderr).not.toContain('service-manager')
    expect(await state(1)).toBe('STOPPING=1 STATUS=writing the last charges')
  })
})

describe.runIf(isInstalled('systemd-analyze'))('the unit', () => {
  it('is without mistakes and exposes less than 3 of 10', () => {
    const root = temporaryDirectory()
    const [system, programs] = [join(root, 'usr/lib/systemd/system'), join(root, 'usr/bin')]
    for (const folder of [system, programs]) mkdirSync(folder, { recursive: true })
    const unit = join('/usr/lib/systemd/system', 'authority-index.service')
    copyFileSync(join(units, 'authority-index.service'), join(root, unit))
    copyFileSync('/bin/true', join(programs, 'authority-index'))
    const words = [`--root=${root}`, '--no-pager']
    const verify = ['verify', '--man=no', '--recursive-errors=no', ...words, unit]
    const { status, stdout, stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
    expect([status, stdout + stderr]).toEqual([0, ''])
    const security = ['security', '--offline=true', '--threshold=30', ...words, unit]
    expect(spawnSync('systemd-analyze', security).status).toBe(0)
  })
})
