/** What was paid for under a key, in memory that threads share: against a plain map, and within its bounds. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createSharedPaidQuestions,
  keptSeconds,
  type NotBegun,
  PaidQuestions,
  type Payment,
  type QuestionId,
} from '../../../../src/ledger/live/paid-questions.ts'
import { limits } from '../../../../src/limits.ts'

function idOf(slot: number, key: number, question: number): QuestionId {
  return { slot, key: [key * 7_919, key], question: [question, 0] }
}

function payment(to: number, from = 0): Payment {
  return { from, to }
}

/** The accounts that ask in one run. */
const accountsOfRun = 3
const id = fc.tuple(fc.nat(accountsOfRun - 1), fc.nat(3), fc.nat(1))
const step = fc.oneof(
  fc.record({ what: fc.constant('begin' as const), thread: fc.nat(2), id }),
  fc.record({ what: fc.constant('settle' as const), thread: fc.nat(2), id, queries: fc.nat(5) }),
  fc.record({ what: fc.constant('wait' as const), seconds: fc.nat(keptSeconds) }),
)

interface Entry {
  readonly question: number
  readonly until: number
  paid: number
  repeats: number
}

/** The same as plain entries by account and key. */
class Model {
  readonly #entries = new Map<string, Entry>()

  #entry([slot, key]: readonly [number, number, number], nowSeconds: number) {
    const entry = this.#entries.get(`${slot} ${key}`)
    return entry !== undefined && entry.until > nowSeconds ? entry : undefined
  }

  paidOf(id: readonly [number, number, number], nowSeconds: number): number | undefined {
    const entry = this.#entry(id, nowSeconds)
    if (entry === undefined) return 0
    return entry.question === id[2] ? entry.paid : undefined
  }

  begin(id: readonly [number, number, number], nowSeconds: number, paid = 0): NotBegun | undefined {
    const [slot, key, question] = id
    const entry = this.#entry(id, nowSeconds)
    if (entry === undefined) {
      const until = nowSeconds + keptSeconds
      this.#entries.set(`${slot} ${key}`, { question, paid, until, repeats: 0 })
      return undefined
    }
    if (entry.question !== question) return 'reused'
    entry.repeats += 1
    if (entry.repeats <= limits.idempotencyRepeatsMax) return undefined
    return { forgottenInSeconds: entry.until - nowSeconds }
  }

  settle(id: readonly [number, number, number], queries: number, nowSeconds: number): number {
    const entry = this.#entry(id, nowSeconds)
    if (entry === undefined) this.begin(id, nowSeconds, queries)
    if (entry === undefined || entry.question !== id[2]) return 0
    const { paid } = entry
    entry.paid = Math.max(paid, queries)
    return paid
  }
}

describe('questions under keys', () => {
  it('are remembered for ten minutes by all threads, as by a plain map', () => {
    // One memory for all runs, each with accounts of its own: to make 18 MiB for each has the collector run each time.
    const shared = createSharedPaidQuestions()
    let nowMs = 0
    const threads = [0, 1, 2].map((place) => new PaidQuestions(shared, place, () => nowMs))
    let runs = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const model = new Model()
        const firstSlot = accountsOfRun * runs
        runs += 1
        const own = ([slot, key, question]: readonly [number, number, number]) =>
          idOf(firstSlot + slot, key, question)
        for (const each of steps) {
          const now = nowMs / 1000
          if (each.what === 'wait') nowMs += each.seconds * 1000
          else {
            const thread = threads[each.thread]!
            expect(thread.paidOf(own(each.id))).toBe(model.paidOf(each.id, now))
            if (each.what === 'begin') {
              expect(thread.begin(own(each.id))).toEqual(model.begin(each.id, now))
            } else {
              const before = thread.settle(own(each.id), payment(each.queries))
              expect(before).toBe(model.settle(each.id, each.queries, now))
            }
          }
        }
      }),
    )
  })

  it('of one account never push those of another out, however many it has', () => {
    const questions = new PaidQuestions(createSharedPaidQuestions(), 0, () => 0)
    const quiet = Array.from({ length: 1_000 }, (_, key) => idOf(1, key, 1))
    for (const each of quiet) questions.settle(each, payment(1))
    const room = 1 << 19
    for (let key = 0; key < room; key += 1) questions.begin(idOf(0, key, 1))
    expect(quiet.every((each) => questions.paidOf(each) === 1)).toBe(true)
  })

  it('that are too many for an account are forgotten, the oldest first', () => {
    let nowMs = 0
    const questions = new PaidQuestions(createSharedPaidQuestions(), 0, () => nowMs)
    // All of one bucket, one a second.
    const same = Array.from({ length: 20 }, (_, key): QuestionId => {
      return { slot: 0, key: [5, key], question: [1, 1] }
    })
    for (const each of same) {
      questions.settle(each, payment(1))
      nowMs += 1_000
    }
    expect(same.map((each) => questions.paidOf(each))).toEqual([
      ...Array<number>(12).fill(0),
      ...Array<number>(8).fill(1),
    ])
  })

  it('are found again when the thread that held their lock died', () => {
    const shared = createSharedPaidQuestions()
    new Int32Array(shared.locks).fill(2)
    const replaced = new PaidQuestions(shared, 1, () => 0)
    replaced.releaseLeftOver()
    const other = new PaidQuestions(shared, 0, () => 0)
    expect([other.begin(idOf(0, 1, 1)), other.begin(idOf(0, 1, 2))]).toEqual([undefined, 'reused'])
  })
})

describe('what was paid under keys', () => {
  it('is only what an answer paid, where its key was forgotten while it was written', () => {
    const questions = new PaidQuestions(createSharedPaidQuestions(), 0, () => 0)
    const [absent, anew] = [idOf(0, 1, 1), idOf(0, 2, 1)]
    expect(questions.settle(absent, payment(9, 4))).toBe(4)
    questions.begin(anew)
    expect(questions.settle(anew, payment(9, 4))).toBe(4)
    expect([absent, anew].map((each) => questions.paidOf(each))).toEqual([9, 9])
  })
})
