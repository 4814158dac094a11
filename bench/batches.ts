/**
 * What does a handle cost in a POST of 1,000, beside Redis and beside single GETs?
 *
 *     npx tsx bench/batches.ts                           tiny: seconds, to see that it works
 *     npx tsx bench/batches.ts --full                    1,000,000 authorities
 *     npx tsx bench/batches.ts --full --snapshots DIR    what a directory announces
 */
import { batchesBench } from './batches/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(batchesBench)
