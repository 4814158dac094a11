/**
 * What stands around the items of the answers of one route: the envelope of the body, and the header lines. The next answer
 * is written over them. The lines of the snapshot that answered last are kept, but no snapshot.
 */
import type { Reservations } from '../../ledger/live/reservations.ts'
import { operations, type RouteName } from '../../operations.ts'
import { Body } from '../items/body.ts'
import { limitOf, type RateLimits } from '../limits/rate-limit.ts'
import { AnswerHead } from './answer-head.ts'
import { hashPath } from './etag.ts'
import { idLength, type RequestIds } from './request-ids.ts'
import type { AnswerFacts, PageFacts } from './response-headers.ts'

/** What answers are framed with. */
export interface FrameContext extends RateLimits {
  readonly ids: RequestIds
  /** Without them, answers cost nothing. */
  readonly reservations?: Reservations
}

const idPlace = '-'.repeat(idLength)
const durationAt = '{"duration":'.length

export class AnswerFrame {
  readonly body: Body
  /** The facts of the answer; all but its id are to be filled in before `head`. */
  readonly facts: { -readonly [N in keyof AnswerFacts]: AnswerFacts[N] } = {
    id: 0,
    query: '',
    costMicroUsd: 0,
    balanceMicroUsd: 0,
    leftOfCapMicroUsd: undefined,
    takenNs: 0,
    way: '',
  }
  readonly #ids: RequestIds
  /** Offset of the id of the request in the body; -1 where it has none. */
  readonly #idAt: number
  readonly #page: Omit<PageFacts, 'snapshotId' | 'isCapped' | 'saysBalance'>
  #snapshotId = ''
  /** For keys that may see their account, for those with a cap, and for those that have none and may not see it. */
  #head: AnswerHead | undefined
  #cappedHead: AnswerHead | undefined
  #narrowHead: AnswerHead | undefined

  constructor(route: RouteName, context: FrameContext) {
    const { paths, requestIdInBody, saysWay } = operations[route]
    const { ids, reservations } = context
    const opening = '{"duration":0.000000'
    const id = requestIdInBody ? ',"request_id":"' : ''
    this.#idAt = requestIdInBody ? opening.length + id.length : -1
    this.body = new Body(`${opening}${id}${requestIdInBody ? `${idPlace}"` : ''},"results":[`)
    this.#ids = ids
    const path = hashPath(paths[0])
    const isPaid = reservations !== undefined
    this.#page = { ids, path, isPaid, saysWay, rateLimit: limitOf(route, context) }
  }

  /** Begins an answer to a request with an id of its own; the items are then written to `body`. */
  begin(): void {
    const id = this.#ids.next()
    this.facts.id = id
    this.body.begin()
    if (this.#idAt >= 0) this.#ids.copy(id, this.body.data, this.#idAt)
  }

  /** The header lines of the answer, from a snapshot; valid until the next. */
  head(snapshotId: string): Uint8Array {
    const { facts } = this
    if (snapshotId !== this.#snapshotId) {
      this.#snapshotId = snapshotId
      this.#head = undefined
      this.#cappedHead = undefined
      this.#narrowHead = undefined
    }
    if (facts.leftOfCapMicroUsd !== undefined) {
      this.#cappedHead ??= this.#newHead()
      return this.#cappedHead.write(facts)
    }
    if (facts.balanceMicroUsd === undefined) {
      this.#narrowHead ??= this.#newHead()
      return this.#narrowHead.write(facts)
    }
    this.#head ??= this.#newHead()
    return this.#head.write(facts)
  }

  #newHead(): AnswerHead {
    const { leftOfCapMicroUsd, balanceMicroUsd } = this.facts
    return new AnswerHead({
      ...this.#page,
      snapshotId: this.#snapshotId,
      isCapped: leftOfCapMicroUsd !== undefined,
      saysBalance: balanceMicroUsd !== undefined,
    })
  }

  /**
   * Ends the body; returns its bytes, which are valid until the next one begins.
   * @param members JSON of the members behind the items, each behind a comma.
   */
  end(seconds: number, members?: string): Uint8Array {
    this.body.end(members)
    this.body.writeDuration(durationAt, seconds)
    return this.body.view()
  }
}
