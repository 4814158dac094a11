/**
 * The payments under keys of clients, written in the transactions of their charges and read when a service starts. An
 * entry is removed by a later batch when its time is over, and the oldest go first where there are too many. To read
 * an entry takes some 4 µs of processor time. A key may stand here twice when the clock was set; then the larger count
 * holds.
 */
import type { Charge, PaidQuestion } from '../port.ts'
import type { Tables } from './tables.ts'

/** The most entries that are kept, of all accounts together. */
const questionsMax = 524_288

/** Maximum number of entries removed at once beyond those added, so that a batch after a pause stays small. */
const removedMore = 1_000

/** Writes the payments of some charges under keys; must run in their transaction. */
export function keepQuestions(
  tables: Pick<Tables, 'questions'>,
  charges: readonly Charge[],
  nowMs: number,
  kept = questionsMax,
): void {
  const { questions } = tables
  let added = 0
  for (const { accountNumber, questions: parts = [] } of charges) {
    for (const { key, question, to, untilMs } of parts) {
      const untilSeconds = Math.ceil(untilMs / 1000)
      questions.putSync([untilSeconds, accountNumber, key], { question, queries: to })
      added += 1
    }
  }
  if (added > 0) removeOld(questions, added + removedMore, nowMs, kept)
}

/** Payments that are remembered at a time. */
export function questionsAt(
  { questions }: Pick<Tables, 'questions'>,
  nowMs: number,
): PaidQuestion[] {
  const start: [number, number, string] = [Math.floor(nowMs / 1000) + 1, 0, '']
  return Array.from(questions.getRange({ start }), ({ key, value }) => {
    const [untilSeconds, accountNumber, hash] = key
    return { ...value, accountNumber, key: hash, untilMs: untilSeconds * 1000 }
  })
}

function removeOld(
  questions: Tables['questions'],
  removedMax: number,
  nowMs: number,
  kept: number,
): void {
  const excess = Math.max(0, entriesOf(questions) - kept)
  const limit = Math.max(excess, removedMax)
  let removed = 0
  for (const key of [...questions.getKeys({ limit })]) {
    const [untilSeconds] = key
    if (removed >= excess && untilSeconds * 1000 > nowMs) return
    questions.removeSync(key)
    removed += 1
  }
}

/** LMDB counts them. */
function entriesOf(questions: Tables['questions']): number {
  return (questions.getStats() as { entryCount: number }).entryCount
}
