/**
 * Do the ranks find who is an authority, and how far does a farm of fakes lift somebody who is not?
 *
 *     npx tsx bench/ranking.ts          tiny: seconds, to see that it works
 *     npx tsx bench/ranking.ts --full   5,000 people, ten seeds: minutes
 */
import { rankingBench } from './ranking/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(rankingBench)
