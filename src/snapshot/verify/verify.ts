/**
 * Proves that the sections of a snapshot agree with each other. Everything that the catalog relies on without looking
 * (offsets in order, references in range, tables that end every probe, ranks that are positions) is a rule, proved once,
 * so that serving never has to look.
 */
import type { Counts, SectionName, Sections } from '../sections.ts'
import { answerRules } from './answer-rules.ts'
import { evidenceRules } from './evidence-rules.ts'
import type { Rules, Verified } from './rule.ts'
import { searchRules } from './search-rules.ts'
import { structureRules } from './structure-rules.ts'

interface Contradiction {
  readonly section: SectionName
  readonly problem: string
}

/** The first contradiction. O(bytes). @param texts given where texts stay in the file. */
export function verifySections(
  sections: Sections,
  counts: Counts,
  rest: () => void = () => {},
  texts?: object,
): Contradiction | undefined {
  const rules = allRules({ sections, counts, isOnDisk: texts !== undefined })
  for (const { section, each, problem, entries, step, firstWrong } of rules) {
    for (let start = 0; start < entries; start += step) {
      rest()
      const wrong = firstWrong(start, Math.min(entries, start + step))
      if (wrong < 0) continue
      return { section, problem: each === undefined ? problem : `${each} ${wrong} ${problem}` }
    }
  }
  return undefined
}

function* allRules(verified: Verified): Rules {
  yield* structureRules(verified)
  yield* searchRules(verified)
  yield* evidenceRules(verified)
  yield* answerRules(verified)
}
