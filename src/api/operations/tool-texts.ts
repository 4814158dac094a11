/** How tools say an answer in words: one line a person wherever that is enough. */

import type { ToolRouteName } from '../../operations.ts'
import type { Explanation } from '../schemas/person.ts'
import type { ToolInput } from '../schemas/tool-inputs.ts'

/** An answer in words; `nothing` when none of what was named is known, which is an error. */
export interface AnswerText {
  readonly text: string
  readonly nothing?: boolean
}

/** How the tool of an operation reads an answer. */
export interface Tool<R extends ToolRouteName, I = never, A = never> {
  /**
   * Says an answer in words.
   * @param chosen the items in words where the model has named their fields.
   */
  read(items: readonly I[], input: ToolInput<R>, answer: A, chosen: string | undefined): AnswerText
  /** The fields of an item that a concise result keeps. */
  readonly conciseFields: readonly string[]
}

/** What is said of a person. */
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
