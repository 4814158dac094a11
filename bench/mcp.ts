/**
 * What an MCP tool call costs over HTTP beside the plain route it asks, in both protocol eras, and
 * what MCP calls on the same serving thread do to plain requests. One connection asks in turn;
 * the kinds take turns too, so that whatever else the machine does meets all of them.
 *
 *     npx tsx bench/mcp.ts          tiny: seconds, to see that it works
 *     npx tsx bench/mcp.ts --full   10,000 authorities
 */
import { Agent, request as send } from 'node:http'
import { type BenchSize, benchData } from './data.ts'
import { untilInterrupted } from './interrupt.ts'
import { isMain, table } from './report.ts'
import { writeResult } from './results.ts'
import { Children } from './wire/children.ts'
import { type Service, startService } from './wire/service.ts'

/** How one kind of request fared; times in microseconds, from sending to the end of the answer. */
export interface McpRow {
  readonly kind: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  /** The median against that of the plain route without load in the same run. */
  readonly ratio: number
}

const sizes = {
  tiny: { authorities: 300, rounds: 2, requests: 20, loads: 2 },
  full: { authorities: 10_000, rounds: 20, requests: 500, loads: 2 },
} as const

/** A request of a kind; the same search for all. */
interface Message {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const query = 'rust'
const limit = 10
const revision = '2026-07-28'
const params = { name: 'search_authorities', arguments: { query, limit } }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

const plain: Message = {
  method: 'GET',
  path: `/api/v1/index?query=${query}&limit=${limit}`,
  headers: {},
  body: '',
}
const modern = toolCall(
  { ...params, _meta: envelope },
  { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': params.name },
)
const legacy = toolCall(params, {})

function toolCall(callParams: object, headers: Record<string, string>): Message {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: callParams })
  return {
    method: 'POST',
    path: '/mcp',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  }
}

/** A connection on which one request follows the other. */
class Connection {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #service: Service

  constructor(service: Service) {
    this.#service = service
  }

  /** Sends a message and waits for the end of its answer. Throws unless that is a result. */
  ask({ method, path, headers, body }: Message): Promise<void> {
    const { port, key } = this.#service
    const authorized = { ...headers, Authorization: `Bearer ${key}` }
    return new Promise((resolve, reject) => {
      const options = { port, method, path, headers: authorized, agent: this.#agent }
      const request = send(options, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          if (response.statusCode === 200 && !text.includes('"isError":true')) resolve()
          else reject(new Error(`${path} answered ${response.statusCode}: ${text.slice(0, 200)}`))
        })
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Runs the bench and answers its rows; everything it starts ends with it. */
export async function run(
  size: BenchSize,
  signal: AbortSignal,
  directory?: string,
): Promise<McpRow[]> {
  const { authorities, rounds, requests, loads } = sizes[size]
  const { snapshots } = await benchData(authorities, directory)
  const children = new Children(signal)
  try {
    const service = await startService(children, snapshots, undefined)
    const times = new Map<string, number[]>()
    for (let round = -1; round < rounds; round += 1) {
      signal.throwIfAborted()
      const measure = async (kind: string, message: Message) => {
        const measured = await timesOf(service, message, requests)
        // The first round warms up.
        if (round >= 0) times.set(kind, [...(times.get(kind) ?? []), ...measured])
      }
      await measure('plain route', plain)
      await measure('tool call, 2026-07-28', modern)
      await measure('tool call, 2025-11-25', legacy)
      const script = new URL(import.meta.url)
      const load = [service.port, service.key, loads].map(String)
      const loader = children.startScript('load', script, ['--load', ...load])
      await loader.firstLine()
      await measure(`plain route, ${loads} connections calling tools`, plain)
      await loader.stop()
    }
    return rowsOf(times)
  } finally {
    await children.close()
  }
}

async function timesOf(service: Service, message: Message, requests: number): Promise<number[]> {
  const connection = new Connection(service)
  const times: number[] = []
  for (let index = 0; index < requests; index += 1) {
    const startedMs = performance.now()
    await connection.ask(message)
    times.push((performance.now() - startedMs) * 1000)
  }
  connection.close()
  return times
}

function rowsOf(times: ReadonlyMap<string, readonly number[]>): McpRow[] {
  const rows = [...times].map(([kind, measured]) => {
    const sorted = measured.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!
    return { kind, requests: sorted.length, p50Us: at(0.5), p99Us: at(0.99) }
  })
  return rows.map((row) => ({ ...row, ratio: row.p50Us / rows[0]!.p50Us }))
}

/** Calls tools on so many connections until it is interrupted, as a program of its own. */
async function makeLoad(service: Service, connections: number, signal: AbortSignal): Promise<void> {
  const loops = Array.from({ length: connections }, async () => {
    const connection = new Connection(service)
    while (!signal.aborted) await connection.ask(modern)
    connection.close()
  })
  console.log('{}')
  await Promise.all(loops)
}

/** The rows as a table. */
export function report(rows: readonly McpRow[]): string[] {
  return table(
    ['request', 'requests', 'p50 µs', 'p99 µs', 'p50 ratio'],
    rows.map(({ kind, requests, p50Us, p99Us, ratio }) => [
      kind,
      String(requests),
      p50Us.toFixed(0),
      p99Us.toFixed(0),
      ratio.toFixed(1),
    ]),
  )
}

async function main(signal: AbortSignal): Promise<void> {
  const [first, port = '', key = '', connections = ''] = process.argv.slice(2)
  if (first === '--load') {
    await makeLoad({ port: Number(port), key }, Number(connections), signal)
    return
  }
  const size = first === '--full' ? 'full' : 'tiny'
  const startedAt = new Date()
  const rows = await run(size, signal)
  for (const line of report(rows)) console.log(line)
  console.error(`written to ${writeResult({ bench: 'mcp', size, startedAt, result: { rows } })}`)
}

if (isMain(import.meta.url)) await untilInterrupted(main)
