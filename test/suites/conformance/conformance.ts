/**
 * Runs the official conformance suite against the built service, in every protocol revision. `conformance.yml` names
 * what cannot apply; anything else that fails, and anything named there that passes, fails the run.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeFromNpm, nodePackage } from '../../../src/process/fitting-node.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { readStarted, type Started } from '../../support/started.ts'
import { runAuthorization } from './authorization.ts'

const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

/** A service over the default snapshot with a ledger of its own, and OAuth at its own address. */
async function startService(data: string, port: number): Promise<[ChildProcess, Started]> {
  const places = ['--data', data, '--oauth', `http://localhost:${port}`]
  const flags = ['--port', String(port), '--threads', '1', ...places, '--json']
  const service = spawn(process.execPath, ['dist/main.js', 'serve', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(service.stdout!), 'line')
  return [service, readStarted(String(line))]
}

/** The suite sends no key, so what it sends goes through here, where one is added. */
async function startDoor({ port, key }: Started): Promise<Server> {
  const door = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` }
    const { method, url: path } = request
    const forwarded = forward({ port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return door
}

/** What starts the suite. It needs Node 22: where this one is older, one that npm installs once. */
async function suiteCommand(): Promise<readonly string[]> {
  const isNew = Number(process.versions.node.split('.')[0]) >= 22
  const node = isNew ? process.execPath : await nodeFromNpm(`${nodePackage(process)}@22`, process)
  return [node, suite]
}

async function runSuite(
  [node, ...words]: readonly string[],
  url: string,
  revision: string,
): Promise<boolean> {
  const flags = ['--suite', 'all', '--spec-version', revision]
  const baseline = ['--expected-failures', 'test/suites/conformance/conformance.yml']
  const child = spawn(node!, [...words, 'server', '--url', url, ...flags, ...baseline], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += String(chunk)
  })
  const [code] = await once(child, 'close')
  console.log(`revision ${revision}`)
  console.log(output.slice(Math.max(0, output.indexOf('=== SUMMARY ==='))))
  return code === 0
}

async function main(): Promise<boolean> {
  const data = mkdtempSync(join(tmpdir(), 'conformance-'))
  const port = await freePort()
  const [service, started] = await startService(data, port)
  const door = await startDoor(started)
  try {
    const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`
    const command = await suiteCommand()
    const issuer = `http://localhost:${port}`
    const passed: boolean[] = []
    for (const revision of revisions) {
      passed.push(await runSuite(command, url, revision))
      passed.push(await runAuthorization(command, started, issuer, revision))
    }
    return passed.every((each) => each)
  } finally {
    door.close()
    door.closeAllConnections()
    service.kill()
    await once(service, 'close')
    rmSync(data, { recursive: true, force: true })
  }
}

process.exitCode = (await main()) ? 0 : 1
