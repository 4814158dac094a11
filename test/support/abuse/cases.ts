/**
 * Requests that have broken parsers. Two kinds: those of the net, which are hostile in what they ask but whole, so that each
 * has exactly one answer; and bytes that are no request, or only a part of one, or several. A seed repeats a run.
 */
import { resolve } from 'node:path'
import fc from 'fast-check'
import { type Ask, bytesOf } from '../../suites/net/asks.ts'
import { requests } from '../../suites/net/requests.ts'
import { toolMessages } from '../../suites/net/tool-calls.ts'
import { vocabularyOf } from '../../suites/net/vocabulary.ts'
import { Random } from '../random.ts'

interface Whole {
  readonly bytes: Buffer
  /** Whether it carries a valid key. */
  readonly isKeyed: boolean
}

/** Below the size at which the server refuses it unread. */
const bytesMax = 3_900
const drawnAtOnce = 500

const headers = [
  ['If-None-Match', ','.repeat(500)],
  ['X-Forwarded-For', '1.2.3.4, ::1, nonsense'],
  ['Accept-Encoding', 'gzip;q=1e9'],
  ['Cookie', 'a=\x80\xff'],
  ['Forwarded', 'for=_hidden'],
  ['X-Long', 'y'.repeat(700)],
] as const

export class Cases {
  readonly #random: Random
  readonly #key: string
  readonly #asks: fc.Arbitrary<Ask>
  readonly #drawn: Ask[] = []

  constructor(seed: number, key: string) {
    this.#random = new Random(seed, 0)
    this.#key = key
    const words = vocabularyOf([resolve('snapshots/source')], [])
    this.#asks = fc.oneof({ weight: 9, arbitrary: requests(words) }, toolMessages(words))
  }

  whole(): Whole {
    if (this.#drawn.length === 0) {
      const drawing = { seed: this.#random.next() | 0, numRuns: drawnAtOnce }
      this.#drawn.push(...fc.sample(this.#asks, drawing))
    }
    const ask = this.#drawn.pop()!
    const more = this.#random.below(4) === 0 ? [this.#random.pick(headers)] : []
    const others = ask.headers.filter(([name]) => name !== 'Connection')
    const all = [...others, ...more, ['Connection', 'close'] as const]
    const bytes = bytesOf({ ...ask, headers: all }, { 'key:rich': this.#sentKey() })
    if (bytes.length >= bytesMax) return this.whole()
    const valid = new RegExp(`^authorization: *bearer +${this.#key}\\r$`, 'im')
    return { bytes, isKeyed: valid.test(bytes.toString('latin1')) }
  }

  /** Now and then a part of it, or one with another character. */
  #sentKey(): string {
    const key = this.#key
    const at = this.#random.below(8 * key.length)
    if (at >= key.length) return key
    const begin = key.slice(0, at)
    return at % 2 === 0 ? begin : `${begin}${key[at] === '0' ? '1' : '0'}${key.slice(at + 1)}`
  }

  broken(): Buffer {
    const random = this.#random
    const whole = this.whole().bytes
    const kinds: readonly (() => Buffer | string)[] = [
      () => whole.subarray(0, random.below(whole.length)),
      () => this.#mutated(whole),
      () => this.#noise(1 + random.below(2_000)),
      () => `GET /${'a'.repeat(random.below(20_000))} HTTP/1.1\r\nHost: x\r\n\r\n`,
      () => `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(random.below(2_000))}\r\n`,
      () => `GET / HTTP/1.1\r\nHost: x\r\n${'X'.repeat(random.below(9_000))}: y\r\n\r\n`,
      () => 'GET / HTTP/1.0\r\n\r\n',
      () => 'GET / HTTP/1.1\r\nHost: x\r\nHost: other\r\n\r\n',
      () => 'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
      () => 'GET  /  HTTP/1.1\r\nHost : x\r\n folded\r\n\r\n',
      () => 'GET /healthz HTTP/1.1\nHost: x\n\n',
      () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      () =>
        'GET /mcp HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      () =>
        `POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(random.below(40))}\r\n\r\n{}`,
      () => 'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n{}',
      () =>
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG',
      () => 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
      () => 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n0\r\n\r\n',
      () => 'POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n',
      () => Buffer.concat([whole, Buffer.from(this.#noise(200), 'latin1'), this.whole().bytes]),
    ]
    const made = random.pick(kinds)()
    return typeof made === 'string' ? Buffer.from(made, 'latin1') : Buffer.from(made)
  }

  #mutated(bytes: Buffer): Buffer {
    const copy = Buffer.from(bytes)
    for (let count = 1 + this.#random.below(6); count > 0; count -= 1) {
      copy[this.#random.below(copy.length)] = this.#random.below(256)
    }
    return copy
  }

  #noise(length: number): string {
    return Array.from({ length }, () => String.fromCharCode(this.#random.below(256))).join('')
  }
}
