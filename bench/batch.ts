/**
 * What do a thousand handles take at a time, beside a `Map`, and what does the dearest single request take for its price?
 *
 *     npx tsx bench/batch.ts                                        tiny, after npm run build
 *     npx tsx bench/batch.ts --full --only requests --people 1000000   single requests, by a million people
 */
import { batchBench } from './batch/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(batchBench)
