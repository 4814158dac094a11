/**
 * Runs the official conformance suite against the built service, in every protocol revision. `conformance.yml` names
 * what cannot apply; anything else that fails, and anything named there that passes, fails the run.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { nodeFromNpm, nodePackage } from '../../../src/process/fitting-node.ts'
import { type Ask, answerPage, openPage } from '../../support/oauth-person.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { defaultSnapshots, serve } from '../../support/program.ts'
import type { Started } from '../../support/started.ts'

const revisions = ['2025-06-18', '2025-11-25', '2026-07-28']
const suite = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'

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

/** Answers whether all authorization scenarios of one revision pass, with a person who answers the page. */
async function runAuthorization(
  command: readonly string[],
  { key }: Started,
  issuer: string,
  revision: string,
): Promise<boolean> {
  const ask: Ask = (target, init) => fetch(new URL(target, issuer), { redirect: 'manual', ...init })
  const port = await freePort()
  const id = await registered(ask, `http://127.0.0.1:${port}/callback`)
  const where = ['--url', issuer, '--resource', `${issuer}/mcp`, '--port', String(port)]
  const [program, ...words] = command
  const flags = [...words, 'authorization', ...where, '--client-id', id]
  const child = spawn(program!, [...flags, '--spec-version', revision], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line)
    if (line.startsWith(`${issuer}/oauth/authorize?`)) void allow(ask, line, key!)
  })
  const [code] = await once(child, 'close')
  const checks = lines.filter((line) => /^(?:.\[\d+m)?(?:[✓✗~]|Total)/.test(line))
  console.log([`authorization, revision ${revision}`, ...checks].join('\n'))
  return code === 0
}

async function registered(ask: Ask, redirect: string): Promise<string> {
  const body = JSON.stringify({ client_name: 'Conformance suite', redirect_uris: [redirect] })
  const headers = { 'content-type': 'application/json' }
  const response = await ask('/oauth/register', { method: 'POST', headers, body })
  return ((await response.json()) as { client_id: string }).client_id
}

async function allow(ask: Ask, address: string, key: string): Promise<void> {
  const page = await openPage(ask, address)
  const response = await answerPage(ask, page, { key })
  await fetch(response.headers.get('location')!)
}

async function main(): Promise<boolean> {
  const data = mkdtempSync(join(tmpdir(), 'conformance-'))
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const places = ['--port', String(port), '--threads', '1', '--data', data]
  const service = await serve([...places, '--snapshots', defaultSnapshots, '--oauth', issuer])
  const door = await startDoor(service)
  try {
    const url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`
    const command = await suiteCommand()
    const passed: boolean[] = []
    for (const revision of revisions) {
      passed.push(await runSuite(command, url, revision))
      passed.push(await runAuthorization(command, service, issuer, revision))
    }
    return passed.every((each) => each)
  } finally {
    door.close()
    door.closeAllConnections()
    await service.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

process.exitCode = (await main()) ? 0 : 1
