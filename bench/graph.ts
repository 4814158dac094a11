/**
 * What do connections take that are sorted and ranked on disk, beside those in memory, in memory and processor time?
 *
 *     npx tsx bench/graph.ts                                     tiny: seconds, to see that it works
 *     npx tsx bench/graph.ts --full                              100,000 people with 5 and 50 connections each
 *     npx tsx bench/graph.ts --full --people 1000000 --per 10,50 --engine-memory 268435456
 */
import { graphBench } from './graph/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(graphBench)
