/**
 * Is this build as fast as another one, request by request? Works on the built service
 * (`npm run build`) and on another checkout of it, built as well, of any version that the same
 * source can be synced with.
 *
 *     npx tsx bench/against.ts --checkout ../before            tiny: seconds, to see that it works
 *     npx tsx bench/against.ts --checkout ../before --full     10,000 authorities, four routes
 *     npx tsx bench/against.ts --here ../after --checkout ../before   neither is this one
 *     npx tsx bench/against.ts --checkout ../before --full --route match   one route alone
 *     npx tsx bench/against.ts --cap 1000000           a key with a cap beside one without
 *     npx tsx bench/against.ts --other-words='--explorer off' this build against itself
 */
import { againstBench } from './against/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(againstBench)
