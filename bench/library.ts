/**
 * What does a score take in the own process, in batches of 1,000 handles, beside a Map, SQLite and Redis?
 *
 *     npx tsx bench/library.ts                        tiny: seconds, to see that it works
 *     npx tsx bench/library.ts --full                 at a million people, which take some minutes to make
 *     npx tsx bench/library.ts --full --people 10000
 *     npx tsx bench/library.ts --full --snapshots DIR   over snapshots that are there
 */
import { libraryBench } from './library/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(libraryBench)
