/**
 * The tools, one for each route: each asks it and hands its body on as structured content, with a text
 * that says the same in fewer words. Descriptions are written for a model that must choose.
 */
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import { toolOutputSchema, tools } from '../api/operations/described.ts'
import { type ToolInput, toolInputSchema } from '../api/schemas/tool-inputs.ts'
import type { AnswerFormat, Route, ToolWords } from '../operation.ts'
import { operations, type ToolRouteName, toolNames } from '../operations.ts'
import { type AnswerSource, idempotencyKeyOf, type Question } from './answer-source.ts'
import { prepared } from './prepared-schema.ts'
import { errorResult, explain } from './refusal-texts.ts'
import { type AnyItem, resultOf } from './results.ts'
import { chosenLines, withPage } from './texts.ts'

/** Nothing is changed, nothing but the index is reached; that asking again gives the same follows. */
const annotations: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

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
  source: AnswerSource,
  onError: (error: unknown) => void,
): void {
  for (const route of toolNames) register(server, source, route, onError)
}

function register<R extends ToolRouteName>(
  server: McpServer,
  source: AnswerSource,
  route: R,
  onError: (error: unknown) => void,
): void {
  const { name, title, description } = operations[route].tool
  const config = { title, description, ...schemas[route], annotations }
  server.registerTool(name, config, async (input, context) => {
    try {
      return await call(source, route, input as ToolInput<R>, idempotencyKeyOf(context))
    } catch (error) {
      onError(error)
      return errorResult(explain({ status: 500, json: {} }))
    }
  })
}

async function call<R extends ToolRouteName>(
  source: AnswerSource,
  route: R,
  input: ToolInput<R>,
  idempotencyKey: string | undefined,
): Promise<CallToolResult> {
  const { explainUnasked }: ToolWords = operations[route].tool
  const { response_format: format, ...given }: Asked = input
  const isExplained = given.explain === true || (explainUnasked ?? false)
  // Whoever is shown has an SDU, whatever else is wanted of them.
  const fields = given.fields && [...new Set(['sdu', ...given.fields])]
  const question = questionOf(route, { ...given, fields, explain: isExplained })
  const answer = await source.ask({ ...question, idempotencyKey })
  const { status, json } = answer
  if (status !== 200) return errorResult(explain(answer))
  const items = json.results as readonly AnyItem[]
  const chosen = fields && chosenLines(items)
  const tool = tools[route]
  // The items and the answer are what the tool's schemas say.
  const { text, nothing } = tool.read(items as never, input, json as never, chosen)
  if (nothing === true) return errorResult(text)
  const { conciseFields } = tool
  return resultOf({ route, conciseFields, format, fields, text: withPage(text, json), json })
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
