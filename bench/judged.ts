/**
 * What becomes of nine hundred judged texts as people type them, beside three other search engines?
 *
 *     npx tsx bench/judged.ts                        every text: some seconds
 *     npx tsx bench/judged.ts --ways yes             what each way of search adds when it alone is left out
 *     npx tsx bench/judged.ts --show wrong           and lists what is wrong; or a kind; or an ending: nobody, stranger
 */
import { judgedBench } from './relevance/judged/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(judgedBench)
