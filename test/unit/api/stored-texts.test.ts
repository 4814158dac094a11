/** Texts that stay in the file of the snapshot: that no client can tell, and what it gets when they cannot be read. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../src/api/active-snapshot.ts'
import type { ApiReply, ApiRequest } from '../../../src/api/exchange.ts'
import { createSharedLimits, RateLimit } from '../../../src/api/limits/rate-limit.ts'
import { questionsOf } from '../../../src/api/warm-up.ts'
import { limits } from '../../../src/limits.ts'
import { loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { announcedId } from '../../../src/snapshot/store/states.ts'
import { newApi, read } from '../../support/api-client.ts'
import { apiShop } from '../../support/api-shop.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { prices } from '../../support/ledger-fixture.ts'
import { storedSnapshot } from '../../support/stored-texts.ts'

const directory = join(import.meta.dirname, '../../../snapshots')
const path = pathOf(directory, announcedId(directory)!)
let whole: ActiveSnapshot

beforeAll(() => {
  whole = activate(loadSnapshot(path))
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

/** What is asked about somebody, by every operation that writes texts. */
function asksOf(served: ActiveSnapshot, ordinal: number): readonly ApiRequest[] {
  const { catalog } = served
  const sdu = catalog.sduOf(ordinal)
  const near = Array.from({ length: 40 }, (_, index) =>
    catalog.sduOf((ordinal + index * 31) % catalog.counts.authorities),
  )
  const { socials, website } = JSON.parse(catalog.profiles.textAt(ordinal))
  const [{ handle = 'nobody' } = {}] = Object.values<{ handle?: string }>(socials)
  return [
    ...questionsOf(served, ordinal),
    get('index', { query: website ?? 'example.org' }),
    get('detail', { sdus: near.join(',') }),
    get('detail', { sdus: sdu, explain: 'true' }),
    get('detail', { sdus: near.join(','), fields: 'website,name,rank' }),
    get('match', { handles: handle, fields: 'bio' }),
    get('peers', { handles: handle, limit: '50', explain: 'true' }),
    get('history', { sdus: sdu }),
    post('detail', { sdus: [...near, '404', sdu], aligned: true, explain: true }),
    post('match', { handles: [handle, 'nobody'], fields: ['topics', 'sdu'] }),
  ]
}

interface Told {
  readonly status: number
  readonly text: string
}

function told({ status, body, head }: ApiReply): Told {
  return { status, text: `${Buffer.from(head ?? []).toString()}\n${Buffer.from(body)}` }
}

const asked = () => Array.from({ length: 6 }, (_, index) => asksOf(whole, index * 208)).flat()

it('answers every operation with the bytes that it answers with texts in memory', () => {
  const [plain, stored] = [whole, storedSnapshot(path)].map((served) =>
    newApi(served, { durationMs: 0 }),
  )
  for (const request of asked()) {
    expect(told(stored!.answer(request)), request.query).toEqual(told(plain!.answer(request)))
  }
})

const detail = (...ordinals: readonly number[]) =>
  post('detail', { sdus: ordinals.map((ordinal) => whole.catalog.sduOf(ordinal)) })

function shopOf(balanceMicroUsd: number) {
  const own = join(temporaryDirectory(), 'snapshot.msgpack')
  copyFileSync(path, own)
  const served = storedSnapshot(own)
  const refusals: string[] = []
  const limit = { rateLimit: 1_000, rateBurst: 1_000, failedKeyLimit: 0 }
  const more = {
    rateLimit: new RateLimit(createSharedLimits(1), limit),
    onRefusal: (refusal: string) => void refusals.push(refusal),
  }
  const shop = apiShop({ served: () => served, balances: [balanceMicroUsd], prices, more })
  const [authorization = ''] = shop.authorizations
  const ask = (request: ApiRequest) => {
    const reply = shop.api.answer({ ...request, authorization })
    shop.api.written(reply)
    return read(reply)
  }
  return { own, ask, refusals, balance: () => shop.balances.balanceMicroUsd(0) }
}

function damage(file: string, ordinal: number): void {
  const { past, catalog } = whole
  const { offset } = past.header.sections.find(({ name }) => name === 'profile.json')!
  const bytes = readFileSync(file)
  bytes[offset + catalog.sections['profile.starts'][ordinal + 1]! - 3]! ^= 1
  writeFileSync(file, bytes)
}

it('refuses what a damaged block belongs to, charges nothing, and answers the rest, and all once it is mended', () => {
  const { own, ask, refusals, balance } = shopOf(1_000_000)
  damage(own, 900)
  for (const request of [detail(900), detail(1, 500, 900, 901)]) {
    const { status, headers, json } = ask(request)
    expect([status, headers['retry-after'], json]).toMatchObject([503, '1', { results: [] }])
    expect(json.type).toBe('urn:authority-index:problem:texts-unavailable')
    expect(headers).toHaveProperty('ratelimit')
  }
  expect([balance(), refusals]).toEqual([1_000_000, ['text_errors_total', 'text_errors_total']])
  expect(ask(detail(1, 500)).status).toBe(200)
  damage(own, 900)
  expect(ask(detail(900)).status).toBe(200)
  expect(balance()).toBe(1_000_000 - 3 * prices.detail)
})

it('reads nothing for a request that cannot be paid', () => {
  const { own, ask, refusals, balance } = shopOf(prices.detail)
  writeFileSync(own, '')
  expect(ask(detail(900, 901)).status).toBe(402)
  expect([balance(), refusals]).toEqual([prices.detail, ['insufficient_balance_total']])
})

it('charges a question under a key once and takes its repeats; beyond them it reads nothing', () => {
  const { own, ask, refusals, balance } = shopOf(1_000_000)
  const asked = { ...detail(900, 901), idempotencyKey: () => 'k' }
  for (let time = 0; time <= limits.idempotencyRepeatsMax; time += 1) {
    expect(ask(asked).status).toBe(200)
  }
  writeFileSync(own, '')
  expect(ask(asked).status).toBe(429)
  expect([balance(), refusals]).toEqual([1_000_000 - 2 * prices.detail, ['rate_limited_total']])
})
