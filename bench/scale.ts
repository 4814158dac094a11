/**
 * What does each further million people take, in a sync and in a service, and do answers stay as fast?
 * Needs the built service: npm run build.
 *
 *     npx tsx bench/scale.ts                                  tiny: seconds, to see that it works
 *     npx tsx bench/scale.ts --full                           10,000 to 1,000,000 people
 *     npx tsx bench/scale.ts --full --sizes 10000000          ten million: the sync takes half an hour and 12 GB
 *     npx tsx bench/scale.ts --full --sources DIR             DIR/<size>/source and DIR/<size>/snapshots, each made
 *                                                             where it is not there
 */
import { scaleBench } from './scale/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(scaleBench)
