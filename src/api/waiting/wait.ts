/**
 * A request that cannot be answered at once, because something that is not in memory has to be brought first. It
 * holds no reservation, and counts for its limit once.
 */
import type { NotAtHand } from '../../memory/elsewhere/not-at-hand.ts'
import type { Problem } from '../../problems.ts'
import type { AdmittedQuery } from '../pipeline/admitted.ts'
import { type RefusedRequest, refusalForNow, withLimit } from '../pipeline/refusals.ts'

/** The part of the admission that is needed when the request is sent again. */
type Admission = Pick<AdmittedQuery, 'takenNs' | 'owner' | 'rateLimit'>

/** A waiting request: the missing data, and its admission so far. */
export class Wait {
  readonly missing: NotAtHand
  /** When the request came, by the clock of the API. */
  readonly startedMs: number
  readonly #admission: Admission

  constructor(missing: NotAtHand, { takenNs, owner, rateLimit }: Admission, startedMs: number) {
    this.missing = missing
    this.startedMs = startedMs
    this.#admission = { takenNs, owner, rateLimit }
  }

  /** The answer of the limit. */
  get takenNs(): number {
    return this.#admission.takenNs
  }

  /** The account of the request; undefined if no key is needed. */
  get account(): number | undefined {
    return this.#admission.owner?.accountSlot
  }

  /** The refusal while the missing data cannot be brought. */
  refusal(problem: Problem = this.missing.problem): RefusedRequest {
    const { rateLimit, takenNs } = this.#admission
    const refusal = refusalForNow(problem)
    return rateLimit === undefined ? refusal : withLimit(refusal, rateLimit, takenNs)
  }
}
