/** Texts that stay in the file of the snapshot: that no client can tell, and what it gets when they cannot be read. */
import { type read, read as readFile } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import { Api } from '../../../src/api/api.ts'
import type { ApiReply, ApiRequest } from '../../../src/api/exchange.ts'
import { Wait } from '../../../src/api/waiting/wait.ts'
import { nameOf } from '../../../src/engine/person-names.ts'
import { askedAgain, Waits } from '../../../src/http/waiting/waits.ts'
import { limits } from '../../../src/limits.ts'
import { announcedId, loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { TextCache, type TextCacheOptions } from '../../../src/snapshot/texts/text-cache.ts'
import { newApi, sameIds } from '../../support/api-client.ts'
import { storedSnapshot } from '../../support/stored-texts.ts'

const directory = join(import.meta.dirname, '../../../snapshots')
const path = pathOf(directory, announcedId(directory)!)
let whole: ActiveSnapshot

beforeAll(() => {
  whole = activate(loadSnapshot(path))
})

/** A cache of a few blocks, as serving threads have it. */
function waitingCache(options: Partial<TextCacheOptions> = {}): TextCache {
  const cache = new TextCache({ bytesMax: 0, ...options })
  cache.readsAtOnce = false
  return cache
}

const get = (name: string, parameters: Readonly<Record<string, string>>): ApiRequest => ({
  method: 'GET',
  path: `/api/v1/${name}`,
  query: new URLSearchParams(parameters).toString(),
})

const post = (name: string, body: object): ApiRequest => ({
  ...{ method: 'POST', path: `/api/v1/${name}`, query: '', contentType: 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})

/** What people ask of somebody, by every operation that writes texts. */
function questionsOf({ catalog }: ActiveSnapshot, ordinal: number): ApiRequest[] {
  const name = nameOf(catalog, ordinal)
  const sdu = catalog.sduOf(ordinal)
  const topic = catalog.labelOf(catalog.sections['authority.core-topics'][ordinal]!)
  const words = name.toLowerCase().split(' ')
  const last = words.at(-1)!
  const near = Array.from({ length: 40 }, (_, index) =>
    catalog.sduOf((ordinal + index * 31) % catalog.counts.authorities),
  )
  const { socials, website } = JSON.parse(catalog.profiles.textAt(ordinal))
  const handle = Object.values(socials as Record<string, string[]>).flat()[0] ?? last
  return [
    ...[name, last, `${words[0]![0]}. ${last}`, `Dr. ${last}`, `president ${last}`, topic].map(
      (query) => get('index', { query, limit: '50' }),
    ),
    ...[`${last} ${topic}`, `x${last}`, website ?? 'example.org'].map((query) =>
      get('index', { query }),
    ),
    get('index', { query: topic, explain: 'true', fields: 'bio,name,socials' }),
    get('index', { query: topic, cursor: '*', facets: 'country', score_min: '5' }),
    get('detail', { sdus: near.join(',') }),
    get('detail', { sdus: sdu, explain: 'true' }),
    get('detail', { sdus: near.join(','), fields: 'website,name,rank' }),
    get('match', { handles: `${handle},${last}` }),
    get('match', { handles: handle, fields: 'bio' }),
    get('peers', { handles: handle, limit: '50', explain: 'true' }),
    get('autocomplete', { query: name.slice(0, 4) }),
    get('history', { sdus: sdu }),
    post('detail', { sdus: [...near, 'none', sdu], aligned: true, explain: true }),
    post('match', { handles: [handle, last, 'nobody'], fields: ['topics', 'sdu'] }),
    post('rank', { sources: [handle, last, `sdu:${sdu}`], topic }),
  ]
}

interface Told {
  readonly status: number
  readonly text: string
}

function told({ status, body, head }: ApiReply): Told {
  return { status, text: `${Buffer.from(head ?? []).toString()}\n${Buffer.from(body)}` }
}

/** No test waits for the clock. */
const aMinute = 60_000

/** How often a request had to wait. */
const waited = { count: 0 }

/** Asks as a server does. */
function later(api: ReturnType<typeof newApi>, waits: Waits, request: ApiRequest) {
  const reply = api.tryAnswer(request)
  if (!(reply instanceof Wait)) return Promise.resolve(told(reply))
  waited.count += 1
  return new Promise<Told>((resolve) => {
    const take = (given: ApiReply) => resolve(told(given))
    waits.answer({ wait: reply, address: '127.0.0.1', again: askedAgain(api, request), take })
  })
}

const asked = () => Array.from({ length: 6 }, (_, index) => questionsOf(whole, index * 208)).flat()

it.each([0, 100, 5_000])(
  'answers every operation with the same bytes with the texts of %i people in memory',
  async (first) => {
    const cache = waitingCache()
    const served = storedSnapshot(path, first, cache)
    const [plain, stored] = [newApi(whole, { durationMs: 0 }), newApi(served, { durationMs: 0 })]
    const waits = new Waits(stored, aMinute)
    waited.count = 0
    for (const request of asked()) {
      const expected = told(plain.answer(request))
      expect(await later(stored, waits, request), request.query).toEqual(expected)
      // The same at once, as the library asks.
      cache.readsAtOnce = true
      expect(told(stored.answer(request)), request.query).toEqual(expected)
      cache.readsAtOnce = false
    }
    if (first < whole.catalog.counts.authorities) expect(waited.count).toBeGreaterThan(30)
    else expect(waited.count).toBe(0)
  },
)

it('answers many at once with the bytes of each, and one that swaps meanwhile from the new snapshot', async () => {
  const cache = waitingCache()
  const served = { now: storedSnapshot(path, 0, cache) }
  const next = storedSnapshot(path, 7, cache)
  const plain = newApi(whole, { durationMs: 0 })
  const onError = (error: unknown) => {
    throw error
  }
  const stored = new Api({ served: () => served.now, clock: () => 0, ids: sameIds(), onError })
  const waits = new Waits(stored, aMinute)
  const requests = asked().slice(0, 60)
  const answers = requests.map((request) => later(stored, waits, request))
  served.now = next
  await cache.keepOnly(next.texts)
  for (const [index, request] of requests.entries()) {
    expect(await answers[index]).toEqual(told(plain.answer(request)))
  }
})

/** The disk of a test: reads wait until they are let go, and fail while it is broken. */
function heldDisk() {
  const waiting: (() => void)[] = []
  const disk = {
    isBroken: false,
    waiting,
    read: ((...given: Parameters<typeof readFile>) => {
      waiting.push(() => {
        const done = given.at(-1) as unknown as (error: Error) => void
        if (disk.isBroken) done(new Error('EIO: i/o error, read'))
        else readFile(...given)
      })
    }) as typeof read,
  }
  return disk
}

const detail = () => get('detail', { sdus: whole.catalog.sduOf(900) })

it('answers 503 with Retry-After while the disk fails, and the texts when it works again', async () => {
  const disk = heldDisk()
  const errors: string[] = []
  const onEvent = (event: string) => void errors.push(event)
  const api = newApi(storedSnapshot(path, 0, waitingCache({ read: disk.read, onEvent })))
  const waits = new Waits(api, aMinute)
  disk.isBroken = true
  const wait = api.tryAnswer(detail()) as Wait
  const reply = await new Promise<ApiReply>((resolve) => {
    waits.answer({ wait, address: '::1', again: askedAgain(api, detail()), take: resolve })
    disk.waiting.shift()!()
  })
  expect(reply.status).toBe(503)
  expect(reply.headers).toContainEqual(['Retry-After', '1'])
  expect(Buffer.from(reply.body).toString()).toContain('texts-unavailable')
  expect(errors).toContain('textErrors')
  disk.isBroken = false
  const again = later(api, waits, detail())
  disk.waiting.shift()!()
  expect((await again).status).toBe(200)
})

it('answers others while a read hangs, and refuses more than its share of an address', async () => {
  const disk = heldDisk()
  const api = newApi(storedSnapshot(path, 100, waitingCache({ read: disk.read })))
  const waits = new Waits(api, aMinute)
  const replies: number[] = []
  const cancels = Array.from({ length: limits.waitsMax / 8 + 1 }, () =>
    waits.answer({
      ...{ wait: api.tryAnswer(detail()) as Wait, address: '10.0.0.1' },
      again: askedAgain(api, detail()),
      take: ({ status }) => replies.push(status),
    }),
  )
  expect(replies).toEqual([503])
  expect(disk.waiting).toHaveLength(1)
  const known = get('detail', { sdus: whole.catalog.sduOf(5) })
  expect((api.tryAnswer(known) as ApiReply).status).toBe(200)
  for (const cancel of cancels) cancel()
  disk.waiting.shift()!()
  await nextTurn()
  // A client that went away is not answered.
  expect(replies).toEqual([503])
  const after = later(api, waits, detail())
  while (disk.waiting.length > 0) disk.waiting.shift()!()
  expect((await after).status).toBe(200)
})
