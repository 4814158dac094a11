/**
 * How fast is the service on the wire? Works on the built service (`npm run build`).
 *
 *     npx tsx bench/wire.ts                         tiny: seconds, to see that it works
 *     npx tsx bench/wire.ts --full                  10,000 and 1,000,000 authorities: some ten minutes
 *     npx tsx bench/wire.ts --full --authorities N  one size only
 *     npx tsx bench/wire.ts --full --only 'detail'  only workloads whose name holds the text
 */

import { runCommand } from './shared/bench.ts'
import { wireBench } from './wire/bench.ts'

await runCommand(wireBench)
