/**
 * What does a service take to start and to hold, by people, and what does its ledger, by accounts?
 *
 *     npx tsx bench/memory.ts                                   tiny, after npm run build
 *     npx tsx bench/memory.ts --full --accounts 0               without ledgers
 */
import { memoryBench } from './memory/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(memoryBench)
