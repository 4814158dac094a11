/** Tools called without a server or a connection, over an API of the test's own process. */
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { Api } from '../../src/api/api.ts'
import type { AnswerSource } from '../../src/mcp/answer-source.ts'
import { requestOf } from '../../src/mcp/answer-source.ts'
import { parsedAnswer } from '../../src/mcp/local.ts'
import { registerSearchFetch } from '../../src/mcp/search-fetch.ts'
import { registerTools } from '../../src/mcp/tools.ts'

interface CalledTool {
  readonly text: string
  readonly isError: boolean
  readonly structuredContent: Readonly<Record<string, unknown>> | undefined
  /** Of the whole result, as JSON. */
  readonly bytes: number
}

type CallTool = (name: string, given: Readonly<Record<string, unknown>>) => Promise<CalledTool>

interface ToolConfig {
  readonly inputSchema: { readonly '~standard': { validate(input: unknown): unknown } }
}

/** Calls tools over an API; a bug in one of them, or arguments that its schema refuses, throw. */
export function toolsOver(api: Api): CallTool {
  const source: AnswerSource = {
    isCharged: false,
    largestTopics: [],
    searchFetch: false,
    publicUrl: null,
    ask: async (question) => parsedAnswer(api.answer(requestOf(question))),
    topics: async () => undefined,
  }
  const tools = new Map<string, (given: unknown) => Promise<CallToolResult>>()
  const server = {
    registerTool: (
      name: string,
      { inputSchema }: ToolConfig,
      call: (input: unknown) => Promise<CallToolResult>,
    ) => {
      const { validate } = inputSchema['~standard']
      tools.set(name, async (given) => call(((await validate(given)) as { value: unknown }).value))
    },
  }
  const onError = (error: unknown) => {
    throw error
  }
  registerTools(server as unknown as McpServer, source, onError)
  registerSearchFetch(server as unknown as McpServer, source, null, onError)
  return async (name, given) => {
    const result = await tools.get(name)!(given)
    const { content, structuredContent, isError = false } = result
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const bytes = Buffer.byteLength(JSON.stringify(result))
    return { text, isError, structuredContent: structuredContent as never, bytes }
  }
}
