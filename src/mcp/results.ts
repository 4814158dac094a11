/**
 * Results of tools from answers of routes. No result is longer than `limits.mcpResultBytesMax`: brief items replace
 * details, then the last items are left out, and the texts of the first are cut; the result says so.
 */
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import type { Explanation } from '../api/operations/items.ts'
import { reasonOf, type Tool, type ToolAnswer } from '../api/operations/tools.ts'
import { limits, withThousands } from '../limits.ts'
import { firstNot } from '../memory/bounds.ts'
import type { AnswerFormat } from '../operation.ts'
import type { ToolRouteName } from '../operations.ts'
import { authorityUri } from './answer-source.ts'
import { dataMark, firstCutThatFits } from './record-texts.ts'

type AnyItem = Readonly<Record<string, unknown>>

interface AnswerToWord {
  readonly route: ToolRouteName
  readonly tool: Tool<ToolRouteName>
  readonly input: ToolAnswer<ToolRouteName>['input']
  readonly format: AnswerFormat
  /** Undefined if the model named none. */
  readonly fields: readonly string[] | undefined
  readonly json: AnyItem
  /** Undefined if no text was cut. */
  readonly cutNote?: string
}

const programMembers = ['request_id', 'query']

/** The bound of a result in tokens, at four bytes a token. */
const tokensMax = withThousands(limits.mcpResultBytesMax / 4)

/** @param told an answer with status 200. */
export function resultOf(told: AnswerToWord): CallToolResult {
  const { format, fields } = told
  const whole = partOf(told)
  if (fits(whole)) return whole
  const items = listedOf(told)
  if (format === 'detailed' && fields === undefined) {
    const count = Math.floor((items.length * limits.mcpResultBytesMax) / bytesOf(whole))
    const note = briefNote(Math.max(1, count))
    const brief = { ...told, format: 'concise' } as const
    const result = partOf(brief, items.length, note)
    return fits(result) ? result : firstThatFit(brief, items.length)
  }
  return firstThatFit(told, items.length)
}

function firstThatFit(told: AnswerToWord, total: number): CallToolResult {
  const isRoomFor = (count: number) => fits(partOf(told, count, leftOutNote(told, count, total)))
  const count = firstNot(total - 1, (index) => isRoomFor(index + 1))
  const isTooFew = count < Math.min(total, itemsMin)
  if (isTooFew && told.cutNote === undefined) return cutToFit(told)
  return partOf(told, count, leftOutNote(told, count, total))
}

/** If not even this number of items fits, their texts are cut: a model could read nothing of an item left out. */
const itemsMin = 2

function cutToFit(told: AnswerToWord): CallToolResult {
  const items = told.json.results as readonly AnyItem[]
  const make = (results: { readonly [place: number]: AnyItem }, cutNote: string) => {
    return { ...told, json: { ...told.json, results: Object.values(results) }, cutNote }
  }
  // As an object, so that no item is cut from the list of them.
  const cut = firstCutThatFits({ ...items }, make, (each) =>
    fits(partOf(each, itemsMin, leftOutNote(each, itemsMin, items.length))),
  )
  const whole = partOf(cut, undefined, cut.cutNote)
  return fits(whole) ? whole : firstThatFit(cut, listedOf(cut).length)
}

function bytesOf(result: CallToolResult): number {
  return Buffer.byteLength(JSON.stringify(result))
}

/** Whether a result is within the bound. */
export function fits(result: CallToolResult): boolean {
  return bytesOf(result) <= limits.mcpResultBytesMax
}

function briefNote(count: number): string {
  return (
    `All details would take more than ${tokensMax} tokens, so each item is shown in brief: for details ask for ` +
    `about ${count} at a time, or name fields.`
  )
}

function leftOutNote({ tool, input, cutNote }: AnswerToWord, count: number, total: number): string {
  const cut = cutNote === undefined ? '' : `${cutNote} `
  const left = `${cut}Left out: ${total - count} of ${total}, so that the result takes less than ${tokensMax} tokens.`
  if (count === 0 || tool.rest === 'narrower') {
    return `${left} Call again and ask for less: fewer fields, or fewer SDUs, a topic or types.`
  }
  if (tool.rest === 'values') {
    return `${left} Call again for those that are not listed here, at most ${count} at a time.`
  }
  const { cursor = '*' } = input as { readonly cursor?: string }
  return `${left} Call again with limit ${count} and cursor "${cursor}" for everybody, page by page.`
}

function listedOf({ tool, json }: AnswerToWord): readonly AnyItem[] {
  const items = json.results as readonly AnyItem[]
  return items.filter((item) => tool.isGrouped?.(item as never) !== true)
}

/** @param note on the parts that the result does not show, if any. */
function partOf(told: AnswerToWord, count?: number, note = ''): CallToolResult {
  const { tool, format, fields, json, input } = told
  const listed = listedOf(told)
  const items = listed.slice(0, count)
  const isWhole = items.length === listed.length
  const all = json.results as never
  const chosen = fields && chosenLines(items)
  const query = json.query as never
  const reading = { input, format, query, all, chosen }
  // The items and the answer have the types of the tool's schemas.
  const { text, more } = tool.read(items as never, reading)
  const shown = isWhole ? json : withoutCursor(json)
  const paged = isWhole ? withPage(text, json) : text
  const words = [`${dataMark}\n${paged}`, note].filter((part) => part !== '').join('\n\n')
  const content: ContentBlock[] = [{ type: 'text', text: words }]
  const marks = { ...(note !== '' && { left_out: note }), note: dataMark }
  if (format === 'concise') {
    return { content, structuredContent: { ...marks, ...conciseOf(told, shown, items), ...more } }
  }
  const whole = isWhole ? json : { ...shown, results: items }
  return {
    content: [...content, ...linksOf(told.route, items)],
    structuredContent: { ...marks, ...whole, ...more },
  }
}

/** The next page would begin behind the items that were left out. */
function withoutCursor({ next_cursor: _, ...json }: AnyItem): AnyItem {
  return json
}

function conciseOf(
  { tool, fields }: AnswerToWord,
  json: AnyItem,
  items: readonly AnyItem[],
): AnyItem {
  const kept = Object.entries(json).filter(([name]) => !programMembers.includes(name))
  const results = items.map((item) => {
    if (fields !== undefined) return item
    const named = Object.entries(item).filter(([name]) => tool.conciseFields.includes(name))
    return tool.concise?.(item as never) ?? Object.fromEntries(named)
  })
  return { ...Object.fromEntries(kept), results }
}

/** None for profiles, because a link leads to the profile. */
function linksOf(route: ToolRouteName, items: readonly AnyItem[]): ContentBlock[] {
  if (route === 'detail') return []
  const people = new Map(
    items
      .filter(({ sdu }) => sdu !== null)
      .map(({ sdu, name }) => [String(sdu), String(name ?? sdu)]),
  )
  return [...people].map(([sdu, name]) => ({
    type: 'resource_link',
    uri: `${authorityUri}/${sdu}`,
    name,
  }))
}

/** `sdu 7, authority_score 61` for each item with the requested fields. */
function chosenLines(items: readonly Chosen[]): string {
  return items.map(chosenLine).join('\n')
}

interface Chosen extends AnyItem {
  readonly explanation?: Explanation
}

function chosenLine({ explanation, ...fields }: Chosen): string {
  const told = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${told.join(', ')}${reasonOf({ explanation })}`
}

function withPage(
  text: string,
  { total, next_cursor: next }: { readonly total?: number; readonly next_cursor?: string | null },
): string {
  if (total === undefined) return text
  const more = typeof next === 'string' ? `; go on with cursor ${next}` : ''
  return `${text}\n\n${total} in all${more}`
}
