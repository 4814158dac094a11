/**
 * The header lines of a 200, as one value. Writing a header costs a call out of JavaScript each, so
 * they all travel as the value of the first, `X-Request-Id`: its line, then the other lines as they
 * are to stand on the wire. Nothing in them comes from a request but hexadecimal digits.
 */

import { writeDigits, writeWhole } from '../../memory/digits.ts'
import { dataViewOf } from '../../memory/text-table.ts'
import { etagOf, hashPath, type PathHash, rewriteEtag } from '../etag.ts'
import type { RateLimit } from '../rate-limit.ts'
import { idLength, type RequestIds } from '../request-ids.ts'

const dot = 46
const digitZero = 48
const microUsdPerUsd = 1_000_000
const decimalsMin = 2
const decimalsMax = 6

/** What the lines of one answer tell; amounts in micro-USD. */
export interface HeadFacts {
  readonly query: string
  readonly costMicroUsd: number
  readonly balanceMicroUsd: number
  /** What the limit has answered; 0 where there is none. */
  readonly takenNs: number
}

export class Head {
  readonly #bytes = Buffer.alloc(512)
  readonly #data = dataViewOf(this.#bytes)
  readonly #path: PathHash
  readonly #etagAt: number
  readonly #costAt: number
  #costMicroUsd = -1
  #balanceAt = 0
  readonly #views: Uint8Array[] = []
  readonly #rateLimit: RateLimit | undefined

  /** The lines of answers to a path from one snapshot; they tell of the limit where there is one. */
  constructor(path: string, snapshotId: string, rateLimit?: RateLimit) {
    this.#path = hashPath(path)
    this.#rateLimit = rateLimit
    const before = `${'-'.repeat(idLength)}\r\nX-Snapshot-Id: ${snapshotId}\r\nETag: `
    const etag = etagOf(snapshotId, this.#path, '')
    const policy = rateLimit === undefined ? '' : `\r\nRateLimit-Policy: ${rateLimit.policy}`
    const after = `\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff${policy}\r\nX-Cost-Usd: `
    this.#etagAt = before.length
    this.#costAt = this.#bytes.write(`${before}${etag}${after}`, 'latin1')
  }

  /** The lines of one answer; valid until the next. */
  write(ids: RequestIds, id: number, facts: HeadFacts): Uint8Array {
    const { query, costMicroUsd, balanceMicroUsd, takenNs } = facts
    const bytes = this.#bytes
    ids.copy(id, this.#data, 0)
    rewriteEtag(this.#data, this.#etagAt, this.#path, query)
    if (costMicroUsd !== this.#costMicroUsd) this.#writeCost(costMicroUsd)
    let end = writeUsd(bytes, this.#balanceAt, balanceMicroUsd)
    if (this.#rateLimit !== undefined) end = this.#writeLimit(end, this.#rateLimit, takenNs)
    let view = this.#views[end]
    if (view === undefined) {
      view = bytes.subarray(0, end)
      this.#views[end] = view
    }
    return view
  }

  /** The cost, and the name of the line behind it: most answers cost what the last one did. */
  #writeCost(costMicroUsd: number): void {
    const costEnd = writeUsd(this.#bytes, this.#costAt, costMicroUsd)
    this.#balanceAt = this.#writeText(costEnd, '\r\nX-Balance-Usd: ')
    this.#costMicroUsd = costMicroUsd
  }

  #writeLimit(at: number, limit: RateLimit, takenNs: number): number {
    const leftAt = this.#writeText(at, '\r\nRateLimit: "account";r=')
    const leftEnd = writeWhole(this.#bytes, leftAt, limit.left(takenNs))
    const resetAt = this.#writeText(leftEnd, ';t=')
    return writeWhole(this.#bytes, resetAt, limit.resetSeconds(takenNs))
  }

  #writeText(at: number, text: string): number {
    for (let index = 0; index < text.length; index += 1) {
      this.#bytes[at + index] = text.charCodeAt(index)
    }
    return at + text.length
  }
}

/** Writes an amount as `formatUsd` does, and answers where it ends. */
export function writeUsd(target: Uint8Array, at: number, amountMicroUsd: number): number {
  const whole = Math.floor(amountMicroUsd / microUsdPerUsd)
  const dotAt = writeWhole(target, at, whole)
  target[dotAt] = dot
  let end = dotAt + 1 + decimalsMax
  writeDigits(target, end, decimalsMax, amountMicroUsd - whole * microUsdPerUsd)
  while (end > dotAt + 1 + decimalsMin && target[end - 1] === digitZero) end -= 1
  return end
}
