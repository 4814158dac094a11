/**
 * What does a sync of many connections take whose memory is bounded? Needs the built service: npm run build.
 *
 *     npx tsx bench/large.ts                                                     tiny: seconds, to see that it works
 *     npx tsx bench/large.ts --full                                              a million people, twenty million connections
 *     npx tsx bench/large.ts --full --people 10000000 --connections 500000000    some 100 minutes, 45 GB of disk
 *     npx tsx bench/large.ts --full --only texts                                 how texts of people are read from their file: a minute
 */
import { largeBench } from './large/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(largeBench)
