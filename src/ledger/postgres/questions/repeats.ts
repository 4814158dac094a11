/**
 * The queries of a settlement that were charged before under the same key, by another node or by this one before it
 * forgot the key. Every query of a question is charged once: of what sessions charged, the parts that overlap are
 * given back. Pure rules; the account is locked meanwhile.
 */
import type { Charge, PaidQuestion } from '../../port.ts'

/** Queries and amount that are given back to an account. */
export interface Repeat {
  readonly accountNumber: number
  readonly queries: number
  readonly amountMicroUsd: number
}

/** Changes by a settlement. */
interface SettledQuestions {
  /** The new state of questions, for those that the settlement changed. */
  readonly changed: readonly PaidQuestion[]
  /** At most one for each account. */
  readonly repeats: readonly Repeat[]
}

/**
 * Compares charges with what is known of their questions.
 * @param known what was paid under the keys of the charges, and is not forgotten.
 */
export function settleQuestions(
  charges: readonly Charge[],
  known: readonly PaidQuestion[],
): SettledQuestions {
  const paid = new Map(known.map((each) => [nameOf(each), each]))
  const changed = new Map<string, PaidQuestion>()
  const repeats: Repeat[] = []
  for (const { accountNumber, questions = [] } of charges) {
    let queries = 0
    let amountMicroUsd = 0
    for (const { from, to, priceMicroUsd, ...hashed } of questions) {
      const name = nameOf({ accountNumber, ...hashed })
      const before = paid.get(name)
      // If two questions have one key, the first keeps it; the other is charged as without a key.
      if (before !== undefined && before.question !== hashed.question) continue
      const paidBefore = before?.queries ?? 0
      const repeated = Math.max(0, Math.min(paidBefore, to) - from)
      queries += repeated
      amountMicroUsd += repeated * priceMicroUsd
      if (to <= paidBefore) continue
      const now = { ...hashed, accountNumber, queries: to }
      paid.set(name, now)
      changed.set(name, now)
    }
    if (amountMicroUsd > 0) repeats.push({ accountNumber, queries, amountMicroUsd })
  }
  return { changed: [...changed.values()], repeats }
}

function nameOf({ accountNumber, key }: Pick<PaidQuestion, 'accountNumber' | 'key'>): string {
  return `${accountNumber} ${key}`
}
