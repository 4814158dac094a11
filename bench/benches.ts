/** The benches, in their order. */
import { againstBench } from './against/bench.ts'
import { batchBench } from './batch/bench.ts'
import { coreBench } from './core/bench.ts'
import { memoryBench } from './memory/bench.ts'
import { rankingBench } from './ranking/bench.ts'
import { relevanceBench } from './relevance/bench.ts'
import type { Bench } from './shared/bench.ts'
import { swapBench } from './swap/bench.ts'
import { syncBench } from './sync/bench.ts'
import { wireBench } from './wire/bench.ts'

/** Those that run where none is named: `against` needs a second checkout. */
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

export const allBenches: readonly Bench[] = [...benches, againstBench]
