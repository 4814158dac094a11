/**
 * Examples in the documents: a `curl` with its answer in the block behind it, and calls of tools with what a model
 * reads. What differs from one time to the next (duration, request id, cursor) is always the same here.
 */
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import type { Answer, AnswerSource } from '../src/mcp/answer-source.ts'
import { registerTools } from '../src/mcp/tools.ts'

const curls =
  /(```sh\ncurl [^\n]*'http:\/\/127\.0\.0\.1:8080(\/[^'?]*)\?([^']*)'\n```\n+```\n)([\s\S]*?)(?=\n```)/g
const calls = /(?<=\n)> ([a-z_]+) (\{.*?\})(?: {3}\(isError\))?\n([\s\S]*?)(?=\n\n> |\n```)/g

const duration = 0.000021
const requestId = '569ae6e5-75d5-470a-8c83-309eade43d67'
const cursor = 'tPYfLsRwq7q8N0z4WyJkUHlRb0VYMmtXb1ciLFs0LDJdXQ'
const lineLengthMax = 130

type Ask = AnswerSource['ask']

/** The document with the answers that a service or a program gives to its examples. */
export async function withAnswers(document: string, ask: Ask): Promise<string> {
  const asked = await replaced(document, curls, async ([, before = '', path = '', query = '']) => {
    return before + shown(await ask({ path, query }))
  })
  return replaced(asked, calls, async ([, name = '', input = '']) => {
    const { text, isError } = await called(ask, name, JSON.parse(input))
    return `> ${name} ${input}${isError ? '   (isError)' : ''}\n${text}`
  })
}

async function replaced(
  text: string,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => Promise<string>,
): Promise<string> {
  const parts: string[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    parts.push(text.slice(end, match.index), await replacement(match))
    end = match.index + match[0].length
  }
  return [...parts, text.slice(end)].join('')
}

async function called(ask: Ask, name: string, input: unknown) {
  const call = toolsOf(ask).get(name)
  if (call === undefined) throw new Error(`there is no tool '${name}'`)
  const { content, isError = false } = await call(input)
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { text: texts.join('\n'), isError }
}

interface ToolConfig {
  readonly inputSchema: { readonly '~standard': { validate(input: unknown): unknown } }
}

type CallTool = (input: unknown) => Promise<CallToolResult>

/** The tools by name, called without a server; a bug in one, or arguments that its schema refuses, throw. */
export function toolsOf(ask: Ask): ReadonlyMap<string, CallTool> {
  const facts = { isCharged: false, largestTopics: [], searchFetch: true, publicUrl: null }
  const source: AnswerSource = { ...facts, ask }
  const tools = new Map<string, CallTool>()
  const registering = {
    registerTool: (name: string, { inputSchema }: ToolConfig, call: CallTool) => {
      const { validate } = inputSchema['~standard']
      tools.set(name, async (input) => call(((await validate(input)) as { value: unknown }).value))
    },
  }
  const server = registering as unknown as McpServer
  const onError = (error: unknown) => {
    throw error
  }
  registerTools(server, source, onError)
  return tools
}

function shown({ json }: Answer): string {
  const id = 'request_id' in json ? { request_id: requestId } : {}
  const next = typeof json.next_cursor === 'string' ? { next_cursor: cursor } : {}
  return lines({ ...json, duration, ...id, ...next }, '')
}

/** JSON as it comes over the wire where it fits on a line, else a member on each line. */
function lines(value: unknown, indent: string): string {
  const whole = JSON.stringify(value)
  if (indent.length + whole.length <= lineLengthMax) return whole
  if (typeof value !== 'object' || value === null) return whole
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(([name, member]) =>
    isList ? lines(member, inner) : `${JSON.stringify(name)}: ${lines(member, inner)}`,
  )
  const [open, close] = isList ? '[]' : '{}'
  return `${open}\n${inner}${members.join(`,\n${inner}`)}\n${indent}${close}`
}
