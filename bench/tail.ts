/**
 * What do look-ups behind the head cost that a Redis cluster answers, and what does the tail cost those of the head?
 * Needs the built service (npm run build) and Redis (apt-get install --no-install-recommends redis-server).
 *
 *     npx tsx bench/tail.ts                    tiny: seconds, to see that it works
 *     npx tsx bench/tail.ts --full             100,000 people, a head of 10,000
 *     npx tsx bench/tail.ts --full --sizes N   another number of people
 */
import { runCommand } from './shared/bench.ts'
import { tailBench } from './tail/bench.ts'

await runCommand(tailBench)
