/**
 * The MCP tools as functions: registered as they are at a server, but called without one, so that
 * documents can say what there is and show what it answers.
 */
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { Source } from '../src/mcp/answer-source.ts'
import { registerTools } from '../src/mcp/tools.ts'

/** A tool that can be called. */
export interface CallableTool {
  readonly name: string
  /** The names of its arguments. */
  readonly takes: readonly string[]
  readonly call: (input: unknown) => Promise<CallToolResult>
}

/** What a server is told of a tool, as far as it is of interest here. */
interface ToolConfig {
  readonly inputSchema: {
    readonly '~standard': { readonly jsonSchema: { readonly input: () => { properties: object } } }
  }
}

/** The tools over a source; a bug in one of them throws. */
export function toolsOver(source: Source): CallableTool[] {
  const tools: CallableTool[] = []
  const server = {
    registerTool: (name: string, { inputSchema }: ToolConfig, call: CallableTool['call']) => {
      const { properties } = inputSchema['~standard'].jsonSchema.input()
      tools.push({ name, takes: Object.keys(properties), call })
    },
  }
  registerTools(server as unknown as McpServer, source, (error) => {
    throw error
  })
  return tools
}
