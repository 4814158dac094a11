/**
 * Answers that clients cut off, over connections with the segments of an Ethernet and a small window, so that little of an
 * answer waits in the kernel. What a client can read of an answer is charged, whatever stands behind it. Needs python3.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { announce, publish } from '../../../../src/snapshot/store/directory.ts'
import { snapshotOf } from '../../../support/built.ts'
import { type RunningService, run, startService } from '../../../support/program.ts'
import { authority, social } from '../../../support/records.ts'

const shortCount = 500
const longCount = 5
/** Each different one of the long people is asked for so often; a repeated value is free. */
const paddingCount = 500
const shorts = Array.from({ length: shortCount }, (_, index) => `${5_000 + index}`)
const longs = Array.from({ length: longCount }, (_, index) => `${20_000 + index}`)
const padding = Array.from({ length: paddingCount }, (_, index) => longs[index % longCount]!)

let directory: string
let service: RunningService

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'cut-'))
  const authorities = [
    ...shorts.map((sdu) => person(sdu, incompressible(sdu, 2))),
    ...longs.map((sdu) => person(sdu, incompressible(sdu, 200))),
  ]
  const snapshot = snapshotOf({ authorities })
  const snapshots = join(directory, 'cut')
  publish(snapshots, snapshot)
  announce(snapshots, snapshot.header.id)
  service = await startService(directory, ['--threads', '1', '--snapshots', snapshots])
})

afterAll(async () => {
  await service.stop('SIGTERM')
  const { exitCode, stdout } = await run(['ledger', 'verify', '--data', service.data])
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining('the books balance')])
  rmSync(directory, { recursive: true, force: true })
})

function person(sdu: string, bio: string) {
  return authority({ sdu, bio, socials: [social('github', `h${sdu}`)] })
}

function incompressible(seed: string, digests: number): string {
  const each = (_: unknown, index: number) =>
    createHash('sha256').update(`${seed} ${index}`).digest('hex')
  return Array.from({ length: digests }, each).join('')
}

const handles = (sdus: readonly string[]) => sdus.map((sdu) => `h${sdu}`)
const fields = ['sdu', 'bio']

/** What each item costs besides its value, where `fields` ask for a profile: also the items of values that repeat. */
const profiles = { detail: 0, match: 1, rank: 1 } as const

/** Every operation that takes many values by POST: short ones first, then the padding. */
const batches = [
  ['detail', { sdus: [...shorts, ...padding], aligned: true }],
  ['match', { handles: handles([...shorts, ...padding]), aligned: true, fields }],
  ['rank', { sources: handles([...shorts, ...padding]), aligned: true, fields }],
] as const

interface Sent {
  readonly path: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function cutAt(until: string, { path, body, headers = {} }: Sent): Promise<string> {
  const text = JSON.stringify(body)
  const lines = Object.entries({
    Host: 'cut',
    'Content-Type': 'application/json',
    'Content-Length': `${Buffer.byteLength(text)}`,
    ...service.headers,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const client = join(import.meta.dirname, '..', '..', '..', 'support', 'small-window.py')
  const child = spawn('python3', [client, `${service.port}`, until])
  child.stdin.end(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
  return (await buffer(child.stdout)).toString()
}

/** Queries that were charged so far; each costs 0.001 USD. */
async function charged(): Promise<number> {
  // The end of a connection is noticed, and the charge written, within a few turns.
  await sleep(300)
  const response = await fetch(`${service.address}/api/v1/account`, { headers: service.headers })
  const { results } = (await response.json()) as { results: readonly [{ balance_usd: number }] }
  return Math.round((50 - results[0].balance_usd) * 1_000)
}

let before = 0
afterEach(async () => {
  before = await charged()
})

describe('a batch of short items before long ones', () => {
  it.each(batches)('to %s is charged for the items that were read', async (route, body) => {
    const read = await cutAt(`"${longs[0]}"`, { path: `/api/v1/${route}`, body })
    expect(read.match(/"sdu":"5/g)).toHaveLength(shortCount)
    const queries = (await charged()) - before
    const ofProfiles = profiles[route]
    expect(queries).toBeGreaterThanOrEqual(shortCount + ofProfiles * shortCount)
    const most = shortCount + longCount + ofProfiles * (shortCount + paddingCount)
    expect(queries).toBeLessThanOrEqual(most)
  })

  it('is not charged for what the kernel never took, and a cap counts what was read', async () => {
    const issued = await run([
      'key',
      'issue',
      '--account',
      'default',
      '--cap',
      '1',
      '--data',
      service.data,
      '--json',
    ])
    const { key } = JSON.parse(issued.stdout) as { key: string }
    const headers = { authorization: `Bearer ${key}` }
    const left = () =>
      fetch(`${service.address}/api/v1/account`, { headers }).then(async (response) => {
        const { results } = (await response.json()) as {
          results?: readonly [{ key: { remaining_usd: number } }]
        }
        return results?.[0].key.remaining_usd
      })
    await expect.poll(left).toBe(1)
    const sdus = [...shorts.slice(0, 100), ...padding, ...shorts.slice(100)]
    const body = { sdus, aligned: true }
    const read = await cutAt(`"${longs[0]}"`, { path: '/api/v1/detail', body, headers })
    expect(read.match(/"sdu":"5/g)).toHaveLength(100)
    const queries = (await charged()) - before
    expect(queries).toBeGreaterThanOrEqual(100)
    expect(queries).toBeLessThan(shortCount)
    expect(await left()).toBeCloseTo(1 - queries / 1_000, 6)
  })

  it('is charged once where it is repeated under its Idempotency-Key', async () => {
    const [, body] = batches[0]
    const headers = { 'Idempotency-Key': 'cut' }
    await cutAt('"5100"', { path: '/api/v1/detail', body, headers })
    await cutAt('"5300"', { path: '/api/v1/detail', body, headers })
    const inPart = (await charged()) - before
    expect(inPart).toBeGreaterThanOrEqual(300)
    const response = await fetch(`${service.address}/api/v1/detail`, {
      method: 'POST',
      headers: { ...service.headers, ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    await response.arrayBuffer()
    expect(Number(response.headers.get('x-cost-usd'))).toBeCloseTo(0.505 - inPart / 1_000, 6)
    expect((await charged()) - before).toBe(shortCount + longCount)
  })
})

describe('answers that are lost where a request comes behind one that takes its time', () => {
  const request = (line: string, ...more: string[]) => {
    const own = Object.entries(service.headers).map(([name, value]) => `${name}: ${value}`)
    return [`${line} HTTP/1.1`, 'Host: cut', ...own, ...more, '', ''].join('\r\n')
  }
  const matches = (count: number, sdu: string, more: (index: number) => string[] = () => []) =>
    Array.from({ length: count }, (_, index) => {
      return request(`GET /api/v1/match?handle=h${sdu}`, ...more(index))
    }).join('')
  const tools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const read = async (sent: string, answers: number) => {
    const socket = connect(service.port, '127.0.0.1')
    let text = ''
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', (piece: string) => {
      text += piece
      if (text.split('"results"').length > answers) socket.end()
    })
    socket.write(sent)
    await once(socket, 'close')
    return text.split('"results"').length - 1
  }

  it.each([
    ['/api/v1/account', '5001', () => request('GET /api/v1/account')],
    [
      '/mcp',
      '5002',
      () =>
        request(
          'POST /mcp',
          'Accept: application/json, text/event-stream',
          'Content-Type: application/json',
          `Content-Length: ${tools.length}`,
        ) + tools,
    ],
  ])('are free when they are asked for once more, and not twice (%s)', async (_, sdu, slow) => {
    expect(await read(matches(21, sdu) + slow() + matches(1, sdu), 21)).toBe(0)
    expect((await charged()) - before).toBe(21)
    expect(await read(matches(21, sdu), 21)).toBe(21)
    expect((await charged()) - before).toBe(21)
    expect(await read(matches(2, sdu), 2)).toBe(2)
    expect((await charged()) - before).toBe(23)
  })

  it('are charged once under their keys, with the repeats that arrive', async () => {
    const keyed = matches(21, '5004', (index) => [`Idempotency-Key: lost-${index}`])
    expect(await read(keyed + request('GET /api/v1/account') + matches(1, '5004'), 21)).toBe(0)
    expect(await read(keyed, 21)).toBe(21)
    expect((await charged()) - before).toBe(21)
  })
})

describe('a batch of MCP messages', () => {
  const call = (id: number, name: string, args: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } },
  })
  const headers = { Accept: 'application/json, text/event-stream' }
  const searches = Array.from({ length: 15 }, (_, index) =>
    call(5 + index, 'search_authorities', {
      ...{ query: 'rust', limit: 50, response_format: 'detailed' },
    }),
  )

  it('is charged for the messages that were read', async () => {
    const details = Array.from({ length: 5 }, (_, index) => {
      const sdus = shorts.slice(index * 10, index * 10 + 10)
      return call(index, 'get_authority_detail', { sdus, response_format: 'detailed' })
    })
    const read = await cutAt('"id":4}\n', {
      path: '/mcp',
      body: [...details, ...searches],
      headers,
    })
    for (const id of [0, 1, 2, 3, 4]) expect(read).toContain(`"id":${id}}\n`)
    const queries = (await charged()) - before
    expect(queries).toBeGreaterThanOrEqual(50)
    expect(queries).toBeLessThanOrEqual(50 + searches.length)
  })

  it.each([
    ['lines', { fields: ['name', 'bio'] }, /sdu (5\d{3}), name [^"]*?(?=\\n)/g],
    ['paragraphs', { response_format: 'detailed' }, /SDU (5\d{3}), authority.*?(?=\\n\\n)/g],
  ])(
    'is charged for the items that were read, also of a message that was cut (%s)',
    async (_, more, item) => {
      const details = Array.from({ length: 20 }, (_, index) => {
        const sdus = shorts.slice(index * 20, index * 20 + 20)
        return call(index, 'get_authority_detail', { sdus, ...more })
      })
      const read = await cutAt('sdu":"5030"', { path: '/mcp', body: details, headers })
      const whole = new Set([...read.matchAll(item)].map(([, sdu]) => sdu))
      expect(whole.size).toBeGreaterThanOrEqual(30)
      const queries = (await charged()) - before
      expect(queries).toBeGreaterThanOrEqual(whole.size)
      // The kernel may take all of it: no tool says more than 16 kB.
      expect(queries).toBeLessThanOrEqual(400)
    },
  )
})
