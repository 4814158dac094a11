/**
 * What do the five operations cost in the process, beside MiniSearch and `Map`?
 *
 *     npx tsx bench/core.ts                          tiny, after npm run build
 *     npx tsx bench/core.ts --full --people 100000   one size
 */
import { coreBench } from './core/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(coreBench)
