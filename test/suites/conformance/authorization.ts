/** Runs the authorization scenarios of the official conformance suite, with a person who answers the page. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Ask, answerPage, openPage } from '../../support/oauth-person.ts'
import { freePort } from '../../support/processes/free-port.ts'
import type { Started } from '../../support/started.ts'

/** Answers whether all scenarios of one revision pass. */
export async function runAuthorization(
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
