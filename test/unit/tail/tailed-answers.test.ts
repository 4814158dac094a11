/** A head with its tail answers as the whole snapshot does, to the byte. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import { Api } from '../../../src/api/api.ts'
import type { ApiReply, ApiRequest } from '../../../src/api/exchange.ts'
import { Waits } from '../../../src/http/waiting/waits.ts'
import { cutHead } from '../../../src/indexer/head/head.ts'
import { keyHash, newKeyText } from '../../../src/ledger/key.ts'
import { createSharedBalances, ThreadBalances } from '../../../src/ledger/live/balances.ts'
import { Keyring } from '../../../src/ledger/live/keyring.ts'
import { Reservations } from '../../../src/ledger/live/reservations.ts'
import { defaultPrices } from '../../../src/operations.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { announcedId, loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { verifySections } from '../../../src/snapshot/verify/verify.ts'
import { packBlock } from '../../../src/tail/blocks.ts'
import type { BlockKey } from '../../../src/tail/tail-store.ts'
import { type Item, newApi, sameIds } from '../../support/api-client.ts'
import { snapshotOf } from '../../support/built.ts'
import { ownerAt, recordedIn } from '../../support/ledger-fixture.ts'
import type { MemoryTail } from '../../support/memory-tail.ts'
import { Random } from '../../support/random.ts'
import { authority, social } from '../../support/records.ts'
import { askWaiting, type Split, splitOf } from '../../support/tailed.ts'

const directory = join(import.meta.dirname, '../../../snapshots')
const people = 200
let whole: Snapshot
let served: ActiveSnapshot
let split: Split

beforeAll(async () => {
  whole = loadSnapshot(pathOf(directory, announcedId(directory)!))
  served = activate(whole)
  split = await splitOf(whole, people)
})

const get = (name: string, parameters: Readonly<Record<string, string>>): ApiRequest => ({
  method: 'GET',
  path: `/api/v1/${name}`,
  query: new URLSearchParams(parameters).toString(),
})

const post = (name: string, body: object): ApiRequest => ({
  ...{ method: 'POST', path: `/api/v1/${name}`, query: '', contentType: 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
})

/** Handles of somebody, with their platforms. */
function handlesOf(ordinal: number): string[] {
  const { socials } = JSON.parse(served.catalog.profiles.textAt(ordinal))
  return Object.entries(
    socials as Record<string, { handle: string } | { handle: string }[]>,
  ).flatMap(([platform, given]) =>
    [given].flat().flatMap(({ handle }) => [handle, `${platform}:${handle.replace(/^@/, '')}`]),
  )
}

/** The look-ups that ask for some people at once. */
function questionsOf(ordinals: readonly number[]): ApiRequest[] {
  const { catalog } = served
  const sdus = ordinals.map((ordinal) => catalog.sduOf(ordinal))
  const handles = [...ordinals.flatMap(handlesOf), 'nobody-at-all'].slice(0, 40)
  const topic = catalog.labelOf(catalog.sections['authority.core-topics'][ordinals[0]!]!)
  const fields = 'bio,name,rank,authority_score,topics'
  const listed = fields.split(',')
  const few = handles.slice(0, 20).join(',')
  return [
    get('detail', { sdus: `${sdus.join(',')},404` }),
    get('detail', { sdus: sdus[0]!, explain: 'true', fields }),
    get('match', { handles: handles[0]! }),
    get('match', { handles: few }),
    get('match', { handles: few, fields, explain: 'true' }),
    get('peers', { handles: handles[0]!, limit: '50' }),
    get('peers', { handles: few, limit: '50', explain: 'true' }),
    post('detail', { sdus: [...sdus, '404', ...sdus], aligned: true, explain: true }),
    post('match', { handles, aligned: true, fields: listed }),
    post('match', { handles, explain: true }),
    post('rank', { sources: [...handles, ...sdus.map((sdu) => `sdu:${sdu}`)] }),
    post('rank', { sources: handles, topic, explain: true, aligned: true, fields: listed }),
  ]
}

/** The items of all pages of a list. */
async function peopleOf(ask: (cursor: string) => ApiReply | Promise<ApiReply>): Promise<Item[]> {
  const found: Item[] = []
  let pages = 0
  for (let cursor: string | null = '*'; cursor !== null; pages += 1) {
    if (pages > served.catalog.counts.authorities) throw new Error('the list does not end')
    const { results, ...page } = JSON.parse(text(await ask(cursor)))
    found.push(...results)
    cursor = page.next_cursor
  }
  return found
}

const text = ({ body }: { body: Uint8Array }) => Buffer.from(body).toString()

type Blocks = ReturnType<MemoryTail['blocks']>

/** Blocks whose bytes are changed. */
async function changed(
  tail: MemoryTail,
  keys: readonly BlockKey[],
  change: (bytes: Uint8Array) => Uint8Array,
): Blocks {
  return (await tail.blocks(keys)).map((bytes) => bytes && change(bytes))
}

const key = newKeyText((count) => randomBytes(count))
const credit = 1_000_000_000_000

/** Sells answers of a snapshot. */
function newShop(sold: ActiveSnapshot) {
  const keyring = new Keyring(() => 0)
  const owner = { ...ownerAt(0, key), hash: keyHash(key), expiresAtMs: Number.POSITIVE_INFINITY }
  keyring.replace({ keys: [owner] })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, credit)
  const reservations = new Reservations(keyring, balances, defaultPrices)
  const onError = (error: unknown) => {
    throw error
  }
  const api = new Api({
    ...{ served: () => sold, reservations, clock: () => 0, ids: sameIds(), onError },
  })
  return { api, recorded: () => recordedIn(balances, 0) }
}

describe('look-ups of people of the head and behind it', () => {
  it('have the same bodies, status and price as those of the whole snapshot', async () => {
    const random = new Random(34, 5)
    const [one, other] = [newShop(served), newShop(split.served)]
    const waits = new Waits(other.api, 60_000)
    let asked = 0
    for (let round = 0; round < 60; round += 1) {
      const count = 1 + random.below(12)
      const some = Array.from({ length: count }, () =>
        random.below(whole.header.counts.authorities),
      )
      for (const question of questionsOf(some)) {
        const paid = { ...question, authorization: `Bearer ${key}` }
        const expected = one.api.answer(paid)
        const { status, charge } = expected
        const expectedText = text(expected)
        one.api.written(expected)
        const answer = await askWaiting(other.api, waits, paid)
        other.api.written(answer)
        expect(text(answer), JSON.stringify(question)).toBe(expectedText)
        expect(answer.status).toBe(status)
        expect(answer.charge?.costMicroUsd).toBe(charge?.costMicroUsd)
        asked += 1
      }
    }
    expect(asked).toBe(720)
    expect(waits.count).toBe(0)
    expect(other.recorded()).toEqual(one.recorded())
  })

  it('are the first of all when peers are listed by pages: lists end with the head', async () => {
    const { catalog } = served
    const [one, other] = [served, split.served].map((each) => newApi(each, { durationMs: 0 }))
    const waits = new Waits(other!, 60_000)
    let behind = 0
    for (let ordinal = 0; ordinal < catalog.counts.authorities; ordinal += 100) {
      const [handle = ''] = handlesOf(ordinal)
      const pages = (cursor: string) => get('peers', { handle, limit: '7', cursor })
      const whole = await peopleOf((cursor) => one!.answer(pages(cursor)))
      const head = whole.filter(({ sdu }) => catalog.findSdu(sdu) < people)
      behind += whole.length - head.length
      expect(await peopleOf((cursor) => askWaiting(other!, waits, pages(cursor)))).toEqual(head)
    }
    expect(behind).toBeGreaterThan(0)
  })
})

describe('a look-up of people behind the head', () => {
  it('of a handle reads one block, of an SDU two, and of a handle of many owners another for the last', async () => {
    const platforms = ['x', 'github', 'linkedin', 'youtube', 'instagram', 'facebook', 'threads']
    const more = ['tiktok', 'medium', 'substack', 'bluesky', 'mastodon']
    const records = [...platforms, ...more].map((platform, index) =>
      authority({ sdu: String(index + 1), socials: [social(platform, 'same')] }),
    )
    const lone = authority({ sdu: '77', socials: [social('x', 'lone')] })
    const snapshot = snapshotOf({ authorities: [...records, lone] })
    const asked: number[] = []
    const counted = await splitOf(snapshot, 1, (tail) => (keys) => {
      asked.push(keys.length)
      return tail.blocks(keys)
    })
    const [one, other] = [activate(snapshot), counted.served].map((each) =>
      newApi(each, { durationMs: 0 }),
    )
    const waits = new Waits(other!, 60_000)
    const blocksOf = async (question: ApiRequest) => {
      asked.length = 0
      expect(text(await askWaiting(other!, waits, question))).toBe(text(one!.answer(question)))
      return [...asked]
    }
    expect(await blocksOf(get('match', { handles: 'lone' }))).toEqual([1])
    expect(await blocksOf(get('detail', { sdus: '77' }))).toEqual([1, 1])
    const ofMany = await blocksOf(get('match', { handles: 'same' }))
    expect(ofMany.length).toBeGreaterThan(1)
  })
})

describe('people of whom the tail has a damaged block', () => {
  const damages: readonly [string, (tail: MemoryTail, keys: readonly BlockKey[]) => Blocks][] = [
    ['that lacks its end', (tail, keys) => changed(tail, keys, (bytes) => bytes.subarray(0, -1))],
    ['of no bytes', (tail, keys) => changed(tail, keys, () => new Uint8Array())],
    [
      'with another byte',
      (tail, keys) => changed(tail, keys, (bytes) => bytes.map((byte, at) => byte ^ +(at === 40))),
    ],
    [
      'that belongs under another key',
      (tail, keys) => tail.blocks(keys.map((key) => ({ ...key, number: key.number ^ 1 }))),
    ],
    [
      'that is of another form',
      async (_, keys) =>
        keys.map((key) => packBlock({ ...key, snapshot: key.snapshot.slice(2) }, [])),
    ],
  ]

  it.each(damages)('%s are a 503, never others', async (_, blocksOf) => {
    const damaged = await splitOf(whole, people, (tail) => (keys) => blocksOf(tail, keys))
    const { api, recorded } = newShop(damaged.served)
    const waits = new Waits(api, 60_000)
    for (const ordinal of [people, people + 1, people + 100]) {
      for (const question of questionsOf([ordinal])) {
        const paid = { ...question, authorization: `Bearer ${key}` }
        expect((await askWaiting(api, waits, paid)).status, JSON.stringify(question)).toBe(503)
      }
    }
    expect(recorded()).toEqual({})
  })
})

describe('a head', () => {
  it('of any size agrees with itself', () => {
    for (const size of [1, 2, 17, 1249]) {
      const { counts, sections } = cutHead(whole, size)
      expect(verifySections(sections, counts)).toBeUndefined()
      expect(counts.authorities).toBe(size)
    }
  })

  it('answers nothing without its tail', () => {
    expect(() => activate(split.head)).toThrow(
      /first 200 of 1250 people only: serve it with --tail/,
    )
  })
})
