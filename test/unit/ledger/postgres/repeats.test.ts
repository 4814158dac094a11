/**
 * One question, one charge, in a fleet: nodes answer the same questions, settle late, learn of each other late
 * and are killed. What was charged less what was given back is what the best answer to each question cost.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Balances, createSharedBalances } from '../../../../src/ledger/live/balances.ts'
import {
  PaidQuestions,
  type QuestionId,
} from '../../../../src/ledger/live/questions/paid-questions.ts'
import { QuestionNotes } from '../../../../src/ledger/live/questions/question-notes.ts'
import { Slots } from '../../../../src/ledger/live/slots.ts'
import type { Charge, PaidQuestion } from '../../../../src/ledger/port.ts'
import { settleQuestions } from '../../../../src/ledger/postgres/questions/repeats.ts'

const accountNumber = 1
const priceMicroUsd = 500
const untilMs = 600_000

/** One database: what is known, and the sum of what was charged and given back, in queries. */
class Books {
  readonly known = new Map<string, PaidQuestion>()
  queries = 0

  settle(charges: readonly Charge[]): void {
    const { changed, repeats } = settleQuestions(charges, [...this.known.values()])
    for (const each of changed) this.known.set(each.key, each)
    for (const { sales } of charges) this.queries += sales.match?.queries ?? 0
    for (const { queries, amountMicroUsd } of repeats) {
      expect(amountMicroUsd).toBe(queries * priceMicroUsd)
      this.queries -= queries
    }
  }
}

/** One node: its memory, and its outbox. */
class Node {
  readonly #notes: QuestionNotes
  readonly #thread: PaidQuestions
  #recorded = 0
  #outbox: Charge[] = []

  constructor() {
    const slots = new Slots(new Balances(createSharedBalances(1)))
    slots.grant({ accountNumber, grantedMicroUsd: 0, spentMicroUsd: 0 })
    this.#notes = new QuestionNotes(slots, 1, () => 0)
    this.#thread = new PaidQuestions(this.#notes.shared, 0, () => 0)
  }

  /** Reserves what is not paid; the answer is written later, or not. */
  begin(id: QuestionId, to: number): () => void {
    const from = this.#thread.paidOf(id)!
    if (to <= from) return () => {}
    this.#thread.begin(id, from)
    return () => {
      this.#recorded += Math.max(0, to - this.#thread.settle(id, { from, to, priceMicroUsd }))
    }
  }

  commit(): void {
    if (this.#recorded === 0) return
    const queries = this.#recorded
    const sales = { match: { queries, amountMicroUsd: queries * priceMicroUsd } }
    this.#notes.take()
    this.#outbox.push(...this.#notes.addTo([{ accountNumber, lineage: 'key_1', sales }], 0))
    this.#recorded = 0
  }

  /** One settlement for each window; several windows in one is the sum of their charges. */
  settle(books: Books): void {
    for (const charge of this.#outbox) books.settle([charge])
    this.#outbox = []
  }

  learn(books: Books): void {
    this.#notes.learn([...books.known.values()], 0)
  }

  /** The next process in its place reports the contents of its outbox. */
  killed(): Node {
    const next = newNode()
    next.#outbox = this.#outbox
    this.#outbox = []
    return next
  }

  /** Has nothing to report any more. */
  retire(): void {
    this.commit()
    this.settle(new Books())
  }
}

/** Nodes of earlier runs. Memory is expensive to make anew: a run has keys of its own, which no such node knows. */
const retired: Node[] = []

function newNode(): Node {
  return retired.pop() ?? new Node()
}

function idOf(run: number, key: number): QuestionId {
  return { slot: 0, key: [run * 7_919 + key, run], question: [0, key] }
}

type What = 'answer' | 'begin' | 'end' | 'commit' | 'settle' | 'learn' | 'kill'

function stepsOf(...whats: readonly What[]) {
  const what = fc.constantFrom(...whats)
  const queries = fc.integer({ min: 1, max: 4 })
  return fc.array(fc.record({ what, node: fc.nat(1), key: fc.nat(1), queries }), {
    minLength: 20,
    maxLength: 40,
  })
}

const usual = ['answer', 'answer', 'begin', 'end', 'commit', 'settle', 'learn'] as const

let runs = 0

/**
 * Has nodes do these steps and then settle everything. Returns the queries that were charged and not given back,
 * those of the best answers, and those that the books know.
 */
function play(
  nodes: Node[],
  steps: readonly { what: What; node: number; key: number; queries: number }[],
) {
  runs += 1
  const books = new Books()
  const all = new Set(nodes)
  const begun: { node: Node; key: number; queries: number; end: () => void }[] = []
  const written = new Map<number, number>()
  const answered = ({ key, queries, end }: Omit<(typeof begun)[number], 'node'>) => {
    end()
    written.set(key, Math.max(queries, written.get(key) ?? 0))
  }
  for (const { node: index, what, key, queries } of steps) {
    const node = nodes[index]!
    if (what === 'answer') answered({ key, queries, end: node.begin(idOf(runs, key), queries) })
    else if (what === 'begin') {
      begun.push({ node, key, queries, end: node.begin(idOf(runs, key), queries) })
    } else if (what === 'end') {
      const next = begun.shift()
      if (next !== undefined && nodes.includes(next.node)) answered(next)
    } else if (what === 'kill') {
      nodes[index] = node.killed()
      all.add(nodes[index])
    } else if (what === 'commit') node.commit()
    else if (what === 'settle') node.settle(books)
    else node.learn(books)
  }
  for (const node of nodes) {
    node.commit()
    node.settle(books)
  }
  for (const node of all) node.retire()
  retired.push(...all)
  const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
  const known = sum([...books.known.values()].map(({ queries }) => queries))
  return { charged: books.queries, answered: sum(written.values()), known }
}

describe('a question of a fleet', () => {
  it('is charged once in the end, whatever nodes answer, settle and learn meanwhile', () => {
    const once = fc.property(stepsOf(...usual), (steps) => {
      const { charged, answered, known } = play([newNode(), newNode()], steps)
      expect([charged, known]).toEqual([answered, answered])
    })
    fc.assert(once, { numRuns: 2_000 })
  })

  it('is charged once or, where a node was killed before its commit, not at all', () => {
    const once = fc.property(stepsOf(...usual, 'kill'), (steps) => {
      const { charged, answered, known } = play([newNode(), newNode()], steps)
      expect(charged).toBe(known)
      expect(charged).toBeLessThanOrEqual(answered)
    })
    fc.assert(once, { numRuns: 2_000 })
  })

  it('is charged as without a key where another question had its key first', () => {
    const part = { key: 'k', from: 0, to: 2, priceMicroUsd, untilMs }
    const sales = { match: { queries: 2, amountMicroUsd: 1_000 } }
    const other = { accountNumber, key: 'k', question: 'other', queries: 9, untilMs }
    const charge = {
      accountNumber,
      lineage: 'key_1',
      sales,
      questions: [{ ...part, question: 'one' }],
    }
    expect(settleQuestions([charge], [other])).toEqual({ changed: [], repeats: [] })
  })

  it('belongs to one account: the same key of another is another question', () => {
    const part = { key: 'k', question: 'q', from: 0, to: 2, priceMicroUsd, untilMs }
    const known = { accountNumber: 2, key: 'k', question: 'q', queries: 2, untilMs }
    const charges = [1, 2].map((number) => {
      return { accountNumber: number, lineage: 'key_1', sales: {}, questions: [part] }
    })
    expect(settleQuestions(charges, [known])).toEqual({
      changed: [{ ...known, accountNumber: 1 }],
      repeats: [{ accountNumber: 2, queries: 2, amountMicroUsd: 1_000 }],
    })
  })
})
