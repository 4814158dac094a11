/**
 * How many calls and tokens do the tasks of an agent take? Sixty tasks over the default snapshot, replayed through
 * the tools and through three other designs of the same operations.
 *
 *     npx tsx bench/agents.ts
 */
import { agentsBench } from './agents/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(agentsBench)
