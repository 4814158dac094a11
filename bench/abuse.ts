/**
 * What does the service hold under attack? Works on the built service (`npm run build`), on Linux.
 *
 *     npx tsx bench/abuse.ts                      small: a minute, to see that it works
 *     npm run test:abuse                          the real thing: minutes, on a machine at rest
 *     npx tsx bench/abuse.ts --full --only disk   those with a word in their name
 *     npx tsx bench/abuse.ts --full --single 1000000   the processor time of single requests, by so
 *                                                      many people; --snapshots DIR for those there
 */
import { abuseBench } from './abuse/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(abuseBench)
