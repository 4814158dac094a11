/**
 * Requests that have broken parsers. Two kinds: requests that are hostile in what they ask but whole, each of
 * which has exactly one answer; and bytes that are no request, or only a part of one, or several.
 * Everything comes from one random source, so that a seed repeats a run.
 */
import { Random } from '../random.ts'

interface Whole {
  readonly bytes: Buffer
  /** Whether it carries a valid key. */
  readonly isKeyed: boolean
}

const paths = [
  '/api/v1/index',
  '/api/v1/index/',
  '/api/v1/detail',
  '/api/v1/peers',
  '/api/v1/match',
  '/api/v1/match/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/openapi.json',
  '/mcp',
  '/',
  '//',
  '/api/v1/../../etc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/api/v1/index%00',
  '/api/v1/index;a=b',
]
/** Mostly GET, since any other is refused soon. */
const methods = [
  ...Array<string>(9).fill('GET'),
  'POST',
  'HEAD',
  'PUT',
  'OPTIONS',
  'PURGE',
  'TRACE',
]
const names = ['query', 'limit', 'sdus', 'sdu', 'handles', 'handle', '__proto__', 'query[]', '']

/** Values that have broken parsers before: percent-encoded, raw, empty, huge, of no text at all. */
const values: readonly string[] = [
  'rust',
  'machine+learning',
  '@SenCapito',
  '4893387514556449885',
  '',
  '%',
  '%%%',
  '%zz',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%ED%BF%BF%ED%A0%80',
  '%C0%AF',
  '%E0%80%AF',
  '%F0%80%80%AF',
  '%F8%88%80%80%80',
  '%F4%90%80%80',
  '%FF%FE',
  '%E2%80%AE%D8%A7',
  '%EF%BF%BE',
  '%CC%81'.repeat(40),
  'constructor',
  'toString',
  '1e999',
  '-0',
  '00000000000000000000000000000001',
  '9'.repeat(33),
  '0x10',
  '%EF%BC%91',
  'a,'.repeat(60),
  ','.repeat(100),
  "'%20OR%201=1--",
  '%0d%0aX-Injected:%201',
  'https://x.com/SenCapito/../../a',
  'twitter:@@@@a',
  '%F0%9F%92%A9'.repeat(20),
  'a'.repeat(257),
  'z'.repeat(2_500),
]

const headerLines: readonly string[] = [
  'If-None-Match: *',
  'If-None-Match: W/"',
  'If-None-Match: W/"0000000000000000-0000000000000000", "x"',
  `If-None-Match: ${','.repeat(500)}`,
  'Origin: null',
  'Origin: https://evil.example',
  'X-Forwarded-For: 1.2.3.4, ::1, nonsense',
  'Accept-Encoding: gzip;q=1e9',
  'Range: bytes=0-0,-1',
  'Cookie: a=\x80\xff',
  'Content-Type: application/json',
  'Forwarded: for=_hidden',
  `X-Long: ${'y'.repeat(700)}`,
]

export class Cases {
  readonly #random: Random
  readonly #key: string

  constructor(seed: number, key: string) {
    this.#random = new Random(seed, 0)
    this.#key = key
  }

  /** A whole request, below the size at which the server refuses it unread. */
  whole(): Whole {
    const random = this.#random
    const method = this.#pick(methods)
    const [isKeyed, authorization] = this.#authorization()
    const lines = [`${method} ${this.#target()} HTTP/1.1`, 'Host: x', 'Connection: close']
    if (authorization !== undefined) lines.push(`Authorization: ${authorization}`)
    for (let count = random.below(4); count > 0; count -= 1) lines.push(this.#pick(headerLines))
    const body = method === 'POST' || method === 'PUT' ? this.#noise(random.below(300)) : ''
    if (body !== '') lines.push(`Content-Length: ${body.length}`)
    const bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1')
    return bytes.length < 3_900 ? { bytes, isKeyed } : this.whole()
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
    const made = this.#pick(kinds)()
    return typeof made === 'string' ? Buffer.from(made, 'latin1') : Buffer.from(made)
  }

  #target(): string {
    const random = this.#random
    if (random.below(16) === 0) return `/api/v1/index?query=rust&limit=${1 + random.below(50)}`
    const path = this.#pick(paths)
    const pairs = Array.from({ length: random.below(4) }, () => {
      const value = random.below(8) === 0 ? this.#rawNoise(20) : this.#pick(values)
      return `${this.#pick(names)}${random.below(9) === 0 ? '' : '='}${value}`
    })
    return pairs.length === 0 ? path : `${path}?${pairs.join(random.below(9) === 0 ? '&&' : '&')}`
  }

  #authorization(): [isKeyed: boolean, header: string | undefined] {
    const random = this.#random
    const key = this.#key
    if (random.below(10) < 7) return [true, `Bearer ${key}`]
    const at = random.below(key.length)
    const others = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, at)}`,
      `Bearer ${key.slice(0, at)}${key[at] === '0' ? '1' : '0'}${key.slice(at + 1)}`,
      `Bearer ${this.#rawNoise(60)}`,
      `Bearer aik_${'0'.repeat(36)}`,
    ]
    return [false, this.#pick(others)]
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

  /** Any bytes that do not end a line or a word. */
  #rawNoise(length: number): string {
    const bytes = Buffer.from(this.#noise(length), 'latin1')
    for (const [index, byte] of bytes.entries()) {
      if (byte <= 32 || byte === 127) bytes[index] = 126
    }
    return bytes.toString('latin1')
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#random.below(choices.length)]!
  }
}
