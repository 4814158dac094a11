/**
 * Results of tools from answers of routes. A concise one says in its structured content what the text
 * does not need many words for; a detailed one has all of the answer, and links to everybody in it.
 */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { AnswerFormat } from '../operation.ts'
import type { ToolRouteName } from '../operations.ts'
import { authorityUri } from './answer-source.ts'

/** An item of the answer of any route. */
export type AnyItem = Readonly<Record<string, unknown>>

/** What an answer is made a result of. */
export interface AnswerToWord {
  readonly route: ToolRouteName
  /** The fields of an item that a concise result keeps. */
  readonly conciseFields: readonly string[]
  readonly format: AnswerFormat
  /** What the model asked for by name; undefined where it did not. */
  readonly fields: readonly string[] | undefined
  readonly text: string
  readonly json: AnyItem
}

/** Members of an answer that are for programs. */
const programMembers = ['request_id', 'query']

/** The result of a tool that has found something, or looked for it. */
export function resultOf(told: AnswerToWord): CallToolResult {
  const { text, format, json } = told
  const content: ContentBlock[] = [{ type: 'text', text }]
  if (format === 'concise') return { content, structuredContent: conciseOf(told) }
  return { content: [...content, ...linksOf(told)], structuredContent: { ...json } }
}

function conciseOf({
  conciseFields,
  fields,
  json,
}: AnswerToWord): AnyItem & { [name: string]: unknown } {
  const kept = Object.entries(json).filter(([name]) => !programMembers.includes(name))
  if (fields !== undefined) return Object.fromEntries(kept)
  const items = json.results as readonly AnyItem[]
  const results = items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => conciseFields.includes(name))),
  )
  return { ...Object.fromEntries(kept), results }
}

/** A link to each person once; of profiles none, which are what a link leads to. */
function linksOf({ route, json }: AnswerToWord): ContentBlock[] {
  if (route === 'detail') return []
  const people = new Map(
    (json.results as readonly AnyItem[])
      .filter(({ sdu }) => sdu !== null)
      .map(({ sdu, name }) => [String(sdu), String(name ?? sdu)]),
  )
  return [...people].map(([sdu, name]) => ({
    type: 'resource_link',
    uri: `${authorityUri}/${sdu}`,
    name,
  }))
}
