/** Limits without a socket: token buckets, addresses, and the CORS headers of web pages. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addressLimitsOf,
  type BucketRate,
  Buckets,
  createSharedLimits,
  RateLimit,
  resetSeconds,
} from '../../../../src/api/limits/rate-limit.ts'
import { ClientAddresses } from '../../../../src/http/client-address.ts'
import { routesCors } from '../../../../src/http/cors.ts'
import { accountsMax, termsMax } from '../../../../src/ledger/books/port.ts'
import { limitedNetwork } from '../../../../src/text/network.ts'
import { startTogether } from '../../../support/racing.ts'
import { tableAt } from '../../../support/table-sections.ts'
import type { BucketRace } from './bucket-racer.ts'

const rowsOf = tableAt(new URL('client-addresses.tsv', import.meta.url))

const second = 1_000_000_000

describe('a bucket', () => {
  const shared = createSharedLimits(1)

  it('never gives more than its tokens and what has come since, and gives that much', () => {
    let slot = 0
    const gaps = fc.array(fc.integer({ min: 0, max: 3 * second }), { maxLength: 60 })
    const depth = fc.integer({ min: 1, max: 5 })
    fc.assert(
      fc.property(gaps, depth, (waits, tokensMax) => {
        let now = 12_345
        slot += 1
        const buckets = new Buckets(shared, 'account', { intervalNs: second, tokensMax })
        // The plain way: a number of tokens in nanoseconds of filling, topped up as time passes.
        let filledNs = second * tokensMax
        for (const wait of waits) {
          now += wait
          filledNs = Math.min(filledNs + wait, second * tokensMax)
          const has = filledNs >= second
          const taken = buckets.take(slot, now)
          expect(taken >= 0).toBe(has)
          if (has) {
            filledNs -= second
            expect(buckets.tokensLeft(taken)).toBe(Math.floor(filledNs / second))
          } else {
            expect(taken).toBe(filledNs - second)
          }
        }
      }),
    )
  })

  it('is apart from those of other kinds in the same memory', () => {
    const kinds = (['lookup', 'key', 'address'] as const).map(
      (kind) => new Buckets(shared, kind, { intervalNs: 1, tokensMax: 6 }),
    )
    const lasts = [accountsMax, termsMax, 1 << 16].map((count) => count - 1)
    const places = kinds.flatMap((buckets, kind) =>
      [0, lasts[kind]!].map((slot) => ({ buckets, slot })),
    )
    for (const [index, { buckets, slot }] of places.entries()) buckets.take(slot, 0, index + 1)
    expect(places.map(({ buckets, slot }) => buckets.take(slot, 0, 0))).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('gives each of its tokens once to threads that race for them', async () => {
    const [tokensMax, attempts] = [30_000, 20_000]
    const taken = await race({ intervalNs: second, tokensMax }, attempts, 3)
    expect(taken.reduce((sum, count) => sum + count)).toBe(tokensMax)
  })
})

const racerModule = new URL('./bucket-racer.ts', import.meta.url)

function race(filling: BucketRate, attempts: number, threads: number): Promise<number[]> {
  const shared = createSharedLimits(1)
  const task: Omit<BucketRace, 'signal'> = { shared, filling, nowNs: 12_345, attempts }
  return startTogether<number>(racerModule, Array(threads).fill(task))
}

describe('the limit of an account', () => {
  const settings = { rateLimit: 10, rateBurst: 25, failedKeyLimit: 0 }
  const nowMs = 5

  it('tells its quota, what is left, and when all is there again', () => {
    const limit = new RateLimit(createSharedLimits(1), settings)
    expect(limit.policy).toBe('"account";q=25;w=3')
    expect(Object.fromEntries(limit.headers(limit.take(7, nowMs)))).toEqual({
      'RateLimit-Policy': '"account";q=25;w=3',
      RateLimit: '"account";r=24;t=1',
    })
    for (let count = 0; count < 24; count += 1) limit.take(7, nowMs)
    const taken = limit.take(7, nowMs)
    expect(taken).toBeLessThan(0)
    expect(Object.fromEntries(limit.headers(taken)).RateLimit).toBe('"account";r=0;t=1')
    expect(resetSeconds(taken)).toBe(1)
    expect(limit.take(8, nowMs)).toBeGreaterThan(0)
  })

  it('is a second of requests at once where nothing else is said', () => {
    const plain = { ...settings, rateBurst: 0 }
    expect(new RateLimit(createSharedLimits(1), plain).policy).toBe('"account";q=10;w=1')
  })
})

describe('the limit of an address', () => {
  it('is per minute, and of each address', () => {
    let now = 0
    const settings = { failedKeyLimit: 2, connectionRateLimit: 0 }
    const limit = addressLimitsOf(createSharedLimits(99), settings, () => now).failedKeys!
    const isLet = (address: string) => limit(address) >= 0
    expect(['10.0.0.1', '10.0.0.1', '10.0.0.1', '10.0.0.2'].map(isLet)).toEqual([
      true,
      true,
      false,
      true,
    ])
    now += 30 * second
    expect(['10.0.0.1', '10.0.0.1'].map(isLet)).toEqual([true, false])
  })

  it('is of a network of 64 bits where the address is IPv6', () => {
    expect(limitedNetwork('2001:db8::1')).toBe('2001:0db8:0000:0000')
    expect(limitedNetwork('2001:db8:0:0:ffff::9')).toBe('2001:0db8:0000:0000')
    expect(limitedNetwork('::1')).toBe('0000:0000:0000:0000')
    expect(limitedNetwork('10.1.2.3')).toBe('10.1.2.3')
  })
})

describe('the address of a client', () => {
  const remote = Uint8Array.of(10, 0, 0, 1).buffer
  const addresses = new ClientAddresses(['10.0.0.0/8', '192.168.1.1', 'fd00::/8'])

  it.each(rowsOf('what proxies say of a client'))(
    'behind proxies that say %j is %s',
    (forwardedFor, client) => {
      expect(addresses.of(remote, forwardedFor)).toBe(client)
    },
  )

  it('is the other end where that is no trusted proxy, whatever it says', () => {
    expect(addresses.of(Uint8Array.of(9, 9, 9, 9).buffer, '203.0.113.9')).toBe('9.9.9.9')
    expect(new ClientAddresses([]).of(remote, '203.0.113.9')).toBe('10.0.0.1')
  })

  it('is IPv4 where IPv6 carries it', () => {
    const mapped = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 1).buffer
    expect(addresses.of(mapped, '203.0.113.9')).toBe('203.0.113.9')
    expect(addresses.of(mapped, '')).toBe('10.0.0.1')
  })
})

describe('a web page', () => {
  const cors = routesCors(['https://a.example'])

  it('of an allowed origin may read, any other is told nothing', () => {
    expect(Object.fromEntries(cors.headers('https://a.example'))).toMatchObject({
      'Access-Control-Allow-Origin': 'https://a.example',
      Vary: 'Origin',
    })
    expect(cors.headers('https://b.example')).toEqual([['Vary', 'Origin']])
    expect(routesCors([]).headers('https://a.example')).toEqual([])
  })

  it('is answered before it asks only as a preflight from an allowed origin', () => {
    expect(cors.preflight('OPTIONS', 'https://a.example', 'GET')?.status).toBe(204)
    expect(cors.preflight('OPTIONS', 'https://b.example', 'GET')).toBeUndefined()
    expect(cors.preflight('OPTIONS', 'https://a.example', '')).toBeUndefined()
    expect(cors.preflight('GET', 'https://a.example', 'GET')).toBeUndefined()
  })
})
