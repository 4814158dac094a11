/**
 * What do metrics and rate limits cost?
 *
 *     npx tsx bench/guard.ts          tiny: seconds, to see that it works
 *     npx tsx bench/guard.ts --full   minutes, for figures
 */
import { guardBench } from './guard/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(guardBench)
