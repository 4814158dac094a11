/** The admin API of the built program: what docs/administration.md says, attacks, and kills. */

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  type Administered,
  administered,
  startAdministered,
} from '../../../support/administered-service.ts'
import { temporaryDirectory } from '../../../support/built.ts'

const document = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'administration.md'),
  'utf8',
)

async function ask({ admin, adminKey }: Administered, path: string, body?: unknown, once?: string) {
  const headers: Record<string, string> = { authorization: `Bearer ${adminKey}` }
  if (once !== undefined) headers['idempotency-key'] = once
  if (body !== undefined) headers['content-type'] = 'application/json'
  const method = body === undefined ? 'GET' : 'POST'
  const text = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`http://${admin}/admin/v1${path}`, { method, headers, ...text })
  // biome-ignore lint/suspicious/noExplicitAny: members differ by operation
  const json: any = await response.json()
  return { status: response.status, headers: response.headers, json }
}

it('answers the requests of docs/administration.md as it says', async () => {
  const service = await administered()
  const shape =
    /```http\n(\w+) (\S+)\n(?:Idempotency-Key: (\S+)\n)?\n?([^`]*)```\n\n```json 200\n([^`]*)```/g
  const steps = [...document.matchAll(shape)]
  expect(steps).toHaveLength(document.split('```http\n').length - 1)
  for (const [, method, target = '', once, body = '', answer = ''] of steps) {
    const path = target.replace('/admin/v1', '')
    const { status, json } = await ask(
      service,
      path,
      method === 'POST' ? JSON.parse(body) : undefined,
      once,
    )
    const expected = JSON.parse(answer, (_, value) =>
      typeof value === 'string' && value.startsWith('$') ? expect.any(String) : value,
    )
    expect([target, status, json]).toMatchObject([target, 200, expected])
  }
})

describe('the admin API', () => {
  let directory: string
  let service: Administered

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'administration-'))
    service = await startAdministered(directory)
  })

  afterAll(async () => {
    await service.kill()
    rmSync(directory, { recursive: true, force: true })
  })

  it('is not on the public port, nor the public API on its own', async () => {
    const { address, admin } = service
    expect((await fetch(`${address}/admin/v1/accounts`)).status).toBe(404)
    expect((await fetch(`${address}/admin/v1/openapi.json`)).status).toBe(404)
    expect((await fetch(`http://${admin}/api/v1/index?query=rust`)).status).toBe(404)
    expect((await fetch(`http://${admin}/admin/v1/openapi.json`)).status).toBe(200)
  })

  it('refuses a body that is too large or no JSON by its header, and a name that was pointed at it', async () => {
    const { admin, adminKey } = service
    const authorization = `Bearer ${adminKey}`
    const post = (body: string, headers = {}) =>
      fetch(`http://${admin}/admin/v1/accounts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', ...headers },
        body,
      })
    expect((await post(JSON.stringify({ account: 'x'.repeat(70_000) }))).status).toBe(413)
    expect((await post('account=acme', { 'content-type': 'text/plain' })).status).toBe(415)
    const [host = '', port] = admin.split(':')
    const rebound = request({
      host,
      port,
      path: '/admin/v1/accounts',
      headers: { authorization, host: 'evil.example' },
    })
    rebound.end()
    const [{ statusCode }] = await once(rebound, 'response')
    expect(statusCode).toBe(403)
    expect((await ask(service, '/accounts')).json.results).toHaveLength(1)
  })

  it('answers others while many connections bring nothing or half a request, and ends these', async () => {
    const [host, port] = service.admin.split(':')
    const idle = Array.from({ length: 192 }, () =>
      connect(Number(port), host)
        .on('error', () => {})
        .resume(),
    )
    const ended = idle.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    onTestFinished(() => {
      for (const socket of idle) socket.destroy()
    })
    const head = `POST /admin/v1/accounts HTTP/1.1\r\nHost: ${service.admin}\r\nContent-Length: 10\r\n`
    for (const socket of idle.slice(20)) socket.write(head)
    for (const socket of idle.slice(0, 10)) socket.write(`${head}\r\n`)
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    const headers = { authorization: `Bearer ${service.adminKey}` }
    for (let asked = 0; asked < 5; asked += 1) {
      const get = request({ host, port, path: '/admin/v1/accounts', headers, agent: false })
      get.end()
      const [response] = await once(get, 'response')
      response.resume()
      expect(response.statusCode).toBe(200)
    }
    await Promise.all(ended)
  })
})

describe('a change of the admin API', () => {
  it('credits once when the service is killed between the change and the answer', async () => {
    const directory = temporaryDirectory()
    let service = await administered(directory)
    await ask(service, '/accounts', { account: 'acme' })
    const body = { amount_usd: 1, reference: 'never the same' }
    // The first is made and answered; its answer is what a client would have lost.
    await ask(service, '/accounts/acme/top-ups', body, 'one')
    const issue = (index: number) =>
      ask(service, '/keys', { account: 'acme', label: `k${index}` }, `key-${index}`)
    const lost = Array.from({ length: 8 }, (_, index) => issue(index).catch(() => undefined))
    await Promise.race(lost)
    await service.kill()
    const before = await Promise.all(lost)
    service = await administered(directory, service.adminKey)
    const again = await ask(service, '/accounts/acme/top-ups', body, 'one')
    expect(again.json).toMatchObject({ status: 409, made: { account: 'acme' } })
    for (const [index, known] of before.entries()) {
      const sent = await issue(index)
      // A change whose answer was lost is made now, or was made before.
      expect([200, 409]).toContain(sent.status)
      if (known !== undefined) expect(sent.json.made).toEqual({ key_id: known.json.key_id })
    }
    const keys = await ask(service, '/keys?account=acme')
    const labels: string[] = keys.json.results.map(({ label }: { label: string }) => label)
    expect(labels.sort()).toEqual(Array.from({ length: 8 }, (_, index) => `k${index}`))
    const { json } = await ask(service, '/ledger/verify')
    expect(json).toMatchObject({ balanced: true })
    const log = await ask(service, '/audit?limit=100')
    const issued = log.json.results.filter(
      ({ action }: { action: string }) => action === 'key.issue',
    )
    expect(issued).toHaveLength(8)
  })
})
