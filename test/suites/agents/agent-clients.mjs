/**
 * Three clients of agents, each over the same address: lists the tools, calls one, and asks for what nobody has. Prints
 * a line of JSON for each: what it listed, got and caught. Runs where the three packages are installed.
 */
import { experimental_createMCPClient as createMCPClient } from '@ai-sdk/mcp'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { MCPServerStreamableHttp } from '@openai/agents'

const [url, key] = process.argv.slice(2)
const headers = { Authorization: `Bearer ${key}` }

const calls = [
  ['search_authorities', { query: 'rust', limit: 3 }],
  ['match_handle', { handles: ['@nobody-at-all'] }],
  ['get_authority_detail', { sdus: ['404'] }],
  ['find_peers', { handles: ['nobody-at-all'] }],
  ['get_history', { sdus: ['404'] }],
  ['list_changes', {}],
]

/** A client's name, how it opens, and how it calls a tool. */
const clients = {
  async '@langchain/mcp-adapters'() {
    const client = new MultiServerMCPClient({
      mcpServers: { index: { transport: 'http', url, headers } },
    })
    const tools = await client.getTools()
    const call = (name, given) => tools.find((tool) => tool.name === name).invoke(given)
    return { names: tools.map(({ name }) => name), call, close: () => client.close() }
  },
  async '@openai/agents'() {
    const server = new MCPServerStreamableHttp({ url, requestInit: { headers } })
    await server.connect()
    const tools = await server.listTools()
    const call = (name, given) => server.callTool(name, given)
    return { names: tools.map(({ name }) => name), call, close: () => server.close() }
  },
  async '@ai-sdk/mcp'() {
    const client = await createMCPClient({ transport: { type: 'http', url, headers } })
    const tools = await client.tools()
    const call = (name, given) => tools[name].execute(given, { toolCallId: '1', messages: [] })
    return { names: Object.keys(tools), call, close: () => client.close() }
  },
}

for (const [client, open] of Object.entries(clients)) {
  const { names, call, close } = await open()
  const answers = {}
  for (const [name, given] of calls) {
    try {
      answers[name] = { got: await call(name, given) }
    } catch (error) {
      answers[name] = { thrown: String(error) }
    }
  }
  console.log(JSON.stringify({ client, names, answers }))
  await close()
}
process.exit(0)
