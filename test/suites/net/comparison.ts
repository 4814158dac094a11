/**
 * Two builds are asked the same, one session after the other in lockstep, and their answers compared:
 * status, header lines in their order, bytes of the body (as they were before gzip), money. The comparison masks
 * only values that differ between any two answers or snapshots: durations, request ids, dates, the text of cursors, ids
 * of keys, citations. Ids of snapshots have their names.
 */
import { randomUUID } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Ask, bytesOf, curlOf } from './asks.ts'
import type { NetService } from './builds.ts'
import { Connection, headerValue, type WireAnswer } from './connection.ts'
import { type Intended, intended } from './intended.ts'

/** An answer with the values masked that may differ. */
export interface ComparedAnswer {
  readonly status: number
  readonly head: readonly string[]
  readonly body: string
}

/** A request that two builds answer differently, with the requests of its session before it. */
export interface Difference {
  readonly session: readonly Ask[]
  readonly ask: Ask
  /** As the rows of intended differences leave it. */
  readonly before: ComparedAnswer
  readonly after: ComparedAnswer
}

export class DifferenceError extends Error {
  constructor(difference: Difference) {
    super(describeDifference(difference))
  }
}

function describeDifference({ session, ask, before, after }: Difference): string {
  const earlier = session.slice(0, session.indexOf(ask))
  let same = 0
  while (same < after.body.length && before.body[same] === after.body[same]) same += 1
  return [
    ...(earlier.length === 0 ? [] : ['after', ...earlier.map(curlOf)]),
    'differs:',
    curlOf(ask),
    '--- before',
    textOf(before, same),
    '--- after',
    textOf(after, same),
  ].join('\n')
}

/** The head, and the body from a little before a place on. */
function textOf({ head, body }: ComparedAnswer, from: number): string {
  const first = Math.max(0, from - 500)
  const text = Buffer.from(body.slice(first, first + 3_000), 'latin1').toString()
  return `${head.join('\n')}\n\n${first === 0 ? '' : `from ${first}: `}${text}`
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Also inside a JSON text inside JSON. */
const duration = /(\\?"duration\\?":)[0-9.e+-]+/g
const cursorShape = /(next_cursor\\?":\s*\\?")([^"\\]+)/g
const momentShape = /("(?:served_since|as_of)":")[^"]+/g
const keyId = /key_[0-9a-z]{10}/g
/** How a snapshot is cited: by the first digits of its id. */
const citation = /(?<=authority-index-)[0-9a-f]{8}\b/g
/** The tag of a file stands for its bytes, from which its length follows, too. */
const fileTag = /^ETag: "[0-9a-f]{32}-/m
/** The id of a snapshot, its digest, which begins with it, and the half of it that is in a tag. */
const snapshotId = /[0-9a-f]{16,64}/g

/** What a session begins with: nothing said yet, and a key that no service has seen. */
function newSession() {
  return { cursor: 'none', etag: 'W/"none"', once: randomUUID() as string }
}

class Side {
  readonly #service: NetService
  readonly #connection: Connection
  readonly #balances = new Map<string, number>()
  /** Of a snapshot, by the half of its id. */
  readonly #names: ReadonlyMap<string, string>
  #said = newSession()

  constructor(service: NetService) {
    this.#service = service
    this.#connection = new Connection(service.port)
    const ids = Object.entries(service.values).filter(([name]) => name.startsWith('5eed'))
    this.#names = new Map(ids.map(([name, id]) => [id.slice(0, 16), name]))
  }

  beginSession(): void {
    this.#said = newSession()
    this.#balances.clear()
  }

  async ask(ask: Ask): Promise<ComparedAnswer> {
    const values = { ...this.#service.values, ...this.#said }
    return this.#compared(ask, await this.#connection.ask(bytesOf(ask, values)))
  }

  async stop(): Promise<void> {
    this.#connection.close()
    await this.#service.stop()
  }

  #compared(ask: Ask, { head, body: wireBody }: WireAnswer): ComparedAnswer {
    const body = plainBody(head, wireBody)
    const id = headerValue(head, 'x-request-id')
    const named = this.#named(body)
    const masked = this.#maskBody(withoutFigures(ask.target, named), id)
    const etag = headerValue(head, 'etag')
    if (etag !== undefined) this.#said.etag = etag
    // Names are as long as ids, but not once they are compressed.
    const isSameLength = masked === (body === wireBody ? named : body)
    const keepsLength = isSameLength && body !== '' && !fileTag.test(head.join('\n'))
    const lines = head.map((line) => this.#maskLine(this.#named(line), ask, keepsLength))
    return { status: Number(head[0]?.slice(9, 12) ?? 0), head: lines, body: masked }
  }

  #named(text: string): string {
    return text.replace(snapshotId, (id) => {
      const name = this.#names.get(id.slice(0, 16))
      return name === undefined ? id : name.padEnd(64, '0').slice(0, id.length)
    })
  }

  #maskBody(body: string, id: string | undefined): string {
    let masked = body
      .replace(duration, '$1<duration>')
      .replace(uuid, (each) => (each === id ? '<request id>' : '<id>'))
      .replace(momentShape, '$1<time>')
      .replace(keyId, '<key id>')
      .replace(citation, '<snapshot>')
    // A refusal repeats the beginning of what was sent.
    const { cursor: sent } = this.#said
    if (sent !== 'none') {
      masked = masked.replace(new RegExp(`${sent.slice(0, 16)}[\\w-]*`, 'g'), '<cursor>')
    }
    if (!masked.includes('next_cursor')) return masked
    const cursors: string[] = []
    masked = masked.replace(cursorShape, (_, name: string, cursor: string) => {
      cursors.push(cursor)
      return `${name}<cursor>`
    })
    if (cursors[0] !== undefined) this.#said.cursor = cursors[0]
    for (const cursor of cursors) masked = masked.replaceAll(cursor, '<cursor>')
    return masked
  }

  #maskLine(line: string, ask: Ask, keepsLength: boolean): string {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (name === 'date') return 'Date: <time>'
    if (name === 'x-request-id') return line.replace(uuid, '<request id>')
    if (name === 'content-length') return keepsLength ? line : 'Content-Length: <length>'
    // A tag stands for the request, and so for the text of the cursor or the id of the snapshot in it.
    if (name === 'etag' && fileTag.test(line)) return line.replace(fileTag, 'ETag: "<file>-')
    if (name === 'etag' && /\{cursor\}|5eed/.test(ask.target)) return line.slice(0, -17)
    // What was spent since the answer before in this session: one difference must not make others.
    if (name === 'x-balance-usd') return `X-Balance-Usd: <${this.#spent(ask, line)} less>`
    return line
  }

  #spent(ask: Ask, line: string): string {
    const account = ask.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
    const balance = Math.round(Number(line.slice(line.indexOf(':') + 1)) * 1e6)
    const last = this.#balances.get(account)
    this.#balances.set(account, balance)
    return last === undefined ? '?' : String(last - balance)
  }
}

/** The text of a compressed body: a duration in it differs between any two answers, and so do all bytes behind it. */
function plainBody(head: readonly string[], body: string): string {
  const encoding = headerValue(head, 'content-encoding')
  if (body === '' || encoding === undefined) return body
  const inflate = encoding === 'br' ? brotliDecompressSync : gunzipSync
  return inflate(Buffer.from(body, 'latin1')).toString('latin1')
}

/**
 * Names and labels of metrics and of sums of charges, which are written later; values are those of a moment. Which
 * statuses were counted follows from answers before this one, of which some differ by intention.
 */
function withoutFigures(target: string, text: string): string {
  if (target.startsWith('/metrics')) {
    return text
      .replace(/^authority_index_requests_total\{.*\n/gm, '')
      .replace(/^([^#\n].*) \S+$/gm, '$1 <value>')
  }
  if (!target.startsWith('/api/v1/account')) return text
  return text
    .replace(/("(?:balance_usd|charged_usd|cost_usd|queries)":)[0-9.e-]+/g, '$1<value>')
    .replace(/("by_[a-z]+":)\[[^\]]*\]/g, '$1<charges>')
}

/** How often each operation answered with each status, and each intended difference showed. */
export interface Seen {
  readonly statuses: Map<string, number>
  readonly intended: Map<Intended, number>
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export class Pair {
  readonly #before: Side
  readonly #after: Side
  readonly #seen: Seen

  constructor(before: NetService, after: NetService, seen: Seen) {
    this.#before = new Side(before)
    this.#after = new Side(after)
    this.#seen = seen
  }

  /** Asks both builds every request of a session. Throws DifferenceError. */
  async compare(session: readonly Ask[]): Promise<void> {
    this.#before.beginSession()
    this.#after.beginSession()
    for (const ask of session) {
      const [before, after] = await Promise.all([this.#before.ask(ask), this.#after.ask(ask)])
      this.#compareOne({ session, ask, before, after })
    }
  }

  async stop(): Promise<void> {
    await Promise.all([this.#before.stop(), this.#after.stop()])
  }

  #compareOne(difference: Difference): void {
    const { ask, after } = difference
    count(this.#seen.statuses, `${ask.method} ${pathName(ask.target)} ${difference.before.status}`)
    if (isSame(difference.before, after)) return
    const before = intended.reduce((answer, row) => {
      const rewritten = row.rewrite(answer, difference)
      if (rewritten !== answer) count(this.#seen.intended, row)
      return rewritten
    }, difference.before)
    if (!isSame(before, after)) throw new DifferenceError({ ...difference, before })
  }
}

/** The first parts of the path of a target, without what a value in it makes different. */
function pathName(target: string): string {
  const path = target.split('?')[0]!.replace(/\/$/, '')
  const name = path.replace(/^(\/api\/v1\/snapshots)\/.+/, '$1/{id}')
  return /^\/(?:api\/v1\/[a-z]+(?:\/\{id\})?|mcp|healthz|readyz|metrics|openapi\.json|docs)?$/.test(
    name,
  )
    ? name
    : 'other'
}

function isSame(one: ComparedAnswer, other: ComparedAnswer): boolean {
  return one.body === other.body && one.head.join('\n') === other.head.join('\n')
}
