/** How tools say an answer in words: one line a person wherever that is enough. */

import type { AnswerFormat } from '../../operation.ts'
import type { ToolRouteName } from '../../operations.ts'
import type { Explanation } from '../schemas/person.ts'
import type { ToolInput } from '../schemas/tool-inputs.ts'

/** An answer in words; `nothing` when none of what was named is known, which is an error. */
interface AnswerText {
  readonly text: string
  readonly nothing?: boolean
  /** Members of a concise result beside its items. */
  readonly more?: Readonly<Record<string, unknown>>
}

/** What a tool says an answer from, beside its items. */
export interface ToolAnswer<R extends ToolRouteName, I = never, A = never> {
  readonly input: ToolInput<R>
  /** The format of the result, which is concise where the details that were asked for are too long. */
  readonly format: AnswerFormat
  readonly answer: A
  /** All items of the answer. */
  readonly all: readonly I[]
  /** The listed items in words where the model has named their fields. */
  readonly chosen: string | undefined
  /** The largest topics of the index, for a search that found nobody. */
  readonly largestTopics: readonly string[]
}

/** How the tool of an operation reads an answer. */
export interface Tool<R extends ToolRouteName, I = never, A = never> {
  /** Says items in words: those to list, or the first of them where more would be too long. */
  read(items: readonly I[], answer: ToolAnswer<R, I, A>): AnswerText
  /** The fields of an item that a concise result keeps. */
  readonly conciseFields: readonly string[]
  /** How a model gets what a result has left out: page by page, with the rest of the values, or by asking for less. */
  readonly rest: 'pages' | 'values' | 'narrower'
  /** Whether an item is summed up with others instead of listed. */
  isGrouped?(item: I): boolean
}

/** The first of some names, and how many more there are. */
export function someOf(names: readonly string[], count = 20): string {
  const more = names.length - count
  return more > 0 ? `${names.slice(0, count).join(', ')} and ${more} more` : names.join(', ')
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

/** Why an item has its rank, in a sentence behind it; '' where that was not asked for. */
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
