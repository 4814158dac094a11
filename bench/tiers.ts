/**
 * What do texts on disk save in memory, and what do they cost the answers that need them?
 * Needs the built service (npm run build) and GNU coreutils.
 *
 *     npx tsx bench/tiers.ts                                  tiny: seconds, to see that it works
 *     npx tsx bench/tiers.ts --full                           100,000 and 1,000,000 people
 *     npx tsx bench/tiers.ts --full --sizes 100000            only those
 *     npx tsx bench/tiers.ts --full --sources DIR             DIR/<size>/source and DIR/<size>/snapshots, as bench/scale.ts
 */
import { runCommand } from './shared/bench.ts'
import { tiersBench } from './tiers/bench.ts'

await runCommand(tiersBench)
