/**
 * What does a swap cost those who ask meanwhile? Works on the built service (`npm run build`).
 *
 *     npx tsx bench/swap.ts                         tiny: seconds, to see that it works
 *     npx tsx bench/swap.ts --full                  100,000 and 1,000,000 authorities
 *     npx tsx bench/swap.ts --full --authorities N  one of these sizes only
 *     npx tsx bench/swap.ts --full --only costs     the processor time of a swap by its parts only
 *     npx tsx bench/swap.ts --full --only memory    the most memory in swaps, by the share of people that changed
 */

import { runCommand } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'

await runCommand(swapBench)
