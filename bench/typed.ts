/**
 * What becomes of texts as people type them: titles, questions, courtesy, identities in every spelling,
 * initials, slips, offices, operators, and texts that mean nobody?
 *
 *     npx tsx bench/typed.ts                    tiny: seconds, to see that it works
 *     npx tsx bench/typed.ts --full             for figures
 *     npx tsx bench/typed.ts --show stranger    and lists every text that ended so, or of one kind
 */
import { typedBench } from './relevance/typed/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(typedBench)
