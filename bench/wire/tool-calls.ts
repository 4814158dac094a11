/** The requests of the MCP bench, and a connection on which one follows the other. */
import { Agent, request as send } from 'node:http'

export interface Message {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const query = 'rust'
const limit = 10
/** The newer protocol's. */
const revision = '2026-07-28'
const params = { name: 'search_authorities', arguments: { query, limit } }
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export const plain: Message = {
  method: 'GET',
  path: `/api/v1/index?query=${query}&limit=${limit}`,
  headers: {},
  body: '',
}
export const modern = toolCall(
  { ...params, _meta: envelope },
  { 'MCP-Protocol-Version': revision, 'Mcp-Method': 'tools/call', 'Mcp-Name': params.name },
)
export const legacy = toolCall(params, {})

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

export class Caller {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #port: number
  readonly #key: string

  constructor(port: number, key: string) {
    this.#port = port
    this.#key = key
  }

  /** Sends a message and waits for the end of its answer. Throws unless that is a result. */
  ask({ method, path, headers, body }: Message): Promise<void> {
    const authorized = { ...headers, Authorization: `Bearer ${this.#key}` }
    return new Promise((resolve, reject) => {
      const options = { port: this.#port, method, path, headers: authorized, agent: this.#agent }
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
