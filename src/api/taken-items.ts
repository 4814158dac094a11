/** The items that a connection took of an answer: one counts once its last byte was taken. Read only of a cut answer. */
import type { Answered } from '../ledger/live/reservations.ts'
import { plainPart } from './content-coding.ts'
import type { AnsweredValues } from './exchange.ts'
import { textEnd } from './parameters/json-shape.ts'

/** The name of the items of an answer. No text holds a name in this form: quotation marks in texts are escaped. */
const results = '"results":['

const quote = 34
const openBracket = 91
const closeBracket = 93
const smallL = 108
const openBrace = 123
const closeBrace = 125

/**
 * The values that a part of a body, plain or as gzip, answers, infinite for all of them, and its whole items.
 * @param values undefined if one item pays for the answer.
 */
export function answeredIn(part: Uint8Array, values: AnsweredValues | undefined): Answered {
  const items = itemsIn(plainPart(part), results)
  return items === undefined ? { queries: 0, items: 0 } : answeredBy(items, values)
}

/** @param items infinite for all of them. */
export function answeredBy(items: number, values: AnsweredValues | undefined): Answered {
  if (items === Number.POSITIVE_INFINITY) return { queries: items, items }
  if (values !== undefined) return { queries: values(items), items }
  return { queries: items > 0 ? Number.POSITIVE_INFINITY : 0, items }
}

/** Whole items in the beginning of JSON; infinite once their list has ended, undefined before it begins. */
export function itemsIn(part: Buffer, list: string): number | undefined {
  const begins = part.indexOf(list)
  const from = begins + list.length
  if (begins < 0 || from >= part.length) return undefined
  let items = 0
  let depth = 0
  for (let at = from; at < part.length; at += 1) {
    const byte = part[at]
    if (byte === quote) at = textEnd(part, at + 1)
    else if (byte === openBrace || byte === openBracket) depth += 1
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return Number.POSITIVE_INFINITY
      depth -= 1
      if (depth === 0) items += 1
    } else if (byte === smallL && depth === 0 && part[at - 1] === smallL) {
      // The end of `null`, the item of an unknown value.
      items += 1
    }
  }
  return items
}
