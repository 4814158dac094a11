/**
 * What do the first ten and the first place of a topic cost an attacker, and what does each defence take of the quality?
 *
 *     npx tsx bench/attacks.ts          tiny: seconds, to see that it works
 *     npx tsx bench/attacks.ts --full   three kinds of topics, all defences: minutes
 */
import { attacksBench } from './attacks/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(attacksBench)
