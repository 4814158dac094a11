/**
 * How long does somebody wait who looks at the explorer? Works on the built service (`npm run build`)
 * and Debian's Chromium.
 *
 *     npx tsx bench/explorer.ts                             tiny: seconds, to see that it works
 *     npx tsx bench/explorer.ts --full                      1,000,000 authorities
 *     npx tsx bench/explorer.ts --full --snapshots DIR      what a directory announces
 */
import { explorerBench } from './explorer/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(explorerBench)
