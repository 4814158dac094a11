#!/usr/bin/env node
/**
 * The program, as AUTHORITY_INDEX_COMMAND takes one, whose service stands behind HAProxy with the
 * configuration of a fleet: what it says of its address is the proxy's. Both end with this process,
 * however it ends (setpriv of util-linux).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '..', '..', '..')
const words = process.argv.slice(2)
const isService = words[0] === 'serve' && words.includes('--json')
const together = ['--pdeathsig', 'KILL', '--']

const trusting = isService ? ['--trusted-proxies', '127.0.0.1'] : []
const program = [process.execPath, join(root, 'dist', 'main.js'), ...words, ...trusting]
const stdio = ['inherit', isService ? 'pipe' : 'inherit', 'inherit']
const child = spawn('setpriv', [...together, ...program], { stdio })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))

let proxy
let directory
if (isService) void passOn()
const [exitCode, signal] = await once(child, 'exit')
proxy?.kill('SIGKILL')
if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
if (signal !== null) {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
process.exitCode = exitCode ?? 1

/** Prints what the service prints, with the proxy's address in the place of its own. */
async function passOn() {
  for await (const line of createInterface(child.stdout)) {
    const told = proxy === undefined && JSON.parse(line)
    if (told === false) console.log(line)
    else {
      const port = await startProxy(told.port)
      console.log(JSON.stringify({ ...told, address: `http://127.0.0.1:${port}`, port }))
    }
  }
}

async function startProxy(servicePort) {
  directory = mkdtempSync(join(tmpdir(), 'behind-'))
  const { tsImport } = await import('tsx/esm/api')
  const { freePort } = await tsImport('../../support/processes/free-port.ts', import.meta.url)
  const port = await freePort()
  const text = readFileSync(join(root, 'ops', 'haproxy-fleet.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    // These tests are of the machine itself, and read the metrics, too.
    .replace('http-request deny if { path /metrics }', '')
    .replace(/(?: {4}server .*\n)+/, `    server one 127.0.0.1:${servicePort}\n`)
  const file = join(directory, 'haproxy.cfg')
  writeFileSync(file, `global\n    maxconn 4096\n\n${text}`)
  const PATH = `${process.env.PATH}:/usr/sbin`
  const options = { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, PATH } }
  proxy = spawn('setpriv', [...together, 'haproxy', '-db', '-f', file], options)
  // What it says later is that the service is gone, which is not what the service says.
  let said = ''
  proxy.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  proxy.once('exit', (code) => code && process.stderr.write(said))
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 20))
  return port
}
