/**
 * What does a sync take?
 *
 *     npx tsx bench/sync.ts                           tiny, after npm run build
 *     npx tsx bench/sync.ts --full --sizes 10000000   one size: ten million people take 28 GB of disk
 */
import { runCommand } from './shared/bench.ts'
import { syncBench } from './sync/bench.ts'

await runCommand(syncBench)
