/** Tools called without a server or a connection, over an API of the test's own process. */
import { toolsOf } from '../../scripts/document-answers.ts'
import type { Api } from '../../src/api/api.ts'
import { askingOf } from '../../src/mcp/answer-source.ts'

interface CalledTool {
  readonly text: string
  readonly isError: boolean
  readonly structuredContent: Readonly<Record<string, unknown>> | undefined
  /** Of the whole result, as JSON. */
  readonly bytes: number
}

type CallTool = (name: string, given: Readonly<Record<string, unknown>>) => Promise<CalledTool>

/** Calls tools over an API; a bug in one of them, or arguments that its schema refuses, throw. */
export function toolsOver(api: Api): CallTool {
  const tools = toolsOf(askingOf(api))
  return async (name, given) => {
    const result = await tools.get(name)!(given)
    const { content, structuredContent, isError = false } = result
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
    const bytes = Buffer.byteLength(JSON.stringify(result))
    return { text, isError, structuredContent: structuredContent as never, bytes }
  }
}
