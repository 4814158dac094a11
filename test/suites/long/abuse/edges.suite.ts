/** What a request may be, and what every answer says: the edges of HTTP, over real sockets. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { connect as connectSecurely } from 'node:tls'
import { describe, expect, it, onTestFinished } from 'vitest'
import { wireRequest } from '../../../support/abuse/wire.ts'
import { attackedService } from '../../../support/attack.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { until } from '../../../support/operated.ts'
import { copyDefaultSnapshot, endOf, start } from '../../../support/program.ts'
import { samplesOf } from '../../../support/prometheus.ts'

const search = '/api/v1/index?query=rust&limit=1'
const certificates = join(import.meta.dirname, '..', '..', '..', 'support')

async function sentTo(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  socket.on('error', () => {})
  let answer = ''
  socket.on('data', (part: string) => {
    answer += part
  })
  socket.write(text)
  await new Promise((resolve) => socket.once('close', resolve))
  return answer
}

describe('a head', () => {
  it('may hold what tracing adds and 50 addresses, by default', async () => {
    const { address, headers } = await attackedService()
    const handles = Array.from({ length: 50 }, (_, n) => `https://example.com/@somebody-${n}`)
    const tracing = { traceparent: `00-${'a'.repeat(52)}`, baggage: 'k=v,'.repeat(2_000) }
    const target = `/api/v1/match?handles=${handles.map(encodeURIComponent).join()}`
    const response = await fetch(`${address}${target}`, { headers: { ...headers, ...tracing } })
    expect(response.status).toBe(200)
  })

  it('is as long as the operator says', async () => {
    const { port } = await attackedService(['--head-bytes-max', '2048'])
    const answer = await sentTo(port, wireRequest('/healthz', { 'X-Long': 'x'.repeat(3_000) }))
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('every answer', () => {
  it('that was paid for stays out of caches that others share, and so does its 304', async () => {
    const { address, headers } = await attackedService()
    const first = await fetch(`${address}${search}`, { headers })
    const again = { ...headers, 'if-none-match': first.headers.get('etag')! }
    const second = await fetch(`${address}${search}`, { headers: again })
    expect([first, second].map(({ status }) => status)).toEqual([200, 304])
    for (const { headers: said } of [first, second]) {
      expect(said.get('cache-control')).toBe('private, no-cache')
    }
  })
})

describe('operators', () => {
  it('ask at a port of their own where there is one, and nobody else is told', async () => {
    const directory = temporaryDirectory()
    const snapshots = copyDefaultSnapshot(join(directory, 'snapshots'))
    const places = ['--snapshots', snapshots, '--data', join(directory, 'data')]
    const child = start(['serve', '--port', '0', '--ops-port', '0', '--json', ...places])
    onTestFinished(() => void child.kill('SIGKILL'))
    void endOf(child)
    const [line] = await once(child.stdout!, 'data')
    const { port, opsPort } = JSON.parse(String(line))
    const statusAt = async (at: number, path: string) =>
      (await fetch(`http://127.0.0.1:${at}${path}`)).status
    for (const path of ['/readyz', '/metrics']) {
      expect([await statusAt(port, path), await statusAt(opsPort, path)]).toEqual([404, 200])
    }
    expect([await statusAt(port, search), await statusAt(opsPort, search)]).toEqual([401, 404])
    expect([await statusAt(port, '/healthz'), await statusAt(opsPort, '/healthz')]).toEqual([
      200, 200,
    ])
  })

  it('are not told in /readyz where files lie', async () => {
    const directory = temporaryDirectory()
    const snapshots = copyDefaultSnapshot(join(directory, 'snapshots'))
    const service = await attackedService(['--snapshots', snapshots])
    const id = 'f'.repeat(32)
    mkdirSync(join(snapshots, `${id}.msgpack`))
    writeFileSync(join(snapshots, 'CURRENT'), `${id}\n`)
    const refusal = async () =>
      JSON.parse(await (await fetch(`${service.address}/readyz`)).text()).last_refusal?.message
    await until(async () => (await refusal()) !== undefined)
    expect(await refusal()).not.toContain('/')
  })
})

describe('connections', () => {
  it('of an address that opens too many a minute are closed unread', async () => {
    const { port } = await attackedService(['--connection-rate-limit', '6'])
    const request = wireRequest('/healthz', { Connection: 'close' })
    const answers = await Promise.all(Array.from({ length: 12 }, () => sentTo(port, request)))
    const answered = answers.filter((answer) => answer.startsWith('HTTP/1.1 200 ')).length
    expect(answered).toBe(6)
  })

  it('with a cipher that does not authenticate what it encrypts are refused, others not', async () => {
    const files = ['certificate.pem', 'certificate-key.pem'].map((name) => join(certificates, name))
    const { port } = await attackedService(['--tls-cert', files[0]!, '--tls-key', files[1]!])
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
})

describe('/mcp', () => {
  const accepted = { 'Content-Type': 'application/json', Accept: 'application/json' }

  it('waits for so many bodies of one account at once and no more, which keeps no other from being answered', async () => {
    const { port, address, headers } = await attackedService(['--mcp-in-flight-max', '16'])
    const unfinished = { ...headers, ...accepted, 'Content-Length': '9' }
    const sockets = [1, 2].map(() => connect(port, '127.0.0.1'))
    for (const socket of sockets) {
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.write(`${wireRequest('/mcp', unfinished, 'POST')}{`)
    }
    const inFlight = async () => {
      const text = await (await fetch(`${address}/metrics`)).text()
      return samplesOf(text).get('authority_index_in_flight')
    }
    await until(async () => (await inFlight()) === 2)
    const refused = await fetch(`${address}/mcp`, { method: 'POST', body: '{}', headers })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
    sockets[0]!.destroy()
    await until(async () => (await inFlight()) === 1)
    const again = await fetch(`${address}/mcp`, { method: 'POST', body: '{}', headers })
    expect(again.status).not.toBe(503)
  })
})
