/**
 * What do many single calls of the client cost, coalesced and not, and how fast is a feed of 10,000 sources ranked?
 *
 *     npx tsx bench/client.ts           tiny: seconds, to see that it works
 *     npx tsx bench/client.ts --full    1,000 calls in a turn, a feed of 10,000 sources
 */
import { clientBench } from './client/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(clientBench)
