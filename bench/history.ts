/**
 * What does a year of changes take on the disk, and how long does one person's history take?
 *
 *     npx tsx bench/history.ts          tiny: seconds, to see that it works
 *     npx tsx bench/history.ts --full   100,000 people, of whom one in a hundred changes every day
 */
import { historyBench } from './history/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(historyBench)
