/** The service over real sockets: what a client on the wire sees, and how the process ends. */
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../support/built.ts'
import { AnswerReader } from '../support/processes/answer-reader.ts'
import { openSocket } from '../support/processes/connection.ts'
import { copyDefaultSnapshot, run, startService } from '../support/program.ts'
import { sharedService } from '../support/shared.ts'

const service = sharedService()

async function get(target: string, init: RequestInit = {}) {
  const headers = { ...service.headers, ...init.headers }
  const response = await fetch(`${service.address}${target}`, { ...init, headers })
  const text = await response.text()
  return { response, text, json: text === '' ? undefined : JSON.parse(text) }
}

function wire(target: string, method = 'GET'): string {
  const lines = Object.entries(service.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${lines.join('')}\r\n`
}

async function responses(socket: Socket, count: number) {
  const found: { status: number; json: { results: unknown[] } }[] = []
  const reader = new AnswerReader(({ status, body }) =>
    found.push({ status, json: JSON.parse(body.toString()) }),
  )
  for await (const chunk of socket) {
    reader.take(chunk)
    if (found.length >= count) break
  }
  return found
}

describe('the service answers', () => {
  it.each(['/api/v1/index?query=rust&limit=3', '/api/v1/index/?query=rust&limit=3'])(
    'a search in both path forms: %s',
    async (target) => {
      const { response, json } = await get(target)
      expect(response.status).toBe(200)
      expect(Object.keys(json)).toEqual(['duration', 'request_id', 'results'])
      expect(json.results.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2, 3])
      expect(Object.keys(json.results[0])).toEqual(['sdu', 'name', 'rank', 'country_name', 'topic'])
      expect(response.headers.get('x-snapshot-id')).toBe(service.snapshotId)
      expect(response.headers.get('x-request-id')).toBe(json.request_id)
    },
  )

  it('HEAD with 405 and no body, and the connection goes on', async () => {
    const { response, text } = await get('/api/v1/index?query=rust', { method: 'HEAD' })
    expect([response.status, text]).toEqual([405, ''])
    expect((await get('/api/v1/index?query=rust')).response.status).toBe(200)
  })

  it('a POST with a body, and the request after it on the same connection', async () => {
    const socket = await openSocket(service.port)
    const post = wire('/api/v1/index?query=rust', 'POST').replace(
      '\r\n\r\n',
      '\r\nContent-Length: 5\r\n\r\nhello',
    )
    socket.write(post + wire('/api/v1/index?query=rust&limit=1'))
    const answered = await responses(socket, 2)
    expect(answered.map(({ status }) => status)).toEqual([405, 200])
    socket.destroy()
  })

  it('pipelined requests in their order', async () => {
    const socket = await openSocket(service.port)
    const limits = Array.from({ length: 50 }, (_, index) => ((index * 7) % 50) + 1)
    const targets = limits.map((limit) => `/api/v1/index?query=us+politics&limit=${limit}`)
    socket.write([...targets, '/nowhere'].map((target) => wire(target)).join(''))
    const answered = await responses(socket, 51)
    expect(answered.slice(0, 50).map(({ json }) => json.results.length)).toEqual(limits)
    expect(answered[50]!.status).toBe(404)
    socket.destroy()
  })

  it('others after connections that were aborted at any point of a request', async () => {
    const request = wire('/api/v1/index?query=us+politics&limit=50')
    for (let length = 0; length <= request.length; length += 7) {
      const socket = await openSocket(service.port)
      socket.write(request.slice(0, length).repeat(length > request.length - 7 ? 20 : 1))
      if (length % 2 === 0) socket.resetAndDestroy()
      else socket.destroy()
    }
    expect((await get('/api/v1/index?query=rust')).response.status).toBe(200)
  })
})

describe('the service ends', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'with 0 on %s, idle connections or not',
    async (signal) => {
      const other = await startService(temporaryDirectory())
      const idle = await openSocket(other.port)
      const response = await fetch(`${other.address}/api/v1/index?query=rust`, {
        headers: other.headers,
      })
      expect(response.status).toBe(200)
      await response.text()
      const { exitCode, stderr } = await other.stop(signal)
      const events = stderr
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event)
      expect([exitCode, events]).toEqual([0, ['started', 'first-key', 'stopped']])
      idle.destroy()
      await expect(fetch(`${other.address}/api/v1/index?query=rust`)).rejects.toThrow()
    },
  )

  it('with 1 and one line when its port is taken', async () => {
    const words = ['--snapshots', copyDefaultSnapshot(join(temporaryDirectory(), 'snapshots'))]
    const data = ['--data', join(temporaryDirectory(), 'data')]
    const taken = await run(['serve', '--port', String(service.port), ...words, ...data])
    expect([taken.exitCode, taken.stdout]).toEqual([1, ''])
    expect(taken.stderr).toMatch(new RegExp(`^cannot listen on 127.0.0.1:${service.port}: .*\n$`))
  })
})
