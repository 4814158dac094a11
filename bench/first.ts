/**
 * Are the first requests of a process as fast as later ones, and what does practice at the start change?
 *
 *     npx tsx bench/first.ts          tiny: seconds, to see that it works
 *     npx tsx bench/first.ts --full   100,000 people, three starts of each kind
 */
import { firstBench } from './first/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(firstBench)
