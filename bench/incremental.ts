/**
 * What does a sync with `--incremental` cost beside a full one, when one person in a hundred changed, in ten, or everybody?
 *
 *     npx tsx bench/incremental.ts                          tiny: seconds, to see that it works
 *     npx tsx bench/incremental.ts --full                   100,000 people, three rounds, after npm run build
 *     npx tsx bench/incremental.ts --full --people 1000000 --rounds 1
 */
import { incrementalBench } from './incremental/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(incrementalBench)
