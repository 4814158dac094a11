/** The log: which lines are written, what they hold, and what they never hold. */
import { describe, expect, it } from 'vitest'
import { parameterSpellings as names } from '../../../src/api/schemas/inputs.ts'
import type { LogLevel } from '../../../src/settings.ts'
import { accessFacts, accessLog, type Log, logError, newLog } from '../../../src/telemetry/log.ts'
import { ask, newApi, requestId } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, topic } from '../../support/records.ts'

const served = servedOf({ authorities: [authority({ sdu: '1', topics: [topic('Rust')] })] })

function written(level: LogLevel) {
  const lines: string[] = []
  const log = newLog(level, () => Date.UTC(2026, 0, 2), { write: (line) => void lines.push(line) })
  return { log, lines }
}

describe('an event', () => {
  it('is one JSON line with its level, time, name, facts and message', () => {
    const { log, lines } = written('info')
    log('started', 'serving', { port: 1 })
    expect(lines).toEqual([
      '{"level":"info","time":"2026-01-02T00:00:00.000Z","event":"started","port":1,"message":"serving"}\n',
    ])
  })

  it.each([
    ['debug', 3],
    ['info', 3],
    ['warn', 2],
    ['error', 1],
    ['silent', 0],
  ] as const)('is written when it is at or above the level %s', (level, count) => {
    const { log, lines } = written(level)
    log('started', 'one')
    log('ledger', 'two')
    log('thread-died', 'three')
    expect(lines.length).toBe(count)
  })

  it('stays one line whatever its message holds', () => {
    const { log, lines } = written('info')
    log('snapshot-refused', 'a\nb\u2028"\\')
    expect(lines.join('').split('\n').length).toBe(2)
    expect(JSON.parse(lines[0]!).message).toBe('a\nb\u2028"\\')
  })

  it('of a bug holds the request id and where it happened', () => {
    const { log, lines } = written('info')
    logError(log, new TypeError('broken'), 'request-1')
    logError(log, 'thrown text', 'request-2')
    const [first, second] = lines.map((line) => JSON.parse(line))
    expect(first).toMatchObject({ level: 'error', event: 'internal-error', message: 'broken' })
    expect([first.request_id, first.stack]).toEqual(['request-1', expect.stringContaining('test')])
    expect([second.request_id, second.message]).toEqual(['request-2', 'thrown text'])
  })
})

describe('the access log', () => {
  const key = `aik_${'a'.repeat(36)}`

  function facts(target: string) {
    const [path = '', query = ''] = target.split(/\?(.*)/s)
    const request = { method: 'GET', path, query, authorization: `Bearer ${key}` }
    const reply = newApi(served).answer(request)
    return accessFacts(request, { ...reply, seconds: 0.00123456 }, names)
  }

  it('holds path, names of parameters, status, size and duration', () => {
    expect(facts('/api/v1/index?query=rust&limit=3')).toEqual({
      method: 'GET',
      path: '/api/v1/index',
      parameters: ['query', 'limit'],
      status: 200,
      bytes: expect.any(Number),
      duration_ms: 1.235,
      request_id: requestId,
    })
  })

  it.each([
    `/api/v1/index?query=secret&limit=3`,
    `/api/v1/index?secret`,
    `/api/v1/index?${key}`,
    `/api/v1/index?${key}=1`,
    `/api/v1/index?secret%20words=1`,
    `/${key}`,
    `/api/${key}/x?secret words`,
  ])('never holds a key or a value: %s', (target) => {
    const text = JSON.stringify(facts(target))
    expect(text).not.toContain(key)
    expect(text).not.toContain('secret')
  })

  it('holds the share of the replies that was asked for', () => {
    const answered: string[] = []
    const log: Log = (event) => void answered.push(event)
    const draws = [0.1, 0.3, 0.24, 0.25, 0.99]
    const onReply = accessLog(log, 0.25, names, () => draws.shift()!)!
    const api = newApi(served)
    const request = { method: 'GET', path: '/api/v1/index', query: 'query=rust' }
    for (let index = 0; index < 5; index += 1) onReply(request, api.answer(request))
    expect(answered).toEqual(['access', 'access'])
  })

  it('costs nothing when its share is zero', () => {
    expect(accessLog(() => {}, 0, names, Math.random)).toBeUndefined()
  })

  it('is told of every reply of the API, problems too', () => {
    const statuses: number[] = []
    const api = newApi(served, { onReply: (_, { status }) => void statuses.push(status) })
    ask(api, '/api/v1/index?query=rust')
    ask(api, '/api/v1/index')
    ask(api, '/nowhere')
    expect(statuses).toEqual([200, 400, 404])
  })
})
