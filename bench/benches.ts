/** The benches that `bench/run.ts` runs, in their order. */
import { batchBench } from './batch/bench.ts'
import { coreBench } from './core/bench.ts'
import { mcpBench } from './mcp/bench.ts'
import { rankingBench } from './ranking/bench.ts'
import { relevanceBench } from './relevance/bench.ts'
import { scaleBench } from './scale/bench.ts'
import type { Bench } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'
import { wireBench } from './wire/bench.ts'

/** All of them. */
export const benches: readonly Bench[] = [
  coreBench,
  batchBench,
  wireBench,
  mcpBench,
  swapBench,
  scaleBench,
  relevanceBench,
  rankingBench,
]
