/**
 * What does a tool call cost beside the plain route? Works on the built service (`npm run build`).
 *
 *     npx tsx bench/mcp.ts          tiny: seconds, to see that it works
 *     npx tsx bench/mcp.ts --full   10,000 authorities
 */
import { mcpBench } from './mcp/bench.ts'
import { runCommand } from './shared/bench.ts'

await runCommand(mcpBench)
