/** The service under systemd: its unit, what it reports when it serves and when it ends, and settings that are credentials. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { run, startService } from '../../support/program.ts'

function recordedNotify(exitCode = 0) {
  const directory = temporaryDirectory()
  const file = join(directory, 'states')
  const program = join(directory, 'systemd-notify')
  writeFileSync(file, '')
  writeFileSync(program, `#!/bin/sh\necho "$*" >> ${file}\nexit ${exitCode}\n`)
  chmodSync(program, 0o755)
  const variables = { PATH: `${directory}:/usr/bin:/bin`, NOTIFY_SOCKET: '/run/nobody/notify' }
  return { variables, file, states: () => readFileSync(file, 'utf8').split('\n').slice(0, -1) }
}

async function written(file: string): Promise<void> {
  const controller = new AbortController()
  const changed = new Promise<void>((resolve) => {
    const watcher = watch(file, { signal: controller.signal }, () => {
      if (readFileSync(file, 'utf8') !== '') resolve()
    })
    watcher.on('error', () => {})
  })
  if (readFileSync(file, 'utf8') === '') await changed
  controller.abort()
}

function credentials(files: Readonly<Record<string, string>>) {
  const directory = join(temporaryDirectory(), 'credentials')
  mkdirSync(directory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return { CREDENTIALS_DIRECTORY: directory }
}

describe('a service that systemd waits for', () => {
  it('is reported ready when /readyz says yes, and stopping when a signal ends it', async () => {
    const { variables, file, states } = recordedNotify()
    const service = await startService(temporaryDirectory(), [], { variables })
    await written(file)
    expect((await fetch(`${service.address}/readyz`)).status).toBe(200)
    expect(states()).toEqual([`READY=1 STATUS=serving on ${service.address}`])
    expect((await service.stop('SIGTERM')).exitCode).toBe(0)
    expect(states()[1]).toBe('STOPPING=1 STATUS=writing the last charges')
    expect(states()).toHaveLength(2)
  })

  it('serves and logs why when a state cannot be reported', async () => {
    const { variables, file } = recordedNotify(3)
    const service = await startService(temporaryDirectory(), [], { variables })
    await written(file)
    const { exitCode, stderr } = await service.stop('SIGTERM')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('systemd was not told STOPPING=1: systemd-notify ended: 3')
  })

  it('starts no other program without systemd', async () => {
    const { variables, states } = recordedNotify()
    const { PATH } = variables
    const service = await startService(temporaryDirectory(), [], { variables: { PATH } })
    await service.stop('SIGTERM')
    expect(states()).toEqual([])
  })
})

describe('a credential', () => {
  const inspect = ['snapshot', 'list']

  it('is the value of the setting whose variable it is named like', async () => {
    const variables = credentials({
      AUTHORITY_INDEX_SNAPSHOTS: '/nowhere/credential\n',
      other: 'x',
    })
    const { stderr, stdout } = await run(inspect, { variables })
    expect(stderr + stdout).toContain('/nowhere/credential')
  })

  it('gives way to a variable and to a flag', async () => {
    const given = credentials({ AUTHORITY_INDEX_SNAPSHOTS: '/nowhere/credential' })
    const variables = { ...given, AUTHORITY_INDEX_SNAPSHOTS: '/nowhere/variable' }
    expect((await run(inspect, { variables })).stderr).toContain('/nowhere/variable')
    const flagged = await run([...inspect, '--snapshots', '/nowhere/flag'], { variables })
    expect(flagged.stderr).toContain('/nowhere/flag')
  })

  it('of which the value is wrong is named and not printed, where it is a secret', async () => {
    const variables = credentials({ AUTHORITY_INDEX_LEDGER: 'hunter2' })
    const { exitCode, stderr } = await run(['account', 'list'], { variables })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('AUTHORITY_INDEX_LEDGER')
    expect(stderr).not.toContain('hunter2')
  })

  it('that cannot be read ends the command in one line', async () => {
    const variables = { CREDENTIALS_DIRECTORY: '/nowhere' }
    const { exitCode, stderr } = await run(inspect, { variables })
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^credentials cannot be read: .*\n$/),
    ])
  })
})

const analyzes = spawnSync('systemd-analyze', ['--version']).status === 0
if (!analyzes) console.error('skipped: no systemd-analyze')

it.runIf(analyzes)('the unit is without mistakes and exposes less than 3 of 10', () => {
  const root = temporaryDirectory()
  const [system, programs] = [join(root, 'usr/lib/systemd/system'), join(root, 'usr/bin')]
  for (const folder of [system, programs]) mkdirSync(folder, { recursive: true })
  const unit = join('/usr/lib/systemd/system', 'authority-index.service')
  const ours = join(import.meta.dirname, '../../../ops/systemd/authority-index.service')
  copyFileSync(ours, join(root, unit))
  copyFileSync('/bin/true', join(programs, 'authority-index'))
  const words = [`--root=${root}`, '--no-pager']
  const verify = ['verify', '--man=no', '--recursive-errors=no', ...words, unit]
  const { status, stdout, stderr } = spawnSync('systemd-analyze', verify, { encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([0, ''])
  const security = ['security', '--offline=true', '--threshold=30', ...words, unit]
  expect(spawnSync('systemd-analyze', security).status).toBe(0)
})
