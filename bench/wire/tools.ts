/**
 * An MCP tool call over HTTP beside the plain route that it asks, in both revisions of the protocol. One
 * connection asks in turn; the kinds take turns too.
 */
import { mcpHead } from '../../test/support/abuse/wire.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { table } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'

/** How one kind of request fared; times in microseconds, from sending to the end of the answer. */
export interface ToolRow {
  readonly kind: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  readonly ratio: number
}

const revision = '2026-07-28'
const search = { name: 'search_authorities', arguments: { query: 'rust', limit: 10 } }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
const named = {
  'MCP-Protocol-Version': revision,
  'Mcp-Method': 'tools/call',
  'Mcp-Name': search.name,
}

function toolCall(key: string, params: object, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  return mcpHead(key, { 'Content-Length': `${body.length}`, ...headers }) + body
}

/** Asks each kind so often in each of some rounds, and in one more that warms up. */
export async function measureTools(
  port: number,
  key: string,
  { rounds, requests }: { readonly rounds: number; readonly requests: number },
): Promise<ToolRow[]> {
  const kinds = {
    'plain route': getRequest('/api/v1/index?query=rust&limit=10', key),
    [`tool call, ${revision}`]: toolCall(key, { ...search, _meta: envelope }, named),
    'tool call, 2025-11-25': toolCall(key, search, {}),
  }
  const times = Object.keys(kinds).map(() => [] as number[])
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, request] of Object.values(kinds).entries()) {
      const connection = await Connection.open(port)
      for (let asked = 0; asked < requests; asked += 1) {
        const startedMs = performance.now()
        const answer = await connection.ask(request)
        if (round > 0) times[at]!.push((performance.now() - startedMs) * 1000)
        if (answer?.status !== 200 || answer.body.includes('"isError":true'))
          throw new Error(`answered with ${answer?.status}: ${answer?.body}`)
      }
      connection.close()
    }
  }
  const sorted = times.map((each) => each.sort((a, b) => a - b))
  const plainUs = shareOf(sorted[0]!, 0.5)
  return Object.keys(kinds).map((kind, at) => {
    const p50Us = shareOf(sorted[at]!, 0.5)
    const p99Us = shareOf(sorted[at]!, 0.99)
    return { kind, requests: sorted[at]!.length, p50Us, p99Us, ratio: p50Us / plainUs }
  })
}

export function toolLines(rows: readonly ToolRow[]): string[] {
  return table(rows, {
    request: ({ kind }) => kind,
    requests: ({ requests }) => requests,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(0),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(0),
    'p50 ratio': ({ ratio }) => ratio.toFixed(1),
  })
}
