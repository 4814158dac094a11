/**
 * Does a search find who is meant, and nobody where nobody is?
 *
 *     npx tsx bench/relevance.ts                      tiny: a minute
 *     npx tsx bench/relevance.ts --full               some minutes, for figures
 *     npx tsx bench/relevance.ts --sets judged,variants --queries 50 --seed 2
 *     npx tsx bench/relevance.ts --show wrong         and lists what is wrong in the tuning half; or a kind; or an
 *                                                     ending: nobody, stranger
 *     npx tsx bench/relevance.ts --ways yes           what each way of search adds when it alone is left out
 */
import { relevanceBench } from './relevance/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(relevanceBench)
