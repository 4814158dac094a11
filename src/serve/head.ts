/**
 * The header lines of a 200, as one value. Writing a header costs a call out of JavaScript each, so
 * they all travel as the value of the first, `X-Request-Id`: its line, then the other lines as they
 * are to stand on the wire. Nothing in them comes from a request but hexadecimal digits.
 */
import { etagLength, rewriteEtag, writeEtag } from './etag.ts'
import type { RateLimit } from './rate-limit.ts'

const idLength = 36
const digitZero = 48
const dot = 46
const microUsdPerUsd = 1_000_000
const decimalsMin = 2
const decimalsMax = 6

export class Head {
  readonly #bytes = Buffer.alloc(512)
  readonly #etagAt: number
  readonly #costAt: number
  readonly #views: Uint8Array[] = []
  readonly #rateLimit: RateLimit | undefined
  readonly #limitLines: Uint8Array

  /** The lines of answers from one snapshot; they tell of the limit where there is one. */
  constructor(snapshotId: string, rateLimit?: RateLimit) {
    this.#rateLimit = rateLimit
    const policy = rateLimit?.policy ?? ''
    const limitLines = `\r\nRateLimit-Policy: ${policy}\r\nRateLimit: "account";r=`
    this.#limitLines = Buffer.from(limitLines, 'latin1')
    const before = `${'-'.repeat(idLength)}\r\nX-Snapshot-Id: ${snapshotId}\r\nETag: `
    const after =
      '\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nX-Cost-Usd: '
    this.#etagAt = this.#bytes.write(before, 'latin1')
    writeEtag(this.#bytes, this.#etagAt, snapshotId, '', '')
    const etagEnd = this.#etagAt + etagLength
    this.#costAt = etagEnd + this.#bytes.write(after, etagEnd, 'latin1')
  }

  /**
   * The lines of one answer; valid until the next. Amounts in micro-USD.
   * @param takenNs what the limit has answered.
   */
  write(
    requestId: string,
    path: string,
    query: string,
    costMicroUsd: number,
    balanceMicroUsd: number,
    takenNs = 0,
  ): Uint8Array {
    const bytes = this.#bytes
    for (let index = 0; index < idLength; index += 1) bytes[index] = requestId.charCodeAt(index)
    rewriteEtag(bytes, this.#etagAt, path, query)
    const costEnd = writeUsd(bytes, this.#costAt, costMicroUsd)
    const balanceAt = this.#writeLineStart(costEnd, balanceLine)
    const end = this.#writeLimit(writeUsd(bytes, balanceAt, balanceMicroUsd), takenNs)
    let view = this.#views[end]
    if (view === undefined) {
      view = bytes.subarray(0, end)
      this.#views[end] = view
    }
    return view
  }

  #writeLimit(at: number, takenNs: number): number {
    const limit = this.#rateLimit
    if (limit === undefined) return at
    const bytes = this.#bytes
    const leftAt = this.#writeLineStart(at, this.#limitLines)
    const resetAt = this.#writeLineStart(writeWhole(bytes, leftAt, limit.left(takenNs)), resetLine)
    return writeWhole(bytes, resetAt, limit.resetSeconds(takenNs))
  }

  #writeLineStart(at: number, line: Uint8Array): number {
    for (let index = 0; index < line.length; index += 1) this.#bytes[at + index] = line[index]!
    return at + line.length
  }
}

const balanceLine = Buffer.from('\r\nX-Balance-Usd: ', 'latin1')
const resetLine = Buffer.from(';t=', 'latin1')

/** Writes an amount as `formatUsd` does, and answers where it ends. */
export function writeUsd(target: Uint8Array, at: number, amountMicroUsd: number): number {
  const whole = Math.floor(amountMicroUsd / microUsdPerUsd)
  let fraction = amountMicroUsd - whole * microUsdPerUsd
  const dotAt = writeWhole(target, at, whole)
  target[dotAt] = dot
  const first = dotAt + 1
  let decimals = decimalsMin
  for (let index = decimalsMax - 1; index >= 0; index -= 1) {
    const digit = fraction % 10
    target[first + index] = digitZero + digit
    if (digit !== 0 && index >= decimals) decimals = index + 1
    fraction = (fraction - digit) / 10
  }
  return first + decimals
}

/** Writes a whole number, not negative, and answers where it ends. */
function writeWhole(target: Uint8Array, at: number, value: number): number {
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits += 1
  for (let index = at + digits - 1, rest = value; index >= at; index -= 1) {
    target[index] = digitZero + (rest % 10)
    rest = Math.floor(rest / 10)
  }
  return at + digits
}
