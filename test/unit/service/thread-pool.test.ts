/**
 * The serving threads, driven as the service drives them: they switch together, and one that dies
 * is replaced. They die of a snapshot that is no snapshot, or of a start that is no start.
 */

import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSharedLimits } from '../../../src/api/limits/rate-limit.ts'
import { readyText } from '../../../src/api/ready-file.ts'
import { keyHash, newKeyText } from '../../../src/ledger/books/key.ts'
import { createSharedBalances } from '../../../src/ledger/live/balances.ts'
import type { KeyNews } from '../../../src/ledger/live/keyring.ts'
import { createSharedPaidQuestions } from '../../../src/ledger/live/paid-questions.ts'
import { defaultPrices } from '../../../src/operations.ts'
import type { Refusal } from '../../../src/problems.ts'
import { findFreePort } from '../../../src/service/listening/listen-alone.ts'
import type { ThreadStart } from '../../../src/service/protocol.ts'
import { serviceSettings } from '../../../src/service/service-options.ts'
import type * as ThreadsModule from '../../../src/service/thread-pool.ts'
import { settingValuesOf } from '../../../src/settings.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { sectionNames, typeOf, viewOf } from '../../../src/snapshot/sections.ts'
import { createSharedMetrics } from '../../../src/telemetry/metrics.ts'
import { ownerAt } from '../../support/ledger-fixture.ts'
import { peopleNamed, targets, until, wordOf } from '../../support/operated.ts'

/** As they were built: a thread cannot be started from TypeScript on every Node.js. */
const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'thread-pool.js')
const { Threads }: typeof ThreadsModule = await import(built)

const key = newKeyText()
const owner = { hash: keyHash(key), ...ownerAt(0, 'key'), expiresAtMs: Infinity }
const keys: KeyNews = { changed: [], keys: [owner], bad: [] }
const start: Omit<ThreadStart, 'place'> = {
  site: undefined,
  explorerReach: 'off',
  balances: createSharedBalances(4),
  questions: createSharedPaidQuestions(),
  openApi: readyText('application/json', '{}'),
  cursorKey: new Uint8Array(32),
  metrics: createSharedMetrics(4),
  limits: createSharedLimits(1),
  tls: undefined,
  settings: {
    ...settingValuesOf(serviceSettings, {}, {}),
    price: { ...defaultPrices, search: 0, detail: 0, peers: 0, match: 0 },
    logLevel: 'silent',
    ...{ failedKeyLimit: 0, connectionRateLimit: 0, connectionsMax: 0, warmUpMs: 0 },
  },
  wire: { name: 'uws-pack', version: '20.0.8' },
  threads: 1,
}

/** The sections in shared memory, as the loading thread gives them. */
function shared({ header, sections }: Snapshot): Snapshot {
  const copies = sectionNames.map((name) => {
    const { byteLength, length } = sections[name]
    const type = typeOf(name, header.counts)
    const copy = viewOf(type, new Uint8Array(new SharedArrayBuffer(byteLength)), length)
    copy.set(sections[name])
    return [name, copy]
  })
  return { header, sections: Object.fromEntries(copies) }
}

const first = shared(peopleNamed('First'))
const second = shared(peopleNamed('Second'))
const words = { [first.header.id]: 'First', [second.header.id]: 'Second' }

/** Its preparation fails. */
const broken = { header: first.header, sections: {} } as Snapshot

async function newThreads(count: number) {
  const made = makeThreads(count)
  await made.threads.start()
  return made
}

/** @param seekKey is called with the hash of a key that a thread has looked up; without it, the key is found. */
function makeThreads(
  count: number,
  options: Partial<ThreadStart> = {},
  seekKey?: (hash: string) => void,
) {
  const lines: string[] = []
  const fatal: Refusal[] = []
  let nowMs = 0
  const threads: ThreadsModule.Threads = new Threads(
    count,
    { ...start, ...options },
    {
      report: (line) => lines.push(line),
      onFatal: (refusal) => fatal.push(refusal),
      clock: () => nowMs,
      keys: () => ({ changed: [], keys: [], bad: [] }),
      handlers: {
        readOwner: () => undefined,
        seekKey: (hash) => (seekKey === undefined ? threads.takeKeys(keys) : seekKey(hash)),
        exchangeCode: () => undefined,
        connectControl: () => {
          throw new Error('no control thread')
        },
      },
    },
  )
  onTestFinished(() => threads.close())
  const passMs = (milliseconds: number) => {
    nowMs += milliseconds
  }
  return { threads, lines, fatal, passMs }
}

async function listenOn(threads: ThreadsModule.Threads): Promise<number> {
  const port = await findFreePort('127.0.0.1', 0)
  await threads.listen('127.0.0.1', port)
  return port
}

/** Asks on a connection of its own; answers the snapshot that answered, wholly. */
async function askOnce(port: number, target: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, connection: 'close' }
  const response = await fetch(`http://127.0.0.1:${port}${target}`, { headers })
  const id = response.headers.get('x-snapshot-id') ?? ''
  expect([response.status, wordOf(await response.text())]).toEqual([200, words[id]])
  return id
}

async function answering(port: number): Promise<string[]> {
  const asked = Array.from({ length: 40 }, (_, index) =>
    askOnce(port, targets[index % targets.length]!),
  )
  return [...new Set(await Promise.all(asked))]
}

describe('serving threads', () => {
  it('listen on one port, switch together and give the snapshot before back', async () => {
    const { threads } = await newThreads(3)
    expect(await threads.serve(first)).toBeUndefined()
    const port = await listenOn(threads)
    expect(await answering(port)).toEqual([first.header.id])
    for (const [next, before] of [
      [second, first],
      [first, second],
    ] as const) {
      expect(await threads.serve(next)).toBe(before)
      expect(await answering(port)).toEqual([next.header.id])
    }
  })
})

describe('requests with a key that a thread does not know', () => {
  const target = targets[0]!
  const headers = { authorization: `Bearer ${key}` }

  it('wait for one look-up, also with a body, and are answered; the next do not wait', async () => {
    const sought: string[] = []
    const { threads } = makeThreads(1, {}, (hash) => void sought.push(hash))
    await threads.start()
    await threads.serve(first)
    const address = `http://127.0.0.1:${await listenOn(threads)}`
    const posted = { headers, method: 'POST', body: '{"handles":["nobody"]}' }
    const asked = [
      ...Array.from({ length: 5 }, () => fetch(`${address}${target}`, { headers })),
      fetch(`${address}/api/v1/match`, posted),
    ]
    const statuses = asked.map(async (response) => (await response).status)
    const first200 = Promise.race(statuses)
    await until(() => sought.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(await Promise.race([first200, 'none'])).toBe('none')
    threads.takeKeys(keys)
    expect((await Promise.all(statuses)).slice(0, 5)).toEqual(Array(5).fill(200))
    expect((await Promise.all(statuses)).slice(5)).not.toContain(503)
    expect((await fetch(`${address}${target}`, { headers })).status).toBe(200)
    expect(sought).toEqual([owner.hash])
    threads.takeKeys({ changed: [owner.hash], keys: [], bad: [] })
    const again = fetch(`${address}${target}`, { headers })
    await until(() => sought.length > 1)
    threads.takeKeys({ changed: [], keys: [], bad: [owner.hash] })
    expect((await again).status).toBe(401)
  })

  it('are answered 503 after two seconds without an answer', async () => {
    const { threads } = makeThreads(1, {}, () => {})
    await threads.start()
    await threads.serve(first)
    const response = await fetch(`http://127.0.0.1:${await listenOn(threads)}${target}`, {
      headers,
    })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
  })
})

describe('serving threads that die', () => {
  it('of a new snapshot are replaced by threads that serve the one before', async () => {
    const { threads, lines, fatal } = await newThreads(2)
    await threads.serve(first)
    const port = await listenOn(threads)
    await expect(threads.serve(broken)).rejects.toThrow()
    await until(() => threads.deaths === 2)
    expect(lines).toEqual(Array(2).fill(expect.stringContaining('died and is replaced')))
    // The next order waits for its turn: until the new threads are there, and serve.
    expect(await threads.serve(second)).toBe(first)
    await until(() => answersOn(port))
    expect(await answering(port)).toEqual([second.header.id])
    expect(fatal).toEqual([])
  })

  it('more than five times within a minute are not replaced any more, and can be closed', async () => {
    const { threads, lines, fatal } = await newThreads(1)
    await threads.serve(first)
    for (let deaths = 1; deaths <= 6; deaths += 1) {
      await expect(threads.serve(broken)).rejects.toThrow()
      await until(() => threads.deaths === deaths)
      expect(fatal.length).toBe(deaths > 5 ? 1 : 0)
    }
    expect(fatal[0]).toMatchObject({ code: 'threads-dying' })
    expect(fatal[0]?.message).toBe('more than 5 serving threads died within 60 s')
    expect(lines.length).toBe(6)
    await expect(threads.serve(second)).rejects.toThrow()
    await threads.close()
  })

  it('now and then are replaced for ever', async () => {
    const { threads, fatal, passMs } = await newThreads(1)
    await threads.serve(first)
    for (let deaths = 1; deaths <= 8; deaths += 1) {
      await expect(threads.serve(broken)).rejects.toThrow()
      await until(() => threads.deaths === deaths)
      passMs(15_000)
    }
    expect(fatal).toEqual([])
  })

  it('as soon as they start are not replaced, and the refusal says why they died', async () => {
    const { threads, lines, fatal } = makeThreads(2, { balances: undefined as never })
    await expect(threads.start()).rejects.toMatchObject({
      code: 'threads-not-started',
      message: expect.stringMatching(/^a serving thread cannot start: .*undefined[^\n]*$/),
    })
    await threads.close()
    expect([threads.deaths, lines, fatal]).toEqual([0, [], []])
  })
})

function answersOn(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  )
}
