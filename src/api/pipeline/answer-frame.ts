/**
 * What stands around the items of the answers of one route; the next answer is written over it. The lines of the snapshot
 * that answered last are kept, but no snapshot. Writing a header costs a call out of JavaScript each, so all lines travel
 * as the value of the first, `X-Request-Id`. Nothing in them comes from a request but hexadecimal digits.
 */
import type { Way } from '../../engine/interpret/found.ts'
import type { Reservations } from '../../ledger/live/reservations.ts'
import { writeAscii, writeUsd } from '../../memory/ascii.ts'
import { dataViewOf } from '../../memory/text-table.ts'
import { operations, type RouteName } from '../../operations.ts'
import { Body } from '../items/body.ts'
import { limitOf, type RateLimit, type RateLimits } from '../limits/rate-limit.ts'
import { etagOf, hashPath, type PathHash, rewriteEtag } from './etag.ts'
import { idLength, type RequestIds } from './request-ids.ts'
import { type AnswerLineName, noSniff, ownCache } from './response-headers.ts'

export interface FrameContext extends RateLimits {
  readonly ids: RequestIds
  /** Without them, answers cost nothing. */
  readonly reservations?: Reservations
}

/** Facts of one answer; amounts in micro-USD. */
interface AnswerFacts {
  id: number
  query: string
  costMicroUsd: number
  /** Undefined where the answer says none. */
  balanceMicroUsd: number | undefined
  /** Undefined without a cap. */
  leftOfCapMicroUsd: number | undefined
  /** 0 without a limit. */
  takenNs: number
  /** '' for an answer without a search. */
  way: Way | ''
}

/** uWebSockets.js closes a connection that was idle for 8 to 12 seconds. */
const keptSeconds = 8

/** More than the last lines take, each with a name and amounts of at most 24 characters. */
const lastLinesBytesMax = 512

const idPlace = '-'.repeat(idLength)
const durationAt = '{"duration":'.length

/** Its name stays where it is while all lines before it are as long as before. */
class LastLine {
  /** The end of the line before, the name, and the beginning of every value. */
  readonly #before: string
  valueAt = -1

  constructor(name: AnswerLineName, begins = '') {
    this.#before = `\r\n${name}: ${begins}`
  }

  /** Returns the offset of its value. */
  begin(bytes: Buffer, at: number): number {
    const valueAt = at + this.#before.length
    if (valueAt !== this.valueAt) {
      writeAscii(bytes, at, this.#before)
      this.valueAt = valueAt
    }
    return valueAt
  }
}

export class AnswerFrame {
  readonly body: Body
  /** All but its id are to be filled in before `head`. */
  readonly facts: AnswerFacts = {
    id: 0,
    query: '',
    costMicroUsd: 0,
    balanceMicroUsd: 0,
    leftOfCapMicroUsd: undefined,
    takenNs: 0,
    way: '',
  }
  readonly #ids: RequestIds
  /** -1 where the body has none. */
  readonly #idAt: number
  readonly #path: PathHash
  readonly #isPaid: boolean
  readonly #rateLimit: RateLimit | undefined
  readonly #way: LastLine | undefined
  readonly #cost = new LastLine('X-Cost-Usd')
  readonly #balance = new LastLine('X-Balance-Usd')
  readonly #leftOfCap = new LastLine('X-Key-Remaining-Usd')
  readonly #limit: LastLine
  #snapshotId = ''
  #head = Buffer.alloc(0)
  #headData = dataViewOf(this.#head)
  #etagAt = 0
  #lastLinesAt = 0
  /** Which lines the last head had, as a number. */
  #shape = 0
  /** The first bytes of the head by their number. */
  #views: Uint8Array[] = []

  constructor(route: RouteName, context: FrameContext) {
    const { paths, requestIdInBody, saysWay } = operations[route]
    const opening = '{"duration":0.000000'
    const id = requestIdInBody ? ',"request_id":"' : ''
    this.#idAt = requestIdInBody ? opening.length + id.length : -1
    this.body = new Body(`${opening}${id}${requestIdInBody ? `${idPlace}"` : ''},"results":[`)
    this.#ids = context.ids
    this.#path = hashPath(paths[0])
    this.#isPaid = context.reservations !== undefined
    this.#rateLimit = limitOf(route, context)
    this.#way = saysWay ? new LastLine('X-Search-Way') : undefined
    this.#limit = new LastLine('RateLimit', this.#rateLimit?.stateBegins)
  }

  begin(): void {
    const id = this.#ids.next()
    this.facts.id = id
    this.body.begin()
    if (this.#idAt >= 0) this.#ids.copy(id, this.body.data, this.#idAt)
  }

  /** Valid until the next. */
  head(snapshotId: string): Uint8Array {
    if (snapshotId !== this.#snapshotId) this.#beginHead(snapshotId)
    const { facts } = this
    this.#ids.copy(facts.id, this.#headData, 0)
    rewriteEtag(this.#headData, this.#etagAt, this.#path, facts.query)
    const end = this.#writeLastLines(facts)
    // A typed array ignores writes beyond its end without an error.
    if (end > this.#head.length) {
      throw new Error(`header lines of ${end} bytes in ${this.#head.length}`)
    }
    let view = this.#views[end]
    if (view === undefined) {
      view = this.#head.subarray(0, end)
      this.#views[end] = view
    }
    return view
  }

  #beginHead(snapshotId: string): void {
    this.#snapshotId = snapshotId
    const toEtag = `${idPlace}\r\nX-Snapshot-Id: ${snapshotId}\r\nETag: `
    const lines = [
      toEtag + etagOf(snapshotId, this.#path, ''),
      ownCache.join(': '),
      'Content-Type: application/json',
      noSniff.join(': '),
      `Keep-Alive: timeout=${keptSeconds}`,
      ...(this.#rateLimit === undefined ? [] : [`RateLimit-Policy: ${this.#rateLimit.policy}`]),
    ].join('\r\n')
    this.#head = Buffer.alloc(lines.length + lastLinesBytesMax)
    this.#headData = dataViewOf(this.#head)
    this.#etagAt = toEtag.length
    this.#lastLinesAt = this.#head.write(lines, 'latin1')
    this.#views = []
    this.#forgetLastLines()
  }

  #forgetLastLines(): void {
    for (const line of [this.#way, this.#cost, this.#balance, this.#leftOfCap, this.#limit]) {
      if (line !== undefined) line.valueAt = -1
    }
  }

  #writeLastLines(facts: AnswerFacts): number {
    const { balanceMicroUsd, leftOfCapMicroUsd } = facts
    const bytes = this.#head
    const shape =
      (balanceMicroUsd === undefined ? 0 : 1) + (leftOfCapMicroUsd === undefined ? 0 : 2)
    if (shape !== this.#shape) {
      this.#shape = shape
      this.#forgetLastLines()
    }
    let end = this.#lastLinesAt
    if (this.#way !== undefined) end = writeAscii(bytes, this.#way.begin(bytes, end), facts.way)
    if (this.#isPaid) {
      end = writeUsd(bytes, this.#cost.begin(bytes, end), facts.costMicroUsd)
      if (balanceMicroUsd !== undefined) {
        end = writeUsd(bytes, this.#balance.begin(bytes, end), balanceMicroUsd)
      }
    }
    if (leftOfCapMicroUsd !== undefined) {
      end = writeUsd(bytes, this.#leftOfCap.begin(bytes, end), leftOfCapMicroUsd)
    }
    if (this.#rateLimit === undefined) return end
    return this.#rateLimit.writeState(bytes, this.#limit.begin(bytes, end), facts.takenNs)
  }

  /** Valid until the next body begins. @param members JSON behind the items, each behind a comma. */
  end(seconds: number, members?: string): Uint8Array {
    this.body.end(members)
    this.body.writeDuration(durationAt, seconds)
    return this.body.view()
  }
}
