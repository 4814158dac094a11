/**
 * Two builds are asked the same, one session after the other in lockstep, and their answers compared:
 * status, header lines in their order, bytes of the body (as they were before gzip), money. The comparison masks
 * only values that differ between any two answers: durations, request ids, dates, the text of cursors.
 */
import { gunzipSync } from 'node:zlib'
import { type Ask, bytesOf, curlOf, fill, nothingSaid, type Said } from './asks.ts'
import type { Keys, NetService } from './builds.ts'
import { Connection, headerValue, type WireAnswer } from './connection.ts'
import { intended } from './intended.ts'

/** An answer with the values masked that may differ. */
interface ComparedAnswer {
  readonly status: number
  /** The status line and the header lines. */
  readonly head: readonly string[]
  readonly body: string
}

/** A request that two builds answer differently, with the requests of its session before it. */
export interface Difference {
  readonly session: readonly Ask[]
  readonly ask: Ask
  readonly before: ComparedAnswer
  readonly after: ComparedAnswer
}

/** Thrown with the first difference of a session. */
export class DifferenceError extends Error {
  readonly difference: Difference

  constructor(difference: Difference) {
    super(describeDifference(difference))
    this.difference = difference
  }
}

/** Requests and answers as a person reads them. */
function describeDifference({ session, ask, before, after }: Difference): string {
  const earlier = session.slice(0, session.indexOf(ask))
  return [
    ...(earlier.length === 0 ? [] : ['after', ...earlier.map(curlOf)]),
    'differs:',
    curlOf(ask),
    '--- before',
    textOf(before),
    '--- after',
    textOf(after),
  ].join('\n')
}

function textOf({ head, body }: ComparedAnswer): string {
  const text = Buffer.from(body, 'latin1').toString()
  const shown = text.length > 3_000 ? `${text.slice(0, 3_000)}… (${text.length})` : text
  return `${head.join('\n')}\n\n${shown}`
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Also inside a JSON text inside JSON. */
const duration = /(\\?"duration\\?":)[0-9.e+-]+/g
const cursorShape = /(next_cursor\\?":\s*\\?")([^"\\]+)/g
const servedSince = /("served_since":")[^"]+/

/** One build in a session of requests. */
class Side {
  readonly service: NetService
  readonly #connection: Connection
  readonly #balances = new Map<string, number>()
  said: Said = nothingSaid()

  constructor(service: NetService) {
    this.service = service
    this.#connection = new Connection(service.port)
  }

  /** Forgets what was said and spent. */
  beginSession(): void {
    this.said = nothingSaid()
    this.#balances.clear()
  }

  /** Sends requests one behind the other. */
  async ask(asks: readonly Ask[], keys: Keys): Promise<ComparedAnswer[]> {
    const answers = await this.#connection.askAll(asks.map((ask) => bytesOf(ask, this.said, keys)))
    return answers.map((answer, index) => this.#compared(asks[index]!, answer))
  }

  close(): void {
    this.#connection.close()
  }

  #compared(ask: Ask, { head, body: wireBody }: WireAnswer): ComparedAnswer {
    const body = plainBody(head, wireBody)
    const id = headerValue(head, 'x-request-id')
    const isMetrics = ask.target.startsWith('/metrics')
    const masked = this.#maskBody(isMetrics ? maskMetrics(body) : body, id)
    const etag = headerValue(head, 'etag')
    if (etag !== undefined) this.said.etag = etag
    const isSameLength = masked === body
    const lines = head.map((line) => this.#maskLine(line, ask, isSameLength && body !== ''))
    return { status: Number(head[0]?.slice(9, 12) ?? 0), head: lines, body: masked }
  }

  #maskBody(body: string, id: string | undefined): string {
    let masked = body
      .replace(duration, '$1<duration>')
      .replace(uuid, (each) => (each === id ? '<request id>' : '<id>'))
      .replace(servedSince, '$1<time>')
    if (!masked.includes('next_cursor')) return masked
    const cursors: string[] = []
    masked = masked.replace(cursorShape, (_, name: string, cursor: string) => {
      cursors.push(cursor)
      return `${name}<cursor>`
    })
    if (cursors[0] !== undefined) this.said.cursor = cursors[0]
    for (const cursor of cursors) masked = masked.replaceAll(cursor, '<cursor>')
    return masked
  }

  #maskLine(line: string, ask: Ask, isSameLength: boolean): string {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    if (name === 'date') return 'Date: <time>'
    if (name === 'x-request-id') return line.replace(uuid, '<request id>')
    if (name === 'content-length') return isSameLength ? line : 'Content-Length: <length>'
    // A tag stands for the request, and so for the text of the cursor in it.
    if (name === 'etag' && ask.target.includes('{cursor}')) return line.slice(0, -17)
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
  if (body === '' || headerValue(head, 'content-encoding') !== 'gzip') return body
  return gunzipSync(Buffer.from(body, 'latin1')).toString('latin1')
}

/** Names and labels of metrics; values are those of a moment. */
function maskMetrics(text: string): string {
  return text.replace(/^([^#\n].*) \S+$/gm, '$1 <value>')
}

/** How often each operation answered with each status. */
export type Seen = Map<string, number>

/** The two builds over one snapshot. */
export class Pair {
  readonly #before: Side
  readonly #after: Side
  readonly #keys: Keys
  readonly #seen: Seen
  /** Answers that were compared. */
  compared = 0

  constructor(before: NetService, after: NetService, keys: Keys, seen: Seen) {
    this.#before = new Side(before)
    this.#after = new Side(after)
    this.#keys = keys
    this.#seen = seen
  }

  /** The services. */
  get services(): readonly NetService[] {
    return [this.#before.service, this.#after.service]
  }

  /** Asks both builds every request of a session. Throws DifferenceError. */
  async compare(session: readonly Ask[]): Promise<void> {
    this.#before.beginSession()
    this.#after.beginSession()
    for (const asks of partsOf(session)) {
      const [before, after] = await this.both(asks)
      for (const [index, ask] of asks.entries()) {
        this.#compareOne({ session, ask, before: before[index]!, after: after[index]! })
      }
    }
  }

  /** Asks both builds some requests, one behind the other. */
  both(asks: readonly Ask[]): Promise<[ComparedAnswer[], ComparedAnswer[]]> {
    return Promise.all([this.#before.ask(asks, this.#keys), this.#after.ask(asks, this.#keys)])
  }

  close(): void {
    this.#before.close()
    this.#after.close()
  }

  #compareOne(difference: Difference): void {
    const { ask, before, after } = difference
    this.compared += 1
    this.#note(ask, before)
    if (isSame(before, after) || intended.some(({ covers }) => covers(difference))) return
    throw new DifferenceError(difference)
  }

  #note(ask: Ask, { status }: ComparedAnswer): void {
    const path = fill(ask.target, nothingSaid(), {}).split('?')[0]!
    const row = `${ask.method} ${pathName(path)} ${status}`
    this.#seen.set(row, (this.#seen.get(row) ?? 0) + 1)
  }
}

/** Cuts a session into parts that can be sent at once: no request in one needs an earlier answer. */
function partsOf(session: readonly Ask[]): Ask[][] {
  const parts: Ask[][] = []
  let isAlone = true
  for (const ask of session) {
    const waits = ask.target.startsWith('/mcp') || /\{(?:cursor|etag)\}/.test(JSON.stringify(ask))
    if (waits || isAlone) parts.push([])
    parts.at(-1)!.push(ask)
    isAlone = waits
  }
  return parts
}

/** The first parts of a path, without what a value in it makes different. */
function pathName(path: string): string {
  const name = path.replace(/\/$/, '').replace(/^(\/api\/v1\/snapshots)\/.+/, '$1/{id}')
  return /^\/(?:api\/v1\/[a-z]+(?:\/\{id\})?|mcp|healthz|readyz|metrics|openapi\.json|docs)?$/.test(
    name,
  )
    ? name
    : 'other'
}

/** Whether two answers are the same. */
export function isSame(one: ComparedAnswer, other: ComparedAnswer): boolean {
  return one.body === other.body && one.head.join('\n') === other.head.join('\n')
}
