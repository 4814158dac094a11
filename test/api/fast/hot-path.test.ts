/** The hot path against the API: where it answers, it answers the same. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Api } from '../../../src/api/api.ts'
import { writeUsd } from '../../../src/api/fast/head.ts'
import { HotRoute } from '../../../src/api/fast/hot-path.ts'
import { RequestIds } from '../../../src/api/request-ids.ts'
import { routeOf, routes } from '../../../src/api/routes.ts'
import { keyHash, newKeyText } from '../../../src/ledger/key.ts'
import { Balances, createSharedBalances } from '../../../src/ledger/live/balances.ts'
import { Keyring } from '../../../src/ledger/live/keyring.ts'
import { Reservations } from '../../../src/ledger/live/reservations.ts'
import { formatUsd } from '../../../src/money.ts'
import { servedOf } from '../../built.ts'
import { handlePool, labelPool, sduPool, smallSources } from '../../records.ts'

const key = newKeyText((count) => randomBytes(count))
const authorization = `Bearer ${key}`
const prices = { search: 1_000, detail: 2_500, peers: 70_001, match: 1_000_000 }

/** A hot path and an API over one snapshot, each with a till and the same money in it. */
function both(served: ReturnType<typeof servedOf>, balanceMicroUsd: number) {
  const context = () => {
    const keyring = new Keyring(() => 0)
    const owner = { accountSlot: 0, keyId: 'key_1' }
    const keys = [{ ...owner, hash: keyHash(key), expiresAtMs: Number.POSITIVE_INFINITY }]
    keyring.replace({ version: 1, keys })
    const balances = new Balances(createSharedBalances())
    balances.credit(0, balanceMicroUsd)
    const till = new Reservations(keyring, balances, prices)
    const onError = (error: unknown) => {
      throw error
    }
    const ids = new RequestIds((block) => block.fill(0xff))
    return {
      balances,
      context: {
        served: () => served,
        till,
        clock: () => 0,
        ids,
        requestId: () => ids.nextText(),
        onError,
      },
    }
  }
  const hot = context()
  const general = context()
  return {
    hotRoutes: new Map(routes.map((route) => [route, new HotRoute(route, hot.context)])),
    hotBalances: hot.balances,
    api: new Api(general.context),
    balances: general.balances,
  }
}

const value = fc.oneof(
  fc.constantFrom(...sduPool, ...handlePool, ...labelPool, 'nobody', '404'),
  fc.constantFrom('@ada', 'x:ada', 'a,b', '', '%41da', 'Ada+Lovelace', 'ada-l_o.v', '١٢'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
)
const name = fc.constantFrom('sdus', 'sdu', 'handles', 'handle', 'query', 'limit', 'other')
const query = fc
  .array(fc.tuple(name, value), { minLength: 1, maxLength: 2 })
  .map((pairs) => pairs.map(([left, right]) => `${left}=${right}`).join('&'))
const usual = fc.oneof(
  fc
    .array(fc.constantFrom(...sduPool), { minLength: 1, maxLength: 20 })
    .map((sdus) => `sdus=${sdus}`),
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...handlePool),
        fc.constantFrom('nobody', 'noone', '@ada', 'ADA', '@@ada', 'x:ada', '', ' ada'),
      ),
      { minLength: 1, maxLength: 20 },
    )
    .map((handles) => `handles=${handles.join(',')}`),
  fc.constantFrom(...labelPool).map((label) => `query=${encodeURIComponent(label)}`),
)
const limited = fc
  .tuple(fc.constantFrom('handle', 'handles'), fc.array(fc.constantFrom(...handlePool)), fc.nat(70))
  .map(([left, right, limit]) => `${left}=${right.join(',')}&limit=${limit}`)

describe('the hot path', () => {
  it('answers what the API answers, byte for byte, and charges what it charges', () => {
    const request = fc.tuple(fc.constantFrom(...routes), fc.oneof(query, limited, usual))
    let answered = 0
    fc.assert(
      fc.property(smallSources, fc.array(request, { maxLength: 40 }), (records, requests) => {
        fc.pre(records.authorities.some(({ verified }) => verified))
        const { hotRoutes, hotBalances, api, balances } = both(servedOf(records), 1e12)
        for (const [route, text] of requests) {
          const expected = api.answer({
            method: 'GET',
            path: route.path,
            query: text,
            authorization,
          })
          const hotPath = hotRoutes.get(route)!
          if (!hotPath.answer(text, authorization)) {
            if (expected.charge !== undefined) hotBalances.take(0, expected.charge.costMicroUsd)
            continue
          }
          answered += 1
          hotPath.written()
          api.written(expected)
          expect(expected.status).toBe(200)
          expect(Buffer.from(hotPath.body).toString()).toBe(Buffer.from(expected.body).toString())
          const [first, ...others] = expected.headers
          const lines = others.map(([header, line]) => `\r\n${header}: ${line}`).join('')
          expect(Buffer.from(hotPath.head).toString('latin1')).toBe(`${first![1]}${lines}`)
          expect(hotBalances.balanceMicroUsd(0)).toBe(balances.balanceMicroUsd(0))
        }
      }),
      { numRuns: 60 },
    )
    expect(answered).toBeGreaterThan(20)
  })

  it('leaves to the API whoever has no valid key, or too little money, and takes nothing', () => {
    const { hotRoutes, hotBalances } = both(servedOf({ authorities: [] }), 2_499)
    const detail = hotRoutes.get(routeOf('/api/v1/detail')!)!
    expect(detail.answer('sdu=1', 'Bearer aik_no')).toBe(false)
    expect(detail.answer('sdu=1', authorization)).toBe(false)
    expect(hotBalances.balanceMicroUsd(0)).toBe(2_499)
  })

  it('charges an answer only once it is written', () => {
    const { hotRoutes, hotBalances } = both(servedOf({ authorities: [] }), 10_000)
    const detail = hotRoutes.get(routeOf('/api/v1/detail')!)!
    expect(detail.answer('sdu=1', authorization)).toBe(true)
    expect(hotBalances.queriesRecorded(0, 'detail')).toBe(0)
    detail.written()
    detail.written()
    expect(hotBalances.queriesRecorded(0, 'detail')).toBe(1)
  })
})

describe('an amount in a header', () => {
  it('is written as it is formatted everywhere else', () => {
    const bytes = Buffer.alloc(40)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (amountMicroUsd) => {
        const end = writeUsd(bytes, 3, amountMicroUsd)
        expect(bytes.toString('latin1', 3, end)).toBe(formatUsd(amountMicroUsd))
      }),
    )
  })
})
