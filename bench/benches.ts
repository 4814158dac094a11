/** The benches that `bench/run.ts` runs, in their order; that of the explorer only where there is a browser. */
import { browserPath } from '../test/support/processes/browser.ts'
import { abuseBench } from './abuse/bench.ts'
import { agentsBench } from './agents/bench.ts'
import { attacksBench } from './attacks/bench.ts'
import { explorerBench } from './explorer/bench.ts'
import { firstBench } from './first/bench.ts'
import { historyBench } from './history/bench.ts'
import { libraryBench } from './library/bench.ts'
import { mcpBench } from './mcp/bench.ts'
import { rankingBench } from './ranking/bench.ts'
import { relevanceBench } from './relevance/bench.ts'
import { routesBench } from './routes/bench.ts'
import { scaleBench } from './scale/bench.ts'
import { searchBench } from './search/bench.ts'
import type { Bench } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'
import { tiersBench } from './tiers/bench.ts'
import { wireBench } from './wire/bench.ts'

/** All of them. */
export const benches: readonly Bench[] = [
  searchBench,
  relevanceBench,
  routesBench,
  rankingBench,
  attacksBench,
  historyBench,
  libraryBench,
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
