/** The answers of tools in words: one line a person wherever that is enough. */

import type { AnswerFormat } from '../../operation.ts'
import type { ToolRouteName } from '../../operations.ts'
import type { Explanation } from '../schemas/person.ts'
import type { ToolInput } from '../schemas/tool-inputs.ts'

/** An answer in words. */
interface AnswerText {
  readonly text: string
  /** Members of the result that say what the text says beside the items: some clients show one of both. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** The facts from which a tool makes its text, beside the listed items. */
export interface ToolAnswer<R extends ToolRouteName, I = never, A = never> {
  readonly input: ToolInput<R>
  /** The format of the result, which is concise if the requested details are too long. */
  readonly format: AnswerFormat
  readonly answer: A
  /** All items of the answer. */
  readonly all: readonly I[]
  /** The listed items in words if the model has named their fields. */
  readonly chosen: string | undefined
  /** The largest topics of the index, for a search without a match. */
  readonly largestTopics: readonly string[]
}

/** The tool of an operation: its text of an answer, and the fields of its results. */
export interface Tool<R extends ToolRouteName, I = never, A = never> {
  /** Returns the text for items: those to list, or the first of them if more would be too long. */
  read(items: readonly I[], answer: ToolAnswer<R, I, A>): AnswerText
  /** The fields of an item that a concise result keeps: those that its text says. */
  readonly conciseFields: readonly string[]
  /** An item as a concise result has it, where that is not some of its fields. */
  concise?(item: I): Readonly<Record<string, unknown>> | undefined
  /** The way to get what a result left out: page by page, by the rest of the values, or by a narrower request. */
  readonly rest: 'pages' | 'values' | 'narrower'
  /** Whether an item is summed up with others instead of listed. */
  isGrouped?(item: I): boolean
}

/** Names that a text lists. */
const namesMax = 20

/** The first of some names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const more = names.length - namesMax
  return more > 0 ? `${names.slice(0, namesMax).join(', ')} and ${more} more` : names.join(', ')
}

/** Values that are not known, as far as a text names them, and the way to known ones. */
export function unknownOf(
  values: readonly string[],
  hint?: string,
): Readonly<Record<string, unknown>> {
  if (values.length === 0) return {}
  const more = values.length - namesMax
  return {
    unknown: values.slice(0, namesMax),
    ...(more > 0 && { unknown_more: more }),
    ...(hint !== undefined && { hint }),
  }
}

/** The text about a person. */
interface Summary {
  readonly sdu: string
  readonly name: string
  readonly rank: number
  readonly topic: string
  readonly country_name: string
  readonly explanation?: Explanation | undefined
}

/** `1. David Wood (Rust, Germany), SDU 489…` for each, in order. */
export function rankedLines(items: readonly Summary[]): string {
  return items.map((item) => `${item.rank}. ${personOf(item)}${reasonOf(item)}`).join('\n')
}

/** The sentence that explains the rank of an item, to stand behind it; '' without an explanation. */
export function reasonOf({
  explanation,
}: {
  readonly explanation?: Explanation | undefined
}): string {
  return explanation === undefined ? '' : `. ${explanation.sentence}`
}

function personOf({ name, topic, country_name: country, sdu }: Summary): string {
  return `${name} (${country === '' ? topic : `${topic}, ${country}`}), SDU ${sdu}`
}

/** A text with a note behind it; '' for none. */
export function withNote(text: string, note: string): string {
  return note === '' ? text : `${text}\n\n${note}.`
}
