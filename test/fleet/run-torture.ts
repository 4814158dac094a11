/**
 * Tortures a fleet and prints what came of it; fails when anything is as it should not be. Works on
 * the built service (`npm run build`).
 *
 *     npx tsx test/fleet/run-torture.ts          half a minute
 *     npx tsx test/fleet/run-torture.ts --full   ten minutes
 */
import { plans, torture } from './torture.ts'

const plan = process.argv.includes('--full') ? plans.full : plans.small
const result = await torture(plan, (line) => console.error(line))
console.log(JSON.stringify(result, undefined, 2))
if (result.violations.length > 0) process.exitCode = 1
