/**
 * How many requests a second does charging take away?
 *
 *     npx tsx bench/charging.ts          tiny: seconds, to see that it works
 *     npx tsx bench/charging.ts --full   minutes, for figures
 */
import { chargingBench } from './charging/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(chargingBench)
