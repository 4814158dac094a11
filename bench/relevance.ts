/**
 * Does a search find who is meant, and nobody where nobody is?
 *
 *     npx tsx bench/relevance.ts          tiny: seconds, to see that it works
 *     npx tsx bench/relevance.ts --full   minutes, for figures
 *     npx tsx bench/relevance.ts --full --people 63722 --topics 5000 --queries 500 --seed 2
 */
import { relevanceBench } from './relevance/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(relevanceBench)
