/**
 * Suggestions for a typed text: at once if they are known, then as the service answers. The newest text is
 * requested as soon as it is typed. Of the earlier requests only the oldest is awaited, so that a slow
 * network shows something, and never more than two requests are on their way. Suggestions never go back to
 * an older text.
 */
import type { AnswerEnvelope, Suggestion } from './answers.ts'
import type { Outcome } from './asking.ts'

/** The suggestions for a text. */
export interface Offer {
  /** The text, without the spaces around it; '' for none. */
  readonly typed: string
  readonly suggestions: readonly Suggestion[]
}

/** The offer for an empty text. */
export const noOffer: Offer = { typed: '', suggestions: [] }

/** Source of suggestions, and their receiver. */
interface SuggestingContext {
  readonly ask: (typed: string, signal: AbortSignal) => Promise<Outcome<AnswerEnvelope<Suggestion>>>
  /** The last answer for a text, while it is kept. */
  readonly seen: (typed: string) => AnswerEnvelope<Suggestion> | undefined
  /** Called with each offer, the texts in the order in which they were typed. */
  readonly onOffer: (offer: Offer) => void
}

interface Sent {
  readonly typed: string
  readonly connection: AbortController
}

/** The suggestions of one search field. */
export class Suggesting {
  readonly #context: SuggestingContext
  /** Requests without an answer: the oldest one that is awaited, and the newest. */
  #sent: readonly Sent[] = []
  #wanted = ''

  constructor(context: SuggestingContext) {
    this.#context = context
  }

  /** Offers something for a text; nothing, at once, for an empty one. */
  want(text: string): void {
    const typed = text.trim()
    if (typed === this.#wanted) return
    this.#wanted = typed
    const offer = this.#offerAtOnce(typed)
    this.#cancelBehind(offer === undefined ? 1 : 0)
    if (offer !== undefined) this.#context.onOffer(offer)
    if (typed === '') return
    const sent = { typed, connection: new AbortController() }
    this.#sent = [...this.#sent, sent]
    void this.#offerAnswer(sent)
  }

  #offerAtOnce(typed: string): Offer | undefined {
    if (typed === '') return noOffer
    const seen = this.#context.seen(typed)
    return seen && { typed, suggestions: seen.results }
  }

  async #offerAnswer(sent: Sent): Promise<void> {
    const { typed, connection } = sent
    const outcome = await this.#context.ask(typed, connection.signal)
    const place = this.#sent.indexOf(sent)
    // It was cancelled, or the answer for a later text came first.
    if (place < 0) return
    this.#cancelBefore(place)
    // A failed request may be sent again.
    if (outcome.kind !== 'answer' && typed === this.#wanted) this.#wanted = ''
    this.#context.onOffer(offerOf(typed, outcome))
  }

  /** Cancels all requests on their way but the first `kept`. */
  #cancelBehind(kept: number): void {
    for (const { connection } of this.#sent.slice(kept)) connection.abort()
    this.#sent = this.#sent.slice(0, kept)
  }

  /** Removes the answered request, and cancels the older ones. */
  #cancelBefore(place: number): void {
    for (const { connection } of this.#sent.slice(0, place)) connection.abort()
    this.#sent = this.#sent.slice(place + 1)
  }
}

/** Without an answer nothing is offered: the text can still be searched for, and that says what is wrong. */
function offerOf(typed: string, outcome: Outcome<AnswerEnvelope<Suggestion>>): Offer {
  return { typed, suggestions: outcome.kind === 'answer' ? outcome.json.results : [] }
}
