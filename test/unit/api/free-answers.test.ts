/** Answers that are free although their routes have prices: they have the rate of lookups where no limit counts requests. */
import { describe, expect, it } from 'vitest'
import type { Api } from '../../../src/api/api.ts'
import { createSharedLimits, RateLimit } from '../../../src/api/limits/rate-limit.ts'
import { defaultPrices } from '../../../src/operations.ts'
import { ask } from '../../support/api-client.ts'
import { apiShop } from '../../support/api-shop.ts'
import { servedOf } from '../../support/built.ts'
import { authority, social } from '../../support/records.ts'

const perSecond = 3
const served = servedOf({
  authorities: [authority({ sdu: '1', socials: [social('github', 'ann')] })],
})

function shop(prices = defaultPrices, hasRateLimit = false) {
  const limits = createSharedLimits(1)
  const rates = { rateLimit: perSecond, rateBurst: 0 }
  const more = {
    lookupLimit: new RateLimit(limits, rates, 'lookup'),
    ...(hasRateLimit && { rateLimit: new RateLimit(limits, { ...rates, rateLimit: 100 }) }),
  }
  return apiShop({ served: () => served, balances: [1_000_000, 1_000_000], prices, more })
}

const match = '/api/v1/match?handles=ann'
const post = (value: object) => ({
  method: 'POST',
  body: Buffer.from(JSON.stringify(value)),
  contentType: 'application/json',
})
const ofNothing = post({ sources: ['', 1, null], lenient: true })

describe('a free answer of a route with a price', () => {
  const kinds: [string, (authorization: string, api: Api) => () => number][] = [
    [
      'a 304',
      (authorization, api) => {
        const ifNoneMatch = ask(api, match, { authorization }).headers.etag!
        return () => ask(api, match, { authorization, ifNoneMatch }).status
      },
    ],
    [
      'a rank of nothing that is a source',
      (authorization, api) => () =>
        ask(api, '/api/v1/rank', { ...ofNothing, authorization }).status,
    ],
  ]

  it.each(kinds)('%s is refused beyond the rate of lookups, of its account alone', (_, asking) => {
    const { api, clock, authorizations } = shop()
    const [one, other] = authorizations.map((each) => asking(each, api))
    const first = Array.from({ length: perSecond + 2 }, () => one!())
    expect(new Set(first.slice(0, perSecond)).size).toBe(1)
    expect(first[0]).toBeLessThan(400)
    expect(first.slice(perSecond)).toEqual([429, 429])
    expect(other!()).toBe(first[0])
    clock.nowMs = 1_000
    expect(one!()).toBe(first[0])
  })

  it('is one of the lookups: each counts for the other, and answers that are paid for none', () => {
    const { api, balances, authorizations } = shop()
    const [authorization = ''] = authorizations
    const get = (target: string, more = {}) => ask(api, target, { authorization, ...more })
    for (let count = 0; count < 10; count += 1) expect(get(match).status).toBe(200)
    const ifNoneMatch = get(match).headers.etag!
    expect(get('/api/v1/topics?query=').status).toBe(200)
    expect(get(match, { ifNoneMatch }).status).toBe(304)
    expect(get('/api/v1/rank', ofNothing).status).toBe(200)
    const leftMicroUsd = balances.balanceMicroUsd(0)
    const { status, headers } = get(match, { ifNoneMatch })
    expect([status, headers['retry-after']]).toEqual([429, '1'])
    expect(headers['ratelimit-policy']).toContain('"lookup"')
    expect(get('/api/v1/topics?query=').status).toBe(429)
    expect(get('/api/v1/rank', ofNothing).status).toBe(429)
    expect(balances.balanceMicroUsd(0)).toBe(leftMicroUsd)
    expect(get(match).status).toBe(200)
  })

  it('has no rate of its own where requests have one, nor where nothing has a price', () => {
    const nothing = { ...defaultPrices, match: 0, rank: 0 }
    for (const { api, authorizations } of [shop(defaultPrices, true), shop(nothing)]) {
      const [authorization = ''] = authorizations
      const ifNoneMatch = ask(api, match, { authorization }).headers.etag!
      for (let count = 0; count < 2 * perSecond; count += 1) {
        expect(ask(api, match, { authorization, ifNoneMatch }).status).toBe(304)
        expect(ask(api, '/api/v1/rank', { ...ofNothing, authorization }).status).toBe(200)
      }
    }
  })
})
