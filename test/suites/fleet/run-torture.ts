/**
 * Tortures a fleet and prints what came of it; fails when anything is as it should not be. Works on
 * the built service (`npm run build`).
 *
 *     npx tsx test/suites/fleet/run-torture.ts                  half a minute
 *     npx tsx test/suites/fleet/run-torture.ts --seconds 180    as much of the whole as fits into that
 *     npx tsx test/suites/fleet/run-torture.ts --full           ten minutes
 */
import { planOf, plans, torture } from './torture.ts'

const words = process.argv.slice(2)
const seconds = Number(words[words.indexOf('--seconds') + 1])
const some = words.includes('--seconds') ? planOf(seconds) : plans.small
const result = await torture(words.includes('--full') ? plans.full : some, (line) =>
  console.error(line),
)
console.log(JSON.stringify(result, undefined, 2))
if (result.violations.length > 0) process.exitCode = 1
