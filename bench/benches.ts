/** The benches that `bench/run.ts` runs, in their order; `against` needs a second checkout, and runs by itself. */
import { batchBench } from './batch/bench.ts'
import { coreBench } from './core/bench.ts'
import { memoryBench } from './memory/bench.ts'
import { rankingBench } from './ranking/bench.ts'
import { relevanceBench } from './relevance/bench.ts'
import type { Bench } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'
import { syncBench } from './sync/bench.ts'
import { wireBench } from './wire/bench.ts'

/** All of them. */
export const benches: readonly Bench[] = [
  coreBench,
  batchBench,
  wireBench,
  swapBench,
  syncBench,
  memoryBench,
  relevanceBench,
  rankingBench,
]
