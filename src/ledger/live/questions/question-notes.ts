/**
 * The payments under keys of clients, on their way between the memory of the threads and the ledger. A part travels
 * with a charge of its account, so that both are durable together or lost together. It is taken after the charges were
 * read, and so never comes later than its own; if the charges are read again after that, it comes no earlier either.
 */
import type { Charge, PaidPart, PaidQuestion } from '../../port.ts'
import type { Slots } from '../slots.ts'
import {
  createSharedPaidQuestions,
  keptSeconds,
  PaidQuestions,
  type SharedPaidQuestions,
  type UnwrittenPayment,
} from './paid-questions.ts'

/** The main thread's view. */
export class QuestionNotes {
  /** The memory for `new PaidQuestions(shared, place, clock)` in serving threads. */
  readonly shared: SharedPaidQuestions = createSharedPaidQuestions()
  readonly #questions: PaidQuestions
  readonly #slots: Slots
  readonly #clock: () => number
  /** They were taken, and their accounts had no charge since. */
  #waiting: UnwrittenPayment[] = []
  #unlearned: readonly PaidQuestion[] = []

  /**
   * @param place one that no serving thread has.
   * @param clock that of the serving threads.
   */
  constructor(slots: Slots, place: number, clock: () => number) {
    this.#questions = new PaidQuestions(this.shared, place, clock)
    this.#slots = slots
    this.#clock = clock
  }

  /** Takes what was paid under keys since the last time, for the next charges. Returns whether there was any. */
  take(): boolean {
    const taken = this.#questions.takeUnwritten()
    this.#waiting.push(...taken)
    return taken.length > 0
  }

  /**
   * Adds to charges what was taken for them. What is paid by now may have no charge among them, and is for the next.
   * @param nowMs by the clock of the ledger.
   */
  addTo(charges: readonly Charge[], nowMs: number): readonly Charge[] {
    if (this.#waiting.length === 0) return charges
    const parts = new Map<number, PaidPart[]>(charges.map((each) => [each.accountNumber, []]))
    const aheadMs = nowMs - this.#clock()
    this.#waiting = this.#waiting.filter((each) => {
      const ofAccount = parts.get(this.#slots.accountNumberOf(each.slot) ?? 0)
      ofAccount?.push(partOf(each, aheadMs))
      return ofAccount === undefined
    })
    return charges.map((charge) => {
      const questions = parts.get(charge.accountNumber) ?? []
      parts.delete(charge.accountNumber)
      return questions.length === 0 ? charge : { ...charge, questions }
    })
  }

  /**
   * Takes over what the ledger knows. A question that a thread is just changing is taken over at the next call.
   * @param nowMs by the clock of the ledger.
   */
  learn(questions: readonly PaidQuestion[], nowMs: number): void {
    this.#unlearned = [...this.#unlearned, ...questions].filter((each) => !this.#learn(each, nowMs))
  }

  /** Returns whether nothing is left to do. */
  #learn({ accountNumber, key, question, queries, untilMs }: PaidQuestion, nowMs: number): boolean {
    const slot = this.#slots.slotOf(accountNumber)
    const leftSeconds = Math.min(Math.ceil((untilMs - nowMs) / 1000), keptSeconds)
    if (slot === undefined || leftSeconds <= 0) return true
    const id = { slot, key: wordsOf(key), question: wordsOf(question) }
    return this.#questions.learn(id, { queries, leftSeconds })
  }
}

function partOf(payment: UnwrittenPayment, aheadMs: number): PaidPart {
  const { key, question, from, to, priceMicroUsd, untilSeconds } = payment
  const untilMs = Math.round(untilSeconds * 1000 + aheadMs)
  return { key: textOf(key), question: textOf(question), from, to, priceMicroUsd, untilMs }
}

function textOf(words: readonly [number, number]): string {
  return words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function wordsOf(text: string): readonly [number, number] {
  return [Number.parseInt(text.slice(0, 8), 16) | 0, Number.parseInt(text.slice(8), 16) | 0]
}
