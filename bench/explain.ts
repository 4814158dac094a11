/**
 * What does `explain=true` cost, and do the parts of every rank add up? Works on the built service
 * (`npm run build`).
 *
 *     npx tsx bench/explain.ts            tiny: seconds, to see that it works
 *     npx tsx bench/explain.ts --full     100,000 authorities, four routes
 */

import { explainBench } from './explain/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(explainBench)
