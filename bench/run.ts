/**
 * All benches, one after the other: prints their tables and writes their results as JSON. One that fails
 * does not keep the others from running; the exit code says so.
 *
 *     npm run bench                    tiny: seconds, to see that every bench works
 *     npm run bench -- --full          the real thing: an hour and more, on a machine at rest
 *     npm run bench -- --full search   only the benches that are named
 *     npm run bench -- --full --record   and their tables become the last results in bench/README.md
 */
import { parseArgs } from 'node:util'
import { browserPath } from '../test/support/processes/browser.ts'
import { abuseBench } from './abuse/bench.ts'
import { agentsBench } from './agents/bench.ts'
import { attacksBench } from './attacks/bench.ts'
import { clientBench } from './client/bench.ts'
import { explorerBench } from './explorer/bench.ts'
import { firstBench } from './first/bench.ts'
import { historyBench } from './history/bench.ts'
import { libraryBench } from './library/bench.ts'
import { mcpBench } from './mcp/bench.ts'
import { rankingBench } from './ranking/bench.ts'
import { relevanceBench } from './relevance/bench.ts'
import { judgedBench } from './relevance/judged/bench.ts'
import { typedBench } from './relevance/typed/bench.ts'
import { routesBench } from './routes/bench.ts'
import { scaleBench } from './scale/bench.ts'
import { searchBench } from './search/bench.ts'
import { commonFlags, refuseTinyRecords, runBench } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'
import { tiersBench } from './tiers/bench.ts'
import { wireBench } from './wire/bench.ts'

const all = [
  searchBench,
  relevanceBench,
  typedBench,
  judgedBench,
  routesBench,
  rankingBench,
  attacksBench,
  historyBench,
  libraryBench,
  clientBench,
  mcpBench,
  agentsBench,
  scaleBench,
  tiersBench,
  swapBench,
  firstBench,
  wireBench,
  abuseBench,
  ...(browserPath === undefined ? [] : [explorerBench]),
]

if (browserPath === undefined) console.error('explorer is left out: apt-get install chromium')
const { values, positionals } = parseArgs({ options: commonFlags, allowPositionals: true })
const names = all.map(({ name }) => name)
const unknown = positionals.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`no bench '${unknown}'; there are ${names.join(', ')}`)
  process.exitCode = 2
} else {
  refuseTinyRecords(values)
  const wanted = positionals.length === 0 ? names : positionals
  for (const bench of all.filter(({ name }) => wanted.includes(name))) {
    console.log(`## ${bench.name}\n`)
    await runBench(bench, values).catch((error: Error) => {
      console.error(`${bench.name} failed, and is not recorded: ${error.stack}`)
      process.exitCode = 1
    })
    console.log('')
  }
}
