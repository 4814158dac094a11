/**
 * What does a swap cost those who ask meanwhile?
 *
 *     npx tsx bench/swap.ts                         tiny, after npm run build
 *     npx tsx bench/swap.ts --full --sizes 100000   one size
 */
import { runCommand } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'

await runCommand(swapBench)
