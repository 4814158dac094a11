/** The plain object of a query string in every published spelling, checked by the schema in `schemas/inputs.ts`. */
import type * as z from 'zod'
import type { FilterNames, MeaningOf } from '../../engine/filters/filter-names.ts'
import { limits } from '../../limits.ts'
import type { GetRouteName } from '../../operations.ts'
import { type ChoiceName, passedOverNames, passedOverPrefix } from '../../request-parameters.ts'
import { termsOf } from '../../text/analyzer.ts'
import type { Past } from '../past.ts'
import { type Field, type Inputs, inputs, parametersOf } from '../schemas/inputs.ts'
import { nearestName, unknownName, unknownValue } from '../schemas/unknown-names.ts'
import type { Cursors } from './cursor.ts'
import { decoded, invalid, type Pairs, type Parsed, parsePairs } from './pairs.ts'

export interface Choice {
  readonly sent: readonly string[]
  /** Each once; fewer than were sent if a value has no people. */
  readonly numbers: readonly number[]
}

type Output<R extends GetRouteName> = z.output<(typeof inputs)[R]['get']>

type QueryValues<R extends GetRouteName> = {
  readonly [N in keyof Output<R>]: N extends ChoiceName
    ? Output<R>[N] extends readonly string[] | undefined
      ? Choice | undefined
      : Output<R>[N]
    : Output<R>[N]
}

interface ReadBy {
  readonly names: FilterNames
  /** Whether a parameter that the route does not take is passed over, unless it is one slip away from one. */
  readonly ignoresUnknown: boolean
  readonly cursors: Cursors
  readonly past: Past
}

export function queryParser<R extends GetRouteName, Q>(
  route: R,
  make: (values: QueryValues<R>, served: ReadBy) => Parsed<Q>,
): (query: string, served: ReadBy) => Parsed<Q> {
  const { get: schema, passesOver = [] }: Inputs = inputs[route]
  const fields = parametersOf(route)
  const places = fields.map(({ name }): PropertyKey => name)
  const choices = fields.filter(({ commas }) => commas === 'choice')
  const spellings = fields.flatMap((field) => field.spellings)
  const known = [...spellings, ...passesOver, ...passedOverNames]
  return (query, served) => {
    const { names, ignoresUnknown } = served
    const { value: pairs, problem } = parsePairs(query)
    if (problem !== undefined) return { problem }
    const stranger = pairs.find(
      ([name]) =>
        !(known.includes(name) || name.startsWith(passedOverPrefix)) &&
        !(ignoresUnknown && nearestName(name, spellings, 1) === undefined),
    )
    if (stranger !== undefined) return invalid(unknownName('parameter', stranger[0], spellings))
    const given = objectOf(pairs, fields, names)
    const { data, error } = schema!.safeParse(given)
    const [fault] = error?.issues ?? []
    const end = fault === undefined ? places.length : places.indexOf(fault.path[0]!)
    const chosen: Record<string, Choice> = {}
    // Of two wrong values the first is named, also where only the snapshot can tell that it is wrong.
    for (const { name } of choices) {
      if (given[name] === undefined || places.indexOf(name) >= end) continue
      const read = readChoice(name, given[name] as readonly string[], names[name as ChoiceName])
      if (read.problem !== undefined) return read
      chosen[name] = read.value
    }
    if (fault !== undefined) return invalid(fault.message)
    return make({ ...data, ...chosen } as QueryValues<R>, served)
  }
}

/** The plain object: a list of texts, a number, whether something is so, or a text; several of one of these as a list. */
function objectOf(pairs: Pairs, fields: readonly Field[], names: FilterNames) {
  const given: Record<string, unknown> = {}
  for (const field of fields) {
    const sent = pairs.filter(([name]) => field.spellings.includes(name))
    if (sent.length === 0) continue
    if (field.type === 'array') {
      const values = valuesIn(sent, field, names)
      if (values.length > 0 || field.isBlankAbsent !== true) given[field.name] = values
    } else {
      const [[, text], another] = sent as [Pairs[number], Pairs[number]?]
      given[field.name] = another === undefined ? readValue(text, field.type) : [text, another[1]]
    }
  }
  return given
}

/** A text as the value that it says; another text, which the schema refuses. */
function readValue(text: string, type: Field['type']): unknown {
  if (type === 'number' && /^\d{1,16}(?:\.\d{1,9})?$/.test(text)) return Number(text)
  if (type === 'int' && /^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER)
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true'
  return text
}

function valuesIn(sent: Pairs, field: Field, names: FilterNames): readonly string[] {
  const values: string[] = []
  for (const [, list, text] of sent) {
    // To look at values that are too many already is work for nothing.
    if (values.length > limits.valuesPerRequestMax) break
    for (const part of partsOf(list, text, field, names)) {
      const value = part.trim()
      if (value !== '') values.push(value)
    }
  }
  return values
}

const encodedComma = /%2c/i

/** @param list decoded. @param sent as it was sent. */
function partsOf(list: string, sent: string, { name, commas }: Field, names: FilterNames) {
  const isWhole = commas === 'choice' && isNamed(list, names[name as ChoiceName])
  if (isWhole) return [list]
  // No character extends over a plain comma.
  if (commas === undefined || !encodedComma.test(sent)) return list.split(',')
  return sent.split(',').map((part) => decoded(part)!)
}

/** A whole name may hold a comma, which then needs no escape. */
function isNamed(text: string, meaningOf: MeaningOf): boolean {
  if (!text.includes(',') || text.length > limits.queryCharactersMax) return false
  return isAsLongAsItsParts(text) && meaningOf(text).numbers !== undefined
}

/** Equal terms count as one: by its second part alone, `Data,Data science` would be one value. */
function isAsLongAsItsParts(value: string): boolean {
  const parts = value.split(',').map((part) => termsOf(part).length)
  return termsOf(value).length === parts.reduce((sum, terms) => sum + terms, 0)
}

/** Behind the refusal of a value with a comma, which was percent-encoded. */
const commaHint = '; a comma between two values is not percent-encoded'

function readChoice(name: string, sent: readonly string[], meaningOf: MeaningOf): Parsed<Choice> {
  const numbers = new Set<number>()
  for (const value of sent) {
    const meant = meaningOf(value)
    if (meant.numbers === undefined) {
      const comma = value.includes(',') ? commaHint : ''
      return invalid(`${name}${unknownValue(value, meant.nearest())}${comma}`)
    }
    for (const number of meant.numbers) numbers.add(number)
  }
  return { value: { sent, numbers: [...numbers] } }
}
