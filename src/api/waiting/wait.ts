/**
 * A request that cannot be answered at once, because something that is not in memory has to be brought first. It
 * holds no reservation, and counts for its limit once.
 */
import type { NotAtHand } from '../../memory/elsewhere/not-at-hand.ts'
import type { Problem } from '../../problems.ts'
import type { AdmittedQuery } from '../pipeline/admitted.ts'
import { type RefusedRequest, refusalForNow, withLimit } from '../pipeline/refusals.ts'

/** What is known of the request when it is asked again. */
type Admission = Pick<AdmittedQuery, 'takenNs' | 'owner' | 'rateLimit'>

/** What a request waits for. */
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

  /** What the limit has answered. */
  get takenNs(): number {
    return this.#admission.takenNs
  }

  /** The account of the request; undefined where no key is needed. */
  get account(): number | undefined {
    return this.#admission.owner?.accountSlot
  }

  /** The refusal while what is missing cannot be brought. */
  refusal(problem: Problem = this.missing.problem): RefusedRequest {
    const { rateLimit, takenNs } = this.#admission
    const refusal = refusalForNow(problem)
    return rateLimit === undefined ? refusal : withLimit(refusal, rateLimit, takenNs)
  }
}
