/**
 * What does each kind of request cost?
 *
 *     npx tsx bench/routes.ts                           tiny: seconds, to see that it works
 *     npx tsx bench/routes.ts --full                    1,000,000 authorities
 *     npx tsx bench/routes.ts --full --snapshots DIR    what a directory announces
 *     npx tsx bench/routes.ts --full --only facets      the requests with this word in their name
 *     npx tsx bench/routes.ts --full --only loops       the tight loops
 */
import { routesBench } from './routes/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(routesBench)
