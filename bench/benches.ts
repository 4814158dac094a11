/** The benches that `bench/run.ts` runs, in their order. */
import { abuseBench } from './abuse/bench.ts'
import { libraryBench } from './library/bench.ts'
import { mcpBench } from './mcp/bench.ts'
import { rankingBench } from './ranking/bench.ts'
import { relevanceBench } from './relevance/bench.ts'
import { routesBench } from './routes/bench.ts'
import { scaleBench } from './scale/bench.ts'
import { searchBench } from './search/bench.ts'
import type { Bench } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'
import { wireBench } from './wire/bench.ts'

/** All of them. */
export const benches: readonly Bench[] = [
  searchBench,
  relevanceBench,
  routesBench,
  rankingBench,
  libraryBench,
  mcpBench,
  scaleBench,
  swapBench,
  wireBench,
  abuseBench,
]
