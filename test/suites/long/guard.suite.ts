/** What a request may be and how much one may ask, over real sockets: heads, rates, addresses, connections, TLS. */
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mcpHeaders } from '../../support/abuse/victim.ts'
import { wireRequest } from '../../support/abuse/wire.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { openSocket } from '../../support/processes/connection.ts'
import { asked, copyDefaultSnapshot, run, startService } from '../../support/program.ts'
import { metricOf } from '../../support/prometheus.ts'

const cert = join(import.meta.dirname, '..', '..', 'support', 'certificate.pem')
const key = join(import.meta.dirname, '..', '..', 'support', 'certificate-key.pem')
const target = '/api/v1/match?handle=SenCapito'

async function guarded(words: readonly string[] = []) {
  const service = await startService(temporaryDirectory(), words)
  onTestFinished(() => void service.stop('SIGKILL'))
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    asked(`${service.address}${path}`, { method, headers: { ...service.headers, ...headers } })
  const metric = (name: string) => metricOf(service, name)
  return { ...service, get, metric }
}

async function send(port: number, text: string): Promise<Socket> {
  const socket = await openSocket(port)
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return socket
}

async function textOf(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  // A reset is followed by it.
  await new Promise((resolve) => socket.once('close', resolve))
  return text
}

describe('a head', () => {
  it('may hold what tracing adds and 50 addresses, by default', async () => {
    const { get } = await guarded()
    const handles = Array.from({ length: 50 }, (_, n) => `https://example.com/@somebody-${n}`)
    const tracing = { traceparent: `00-${'a'.repeat(52)}`, baggage: 'k=v,'.repeat(2_000) }
    const long = `/api/v1/match?handles=${handles.map(encodeURIComponent).join()}`
    expect((await get(long, tracing)).status).toBe(200)
  })

  it('is as long as the operator says', async () => {
    const { port } = await guarded(['--head-bytes-max', '2048'])
    const long = wireRequest('/healthz', { 'X-Long': 'x'.repeat(3_000) })
    expect(await textOf(await send(port, long))).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('every answer', () => {
  it('that was paid for stays out of caches that others share, and so does its 304', async () => {
    const { get } = await guarded()
    const first = await get(target)
    const second = await get(target, { 'if-none-match': first.headers.get('etag')! })
    expect([first, second].map(({ status }) => status)).toEqual([200, 304])
    for (const { headers: said } of [first, second]) {
      expect(said.get('cache-control')).toBe('private, no-cache')
    }
  })
})

describe('operators', () => {
  it('ask at a port of their own where there is one, and nobody else is told', async () => {
    const { port, opsPort = 0 } = await guarded(['--ops-port', '0'])
    const statusAt = async (at: number, path: string) =>
      (await fetch(`http://127.0.0.1:${at}${path}`)).status
    for (const path of ['/readyz', '/metrics']) {
      expect([await statusAt(port, path), await statusAt(opsPort, path)]).toEqual([404, 200])
    }
    expect([await statusAt(port, target), await statusAt(opsPort, target)]).toEqual([401, 404])
    expect([await statusAt(port, '/healthz'), await statusAt(opsPort, '/healthz')]).toEqual([
      200, 200,
    ])
  })

  it('are not told in /readyz where files lie', async () => {
    const directory = temporaryDirectory()
    const snapshots = copyDefaultSnapshot(join(directory, 'snapshots'))
    const { get } = await guarded(['--snapshots', snapshots])
    const id = 'f'.repeat(32)
    mkdirSync(join(snapshots, `${id}.msgpack`))
    writeFileSync(join(snapshots, 'CURRENT'), `${id}\n`)
    const refusal = async () => JSON.parse((await get('/readyz')).text).last_refusal?.message
    await until(async () => (await refusal()) !== undefined)
    expect(await refusal()).not.toContain('/')
  })
})

describe('a rate limit', () => {
  it('answers 429 with Retry-After, charges nothing for it, and tells what is left before', async () => {
    const { get, metric } = await guarded(['--rate-limit', '1', '--rate-burst', '4'])
    // The usual request, a batch, one that is wrong, and a cached answer: each is one request.
    const targets = [target, '/api/v1/match?handles=a,b', '/api/v1/match', target]
    const answers = []
    for (const each of targets) answers.push(await get(each))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 200])
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-policy')).toBe('"account";q=4;w=4')
      expect(headers.get('ratelimit')).toMatch(/^"account";r=[0-3];t=[1-4]$/)
    }
    let refused = await get(target)
    while (refused.status !== 429) refused = await get(target)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(JSON.parse(refused.text)).toMatchObject({ status: 429, title: 'Too many requests' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refused.headers.get('x-cost-usd')).toBeNull()
    const answered = await metric('requests_total{route="match",status="200"}')
    // The batch counts as two queries.
    expect(await metric('charged_queries_total{route="match"}')).toBe(answered! + 1)
    expect(await metric('rate_limited_total')).toBe(1)
  })

  it('is absent by default, and then no answer tells of one', async () => {
    const { get } = await guarded()
    expect((await get(target)).headers.get('ratelimit')).toBeNull()
  })
})

describe('requests without a valid key', () => {
  it('answer 429 when an address has sent too many, while a valid key goes on', async () => {
    const { get, metric } = await guarded(['--failed-key-limit', '3'])
    const statuses = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await get(target, { authorization: 'Bearer no' })).status)
    }
    expect(statuses).toEqual([401, 401, 401])
    const refused = await get(target, { authorization: 'Bearer no' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
    expect(refused.headers.get('connection')).toBe('close')
    const post = { authorization: 'Bearer no', 'content-type': 'application/json' }
    expect((await get('/mcp', post, 'POST')).status).toBe(429)
    expect((await get(target)).status).toBe(200)
    expect(await metric('failed_keys_limited_total')).toBe(2)
  })

  it('count for the client that a trusted proxy names, and only if it is trusted', async () => {
    const words = ['--failed-key-limit', '1', '--trusted-proxies']
    const trusting = await guarded([...words, '127.0.0.0/8'])
    const from = (client: string) => ({ authorization: '', 'x-forwarded-for': client })
    const statusOf = async (at: typeof trusting, client: string) =>
      (await at.get(target, from(client))).status
    expect(await statusOf(trusting, '203.0.113.1')).toBe(401)
    expect(await statusOf(trusting, '203.0.113.1')).toBe(429)
    expect(await statusOf(trusting, '203.0.113.2')).toBe(401)
    const other = await guarded([...words, '192.0.2.1'])
    expect(await statusOf(other, '203.0.113.1')).toBe(401)
    expect(await statusOf(other, '203.0.113.2')).toBe(429)
  })
})

describe('requests for /metrics', () => {
  it('answer 429 when an address has sent ten times as many, and other addresses go on', async () => {
    const { get } = await guarded(['--failed-key-limit', '1', '--trusted-proxies', '127.0.0.0/8'])
    const from = (client: string) => get('/metrics', { 'x-forwarded-for': client })
    const statuses: number[] = []
    for (let count = 0; count < 10; count += 1) statuses.push((await from('203.0.113.1')).status)
    expect(statuses).toEqual(Array(10).fill(200))
    // On a machine that takes seconds for ten requests another is due.
    let refused = await from('203.0.113.1')
    while (refused.status !== 429) refused = await from('203.0.113.1')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await from('203.0.113.2')).status).toBe(200)
    expect((await get('/healthz', { 'x-forwarded-for': '203.0.113.1' })).status).toBe(200)
  })

  it('have no limit at the port for operators', async () => {
    const { opsPort } = await guarded(['--failed-key-limit', '1', '--ops-port', '0'])
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) {
      statuses.push((await fetch(`http://127.0.0.1:${opsPort}/metrics`)).status)
    }
    expect(statuses).toEqual(Array(12).fill(200))
  })
})

describe('connections', () => {
  it('on which 100 searches are sent ahead, and whose answers are read, get all of them', async () => {
    const { port, headers } = await guarded()
    const path = '/api/v1/index?query=us+politics&limit=50'
    const one = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n`
    const text = textOf(
      await send(port, `${`${one}\r\n`.repeat(99)}${one}Connection: close\r\n\r\n`),
    )
    expect((await text).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(100)
  })

  it('above the limit are closed, over all threads, and those below go on', async () => {
    const { port, metric } = await guarded(['--connections-max', '8'])
    const wire = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const sockets = await Promise.all(Array.from({ length: 20 }, () => send(port, wire)))
    const answered = new Set<Socket>()
    for (const socket of sockets) socket.once('data', () => answered.add(socket))
    await until(() => sockets.every((socket) => socket.closed || answered.has(socket)))
    // Two threads that take a connection in the same instant may both be wrong by one.
    expect(answered.size).toBeGreaterThanOrEqual(7)
    expect(answered.size).toBeLessThanOrEqual(9)
    for (const socket of sockets) socket.destroy()
    await until(async () => (await metric('connections').catch(() => 99))! < 8)
    expect(await metric('connections_refused_total')).toBeGreaterThanOrEqual(11)
  })

  it('of an address that opens too many a minute are closed unread', async () => {
    const { port } = await guarded(['--connection-rate-limit', '6', '--threads', '1'])
    const request = wireRequest('/healthz', { Connection: 'close' })
    const asking = Array.from({ length: 12 }, async () => textOf(await send(port, request)))
    const answers = await Promise.all(asking)
    const answered = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length
    expect(answered).toBe(6)
  })

  it('that send their headers ever so slowly are closed in the end', async () => {
    const { port, get } = await guarded()
    const socket = await send(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nX-More: `)
    const trickle = setInterval(() => socket.write('1'), 200)
    onTestFinished(() => clearInterval(trickle))
    // After 10 s by the older build of uWebSockets.js, after 30 s by the newer.
    expect(await textOf(socket)).toBe('')
    expect((await get(target)).status).toBe(200)
  })
})

describe('/mcp', () => {
  it('waits for so many bodies of one account at once and no more, which keeps no other from being answered', async () => {
    const { port, headers, get, metric } = await guarded([
      '--mcp-in-flight-max',
      '16',
      '--threads',
      '1',
    ])
    const unfinished = { ...headers, ...mcpHeaders, 'Content-Length': '9' }
    const begun = `${wireRequest('/mcp', unfinished, 'POST')}{`
    const [first] = await Promise.all([1, 2].map(() => send(port, begun)))
    await until(async () => (await metric('in_flight')) === 2)
    const refused = await get('/mcp', {}, 'POST')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    first!.destroy()
    await until(async () => (await metric('in_flight')) === 1)
    expect((await get('/mcp', {}, 'POST')).status).not.toBe(503)
  })

  it('refuses a method that no request can have, and loses no thread to it', async () => {
    const { port, get, headers } = await guarded()
    const key = `Authorization: ${headers.authorization}`
    const socket = await send(port, `TRACE /mcp HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`)
    const [head] = await once(socket.setEncoding('latin1'), 'data')
    expect(head).toMatch(/^HTTP\/1\.1 405 /)
    expect(JSON.parse((await get('/readyz')).text).thread_deaths).toBe(0)
  })

  it('answers HEAD without a body, so that the next answer is where a client looks for it', async () => {
    const { port, headers } = await guarded()
    const lines = `HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n\r\n`
    const socket = await send(port, `HEAD /mcp ${lines}`)
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part
    })
    await until(() => text.includes('\r\n\r\n'))
    socket.write(`GET /healthz ${lines}`)
    await until(() => text.endsWith('{"status":"ok"}'))
    expect(text).toMatch(/^HTTP\/1\.1 405 [^{]*\r\n\r\nHTTP\/1\.1 200 /)
  })
})

describe('TLS', () => {
  it('serves every route over HTTPS, with the money told', async () => {
    const service = await guarded(['--tls-cert', cert, '--tls-key', key])
    expect(service.address).toMatch(/^https:/)
    const options = { ca: readFileSync(cert), headers: service.headers }
    const sent = request(`${service.address}${target}`, options).end()
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(200)
    expect(response.headers['x-balance-usd']).toBe('49.999')
    response.resume()
    await once(response, 'end')
    sent.destroy()
    const metrics = request(`${service.address}/metrics`, { ca: options.ca, agent: false }).end()
    const [told] = await once(metrics, 'response')
    expect(await text(told)).toMatch(/^authority_index_certificate_left_seconds -?\d/m)
  })

  it('with a cipher that does not authenticate what it encrypts are refused, others not', async () => {
    const { port } = await guarded(['--tls-cert', cert, '--tls-key', key])
    const securedBy = async (ciphers: string) => {
      const options = { port, host: '127.0.0.1', rejectUnauthorized: false, ciphers }
      const socket = connectSecurely({ ...options, maxVersion: 'TLSv1.2' })
      const outcome = once(socket, 'secureConnect').then(
        () => true,
        () => false,
      )
      const isSecured = await outcome
      socket.destroy()
      return isSecured
    }
    expect(await securedBy('ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:AES128-SHA')).toBe(false)
    expect(await securedBy('ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256')).toBe(true)
  })

  it.each([
    ['only one of the two', ['--tls-cert', cert], 2],
    ['a file that is not there', ['--tls-cert', cert, '--tls-key', '/no/such/key'], 1],
    ['a key that is none', ['--tls-cert', cert, '--tls-key', cert], 1],
  ])('is refused with one line for %s', async (_, words, exitCode) => {
    const data = ['--data', join(temporaryDirectory(), 'data'), '--port', '0']
    const ended = await run(['serve', ...data, ...words])
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.stderr.trim().split('\n').length).toBe(1)
    expect(ended.stderr).toContain(exitCode === 2 ? '--tls-key' : 'TLS with')
  })
})
