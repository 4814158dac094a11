/**
 * The tools, one for each route: each asks it and hands its body on as structured content, with a text
 * that says the same in fewer words. Descriptions are written for a model that must choose.
 */
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { type Item, type ToolOutput, toolOutputSchema } from '../api/describe/schemas.ts'
import { type ToolInput, toolInputSchema } from '../api/describe/tool-inputs.ts'
import type { AnswerFormat, Route, ToolWords } from '../operation.ts'
import { operations, type ToolRouteName, toolNames } from '../operations.ts'
import { parseHandle } from '../text/handle.ts'
import type { Question, Source } from './answer-source.ts'
import { prepared } from './prepared-schema.ts'
import { errorResult, explain } from './refusal-texts.ts'
import { type AnyItem, resultOf } from './results.ts'
import {
  chosenLines,
  matchLines,
  nearLine,
  profileLines,
  profileTexts,
  rankedLines,
  sourceLines,
  understoodLine,
  withPage,
} from './texts.ts'

/** How the answer to a route reads, as text. */
type Read<R extends ToolRouteName> = (
  items: readonly Item<R>[],
  input: ToolInput<R>,
  answer: ToolOutput<R>,
  /** The items in words where the model has named their fields. */
  chosen: string | undefined,
) => Reading

/** An answer in words; `nothing` when none of what was named is known, which is an error. */
interface Reading {
  readonly text: string
  readonly nothing?: boolean
}

/** Nothing is changed, nothing but the index is reached; that asking again gives the same follows. */
const annotations: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

const readers: { readonly [R in ToolRouteName]: Read<R> } = {
  search: (items, { query: text }, { query }, chosen) => {
    if (items.length > 0) {
      return { text: withHead(understoodLine(query), chosen ?? rankedLines(items)) }
    }
    const ways =
      'Try a topic or a country by its usual name, a name as its owner writes it, or fewer words; ' +
      'for an account use match_handle'
    return { text: `No authority found for "${text}". ${ways}.${nearLine(query)}` }
  },

  detail: (items, { sdus, response_format: format }, _, chosen) => {
    const known = new Set(items.map(({ sdu }) => sdu))
    const unknown = sdus.filter((sdu) => !known.has(sdu))
    const missing = unknown.length === 0 ? '' : `No authority has SDU ${unknown.join(', ')}`
    const textOf = format === 'concise' ? profileLines : profileTexts
    if (items.length > 0) return { text: withNote(chosen ?? textOf(items), missing) }
    const way = 'SDUs come from search_authorities, match_handle and find_peers'
    return { text: `${missing}; ${way}.`, nothing: true }
  },

  peers: (items, { handles }, _, chosen) =>
    items.length === 0
      ? { text: `No authority is known to be connected with ${handles.join(', ')}.` }
      : { text: chosen ?? rankedLines(items) },

  match: (items, { handles }, _, chosen) => {
    const owned = new Set(items.map((item) => identityOf(item.handle ?? handles[0]!)))
    const unowned = handles.filter((handle) => !owned.has(identityOf(handle)))
    const missing = unowned.length === 0 ? '' : `No authority owns ${unowned.join(', ')}`
    if (items.length > 0) {
      return { text: withNote(chosen ?? matchLines(items, handles[0]!), missing) }
    }
    return { text: `${missing}; try search_authorities with the person's name.`, nothing: true }
  },

  rank: (items) => ({ text: sourceLines(items) }),
}

/** What all spellings of one handle have in common. */
function identityOf(handle: string): string {
  const { platform, key } = parseHandle(handle)
  return `${platform ?? ''}:${key}`
}

function withHead(head: string, text: string): string {
  return head === '' ? text : `${head}\n\n${text}`
}

function withNote(text: string, note: string): string {
  return note === '' ? text : `${text}\n\n${note}.`
}

const outputSchema = prepared(toolOutputSchema)

interface ToolSchemas {
  readonly inputSchema: ReturnType<typeof prepared>
  readonly outputSchema: typeof outputSchema
}

/** The schemas of each route's tool, made once: making one costs more than a call. */
const schemas = Object.fromEntries(
  toolNames.map((route) => [
    route,
    {
      inputSchema: prepared(toolInputSchema(route)),
      outputSchema,
    },
  ]),
) as Readonly<Record<ToolRouteName, ToolSchemas>>

/**
 * Gives a server a tool for each route over a source.
 * @param onError called with a bug in a tool; the call is answered with an error that says so.
 */
export function registerTools(
  server: McpServer,
  source: Source,
  onError: (error: unknown) => void,
): void {
  for (const route of toolNames) register(server, source, route, onError)
}

function register<R extends ToolRouteName>(
  server: McpServer,
  source: Source,
  route: R,
  onError: (error: unknown) => void,
): void {
  const { name, title, description } = operations[route].tool
  const config = { title, description, ...schemas[route], annotations }
  server.registerTool(name, config, async (input) => {
    try {
      return await call(source, route, input as ToolInput<R>)
    } catch (error) {
      onError(error)
      return errorResult(explain({ status: 500, json: {} }))
    }
  })
}

async function call<R extends ToolRouteName>(
  source: Source,
  route: R,
  input: ToolInput<R>,
): Promise<CallToolResult> {
  const { explainUnasked }: ToolWords = operations[route].tool
  const { response_format: format, ...given }: Asked = input
  const isExplained = given.explain === true || (explainUnasked ?? false)
  // Whoever is shown has an SDU, whatever else is wanted of them.
  const fields = given.fields && [...new Set(['sdu', ...given.fields])]
  const answer = await source.ask(questionOf(route, { ...given, fields, explain: isExplained }))
  const { status, json } = answer
  if (status !== 200) return errorResult(explain(answer))
  const output = json as unknown as ToolOutput<R>
  const chosen = fields && chosenLines(output.results as readonly AnyItem[])
  const { text, nothing } = readers[route](output.results, input, output, chosen)
  if (nothing === true) return errorResult(text)
  return resultOf({ route, format, fields, text: withPage(text, output), json })
}

/** What all tools are called with, each with some of it. */
interface Asked extends Readonly<Record<string, unknown>> {
  readonly response_format: AnswerFormat
  readonly fields?: readonly string[]
}

/** What a tool asks: by a query string where its route takes one. */
function questionOf(route: ToolRouteName, input: Readonly<Record<string, unknown>>): Question {
  const { methods, paths }: Route = operations[route]
  const [path] = paths
  if (methods.includes('GET')) return { path, query: queryOf(input) }
  const { explain: _, fields: __, ...body } = input
  return { path, body: JSON.stringify(body) }
}

/** The input of a tool as a query string: a list is a parameter repeated, what is false is left out. */
function queryOf(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .filter(([, value]) => value !== false && value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as const))
    .map(([name, text]) => `${name}=${encodeURIComponent(text)}`)
    .join('&')
}
