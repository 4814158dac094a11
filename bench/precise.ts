/**
 * What does it cost to ask precisely: filters, fields, pages, facets and suggestions?
 *
 *     npx tsx bench/precise.ts          tiny: seconds, to see that it works
 *     npx tsx bench/precise.ts --full   1,000,000 authorities
 *     npx tsx bench/precise.ts --full --snapshots DIR   what a directory announces
 */
import { preciseBench } from './precise/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(preciseBench)
