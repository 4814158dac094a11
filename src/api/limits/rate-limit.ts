/**
 * The limits: requests of an account by all of its keys; requests of an address without a valid key, for
 * `/metrics`, and for new connections. A refusal costs nothing.
 *
 * Token buckets in shared memory, one word each: the time at which the bucket would be full again (the generic cell rate
 * algorithm, ITU-T I.371). An untouched bucket is full, so nothing has to be filled or swept, and a refusal writes
 * nothing. A word is a double, exact up to 2⁵³ ns (104 days of a machine that is on).
 */
import { accountsMax, termsMax } from '../../ledger/books/port.ts'
import { writeAscii, writeWhole } from '../../memory/ascii.ts'
import {
  createSharedDoubles,
  SharedDoubles,
  type SharedDoublesMemory,
} from '../../memory/shared-doubles.ts'
import { operations, type RouteName } from '../../operations.ts'
import type { Values } from '../../settings.ts'
import { limitedNetwork } from '../../text/network.ts'

const nsPerSecond = 1_000_000_000
const nsPerMillisecond = 1_000_000
const secondsPerMinute = 60
/** Number of buckets of addresses. Two addresses may share one: that is rare, and no client can know which do. */
const addressBuckets = 1 << 16

/** Nanoseconds since some moment, the same for all threads, and never going back. */
export function monotonicNs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * nsPerSecond + nanoseconds
}

export function monotonicMs(): number {
  return Math.floor(monotonicNs() / nsPerMillisecond)
}

/** `monotonicNs` in milliseconds with fractions, to a microsecond; it takes half as long to read. */
export function threadClockMs(): () => number {
  // Bound, because a getter looks up the name `performance` each time.
  const now = performance.now.bind(performance)
  const offsetMs = monotonicNs() / nsPerMillisecond - now()
  return () => now() + offsetMs
}

/** The rate of a bucket: one token after every interval, up to the maximum. */
export interface BucketRate {
  readonly intervalNs: number
  readonly tokensMax: number
}

/** Number of buckets of each kind, one kind behind the other in one memory. */
const bucketCounts = {
  account: accountsMax,
  lookup: accountsMax,
  /** By the places of keys with terms. */
  key: termsMax,
  address: addressBuckets,
  scrape: addressBuckets,
  connection: addressBuckets,
} as const

type BucketKind = keyof typeof bucketCounts

/** A plain value to hand to a worker thread. */
export interface SharedLimits {
  readonly words: SharedDoublesMemory
  readonly seed: number
}

/** 3 MiB, untouched pages of which cost nothing. @param seed any whole number of 32 bits. */
export function createSharedLimits(seed: number): SharedLimits {
  return { words: createSharedDoubles(sumOf(Object.values(bucketCounts))), seed }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}

/** One thread's view of the buckets of a kind, all of which fill alike. */
export class Buckets {
  readonly #fullAt: SharedDoubles
  readonly #intervalNs: number
  readonly #depthNs: number

  constructor({ words }: SharedLimits, kind: BucketKind, { intervalNs, tokensMax }: BucketRate) {
    const before = Object.keys(bucketCounts).indexOf(kind)
    const first = sumOf(Object.values(bucketCounts).slice(0, before))
    this.#fullAt = new SharedDoubles(words, bucketCounts[kind], first)
    this.#intervalNs = intervalNs
    this.#depthNs = intervalNs * tokensMax
  }

  /**
   * Takes tokens; returns the ns until the bucket is full again. If it has too few, takes none and returns the ns until
   * it has enough, negated.
   * @param nowNs whole nanoseconds, the same for all threads, and never going back.
   */
  take(slot: number, nowNs: number, tokens = 1): number {
    let fullAt: number
    let aheadNs: number
    do {
      fullAt = this.#fullAt.values[slot]!
      // A bucket that is full already is full from now on.
      aheadNs = Math.max(0, fullAt - nowNs) + tokens * this.#intervalNs
      if (aheadNs > this.#depthNs) return this.#depthNs - aheadNs
      // A round is only repeated when another thread's succeeded.
    } while (!this.#fullAt.replace(slot, fullAt, nowNs + aheadNs))
    return aheadNs
  }

  /** Number of tokens left after `take` returned `aheadNs`. */
  tokensLeft(aheadNs: number): number {
    return Math.floor((this.#depthNs - aheadNs) / this.#intervalNs)
  }
}

type LimitSettings = Values<
  'rateLimit' | 'rateBurst' | 'lookupRateLimit' | 'failedKeyLimit' | 'connectionRateLimit'
>

/** Whole seconds until all of a quota is there again; after a refusal, until some of it is. */
export function resetSeconds(takenNs: number): number {
  return Math.ceil(Math.abs(takenNs) / nsPerSecond)
}

/** A limit of accounts. The result of `take` is below 0 for a refusal. */
export class RateLimit {
  /** `RateLimit-Policy`, as in draft-ietf-httpapi-ratelimit-headers-10: quota and window. */
  readonly policy: string
  /** The beginning of the value of `RateLimit`, before the number that is left. */
  readonly stateBegins: string
  readonly #buckets: Buckets

  constructor(
    shared: SharedLimits,
    { rateLimit, rateBurst }: Pick<LimitSettings, 'rateLimit' | 'rateBurst'>,
    counted: 'account' | 'lookup' | 'key' = 'account',
  ) {
    const tokensMax = rateBurst || rateLimit
    const intervalNs = Math.max(1, Math.round(nsPerSecond / rateLimit))
    this.#buckets = new Buckets(shared, counted, { intervalNs, tokensMax })
    this.stateBegins = `"${counted}";r=`
    this.policy = `"${counted}";q=${tokensMax};w=${Math.ceil(tokensMax / rateLimit)}`
  }

  /** Counts requests; returns the value that the other methods take. @param nowMs by the clock of all threads. */
  take(place: number, nowMs: number, requests = 1): number {
    return this.#buckets.take(place, Math.floor(nowMs * nsPerMillisecond), requests)
  }

  #left(takenNs: number): number {
    return takenNs < 0 ? 0 : this.#buckets.tokensLeft(takenNs)
  }

  headers(takenNs: number): readonly (readonly [name: string, value: string])[] {
    const value = `${this.stateBegins}${this.#left(takenNs)};t=${resetSeconds(takenNs)}`
    return [
      ['RateLimit-Policy', this.policy],
      ['RateLimit', value],
    ]
  }

  /** Writes the value of `RateLimit` behind its beginning, in ASCII; returns the offset of its end. */
  writeState(target: Uint8Array, at: number, takenNs: number): number {
    const leftEnd = writeWhole(target, at, this.#left(takenNs))
    return writeWhole(target, writeAscii(target, leftEnd, ';t='), resetSeconds(takenNs))
  }
}

export type KeyLimits = (requestsPerSecond: number) => RateLimit

/** The limits of accounts and keys; undefined for each that is not set. */
export interface RateLimits {
  readonly keyLimits?: KeyLimits | undefined
  readonly rateLimit?: RateLimit | undefined
  /** The limit of lookups: of answers that cost nothing, which `rateLimit` does not count. */
  readonly lookupLimit?: RateLimit | undefined
}

/** The limit that counts a route: lookups are what is free unless an operator sets a price. */
export function limitOf(route: RouteName, limits: RateLimits): RateLimit | undefined {
  const { defaultMicroUsd } = operations[route].price
  return defaultMicroUsd === 0 ? limits.lookupLimit : limits.rateLimit
}

/**
 * A limit of requests or connections by address; of an IPv6 address, by its network of 64 bits. Counts one more, and
 * returns below 0 when it is one too many.
 */
export type AddressLimit = (address: string) => number

/** FNV-1a of an address from a secret seed. */
function bucketOf(address: string, seed: number): number {
  let hash = seed
  for (let index = 0; index < address.length; index += 1) {
    hash = Math.imul(hash ^ address.charCodeAt(index), 0x01000193)
  }
  return (hash ^ (hash >>> 16)) & (addressBuckets - 1)
}

/** Requests for `/metrics` that an address may make for each one that it may make without a valid key. */
const scrapesPerFailedKey = 10

/** The limits of addresses; undefined for each that is not set. */
export function addressLimitsOf(
  shared: SharedLimits,
  {
    failedKeyLimit,
    connectionRateLimit,
  }: Pick<LimitSettings, 'failedKeyLimit' | 'connectionRateLimit'>,
  clockNs: () => number,
) {
  const limit = (kind: BucketKind, perMinute: number): AddressLimit | undefined => {
    if (perMinute === 0) return undefined
    const intervalNs = Math.round((nsPerSecond * secondsPerMinute) / perMinute)
    const buckets = new Buckets(shared, kind, { intervalNs, tokensMax: perMinute })
    return (address) => buckets.take(bucketOf(limitedNetwork(address), shared.seed), clockNs())
  }
  return {
    /** A valid key is never refused for its address. */
    failedKeys: limit('address', failedKeyLimit),
    /** `/metrics` needs no key and has a large answer. */
    scrapes: limit('scrape', failedKeyLimit * scrapesPerFailedKey),
    connections: limit('connection', connectionRateLimit),
  }
}

export function rateLimitsOf(
  shared: SharedLimits,
  settings: Pick<LimitSettings, 'rateLimit' | 'rateBurst' | 'lookupRateLimit'>,
): RateLimits {
  const { rateLimit, lookupRateLimit } = settings
  const lookups = { rateLimit: lookupRateLimit, rateBurst: 0 }
  return {
    keyLimits: (rate) => new RateLimit(shared, { rateLimit: rate, rateBurst: 0 }, 'key'),
    rateLimit: rateLimit === 0 ? undefined : new RateLimit(shared, settings),
    lookupLimit: lookupRateLimit === 0 ? undefined : new RateLimit(shared, lookups, 'lookup'),
  }
}
