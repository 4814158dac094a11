/**
 * Does a search find who is meant, and nobody where nobody is, beside MiniSearch?
 *
 *     npx tsx bench/relevance.ts                          all texts; there is no clock in it
 *     npx tsx bench/relevance.ts --sets judged,variants   some of the sets
 *     npx tsx bench/relevance.ts --show wrong             what is wrong, of the half that is not held out
 *     npx tsx bench/relevance.ts --ways yes               the totals without each way of the search
 */
import { relevanceBench } from './relevance/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(relevanceBench)
