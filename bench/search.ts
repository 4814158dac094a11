/**
 * What does one search cost, by kind of query, beside three text search engines, and beside what it
 * may cost? Needs the built service: npm run build.
 *
 *     npx tsx bench/search.ts          tiny: seconds, to see that it works
 *     npx tsx bench/search.ts --full   10,000, 100,000 and 1,000,000 authorities
 *     npx tsx bench/search.ts --full --only costs --authorities 100000 --queries 500
 *                                      only what each kind of text costs beside its goal, at one size
 */
import { searchBench } from './search/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(searchBench)
