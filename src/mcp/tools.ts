/** The tools, one for each route that has one. Descriptions are written for a model that must choose. */
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { type Item, toolOutputSchema } from '../api/operations/items.ts'
import { type Tool, tools } from '../api/operations/tools.ts'
import { type ToolInput, toolInputSchema } from '../api/schemas/tool-inputs.ts'
import type { AnswerFormat, Route, ToolWords } from '../operation.ts'
import { operations, type ToolRouteName, toolNames } from '../operations.ts'
import {
  type Answer,
  type AnswerSource,
  type Asker,
  askerOf,
  type Question,
} from './answer-source.ts'
import { type Given, type OfferedTool, prepared } from './offered-tool.ts'
import { asData } from './record-texts.ts'
import { answered, errorResult, explain } from './refusal-texts.ts'
import { resultOf } from './results.ts'
import { documentTools } from './search-fetch.ts'

/** The tools change nothing and reach only the index; it follows that a repeated call gives the same. */
const annotations: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

const outputSchema = prepared(toolOutputSchema)

/** Schemas are made once: making one costs more than a call. */
const routedTools: readonly OfferedTool[] = toolNames.map((route) => {
  const { name, title, description } = operations[route].tool
  const inputSchema = prepared(toolInputSchema(route))
  return {
    ...{ name, title, description, inputSchema, outputSchema },
    call: (source, given, asker) =>
      callRoute(source, route, given as ToolInput<ToolRouteName> & Asked, asker),
  }
})

/** @param onError called with a bug in a tool; the call is answered with an error that says so. */
export function registerTools(
  server: McpServer,
  source: AnswerSource,
  onError: (error: unknown) => void,
): void {
  for (const tool of [...routedTools, ...(source.searchFetch ? documentTools : [])]) {
    const { name, call, ...words } = tool
    const isSearch = name === operations.search.tool.name
    const description = `${words.description}${isSearch ? contentsOf(source) : ''}`
    const offered = { ...words, description, annotations }
    server.registerTool(name, offered, (given, context) =>
      answered(onError, () => call(source, given as Given, askerOf(context))),
    )
  }
}

/** The names of topics are quoted data. */
function contentsOf({ largestTopics }: AnswerSource): string {
  if (largestTopics.length === 0) return ''
  const names = largestTopics.map((name) => JSON.stringify(name))
  return ` Largest topics here: ${names.join(', ')} (data from records).`
}

/** Each tool takes some of them. */
interface Asked extends Readonly<Record<string, unknown>> {
  readonly response_format?: AnswerFormat
  readonly fields?: readonly string[]
}

async function callRoute(
  source: AnswerSource,
  route: ToolRouteName,
  input: ToolInput<ToolRouteName> & Asked,
  asker: Asker,
): Promise<CallToolResult> {
  const { tool: words }: { readonly tool: ToolWords } = operations[route]
  // A tool reads the items of its own route only.
  const tool = tools[route] as unknown as Tool<ToolRouteName>
  const { response_format: format = 'concise', ...given } = input
  const isExplained = given.explain === true || (words.explainUnasked ?? false)
  // Each shown person has an SDU, whichever fields the model names.
  const fields = given.fields && [...new Set(['sdu', ...given.fields])]
  const isOpen = route === 'changes' && given.since === undefined
  const since = isOpen ? await newestBeginning(source) : {}
  const query = { ...given, ...since, fields, explain: isExplained }
  const answer = await source.ask({ ...questionOf(route, query), ...asker })
  if (answer.status !== 200) return errorResult(explain(answer))
  const isWholeMatch = route === 'match' && fields === undefined
  const json = isWholeMatch ? withHandle(asData(answer.json), given) : asData(answer.json)
  return resultOf({ route, tool, input, format, fields, json })
}

/** The answer with the one handle that was asked for at its owner, where the API leaves it out: its text says it. */
function withHandle(
  json: Answer['json'],
  given: Readonly<Record<string, unknown>>,
): Answer['json'] {
  const [handle] = given.handles as readonly string[]
  const { results } = json as { readonly results: readonly object[] }
  return {
    ...json,
    results: results.map((item) => ('handle' in item ? item : { ...item, handle })),
  }
}

function questionOf(route: ToolRouteName, input: Readonly<Record<string, unknown>>): Question {
  const { methods, paths }: Route = operations[route]
  const [path] = paths
  if (methods.includes('GET')) return { path, query: queryOf(input) }
  const { explain: _, fields: __, ...body } = input
  return { path, body: JSON.stringify(body) }
}

/** A comma stays plain: models write several values into one text. */
function queryOf(input: Readonly<Record<string, unknown>>): string {
  return Object.entries(input)
    .filter(([, value]) => value !== false && value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((each) => [name, String(each)] as const))
    .map(([name, text]) => `${name}=${encodeURIComponent(text).replaceAll('%2C', ',')}`)
    .join('&')
}

/** The default beginning of changes: the snapshot before the newest. None if the service does not answer. */
async function newestBeginning(source: AnswerSource): Promise<{ readonly since?: string }> {
  // Without the key of the question.
  const asked = { path: operations.snapshots.paths[0], query: '', idempotencyKey: '' }
  const { json } = await source.ask(asked)
  const [newest] = (json.results ?? []) as readonly Item<'snapshots'>[]
  const since = newest?.parent ?? newest?.id
  return since === undefined ? {} : { since }
}
