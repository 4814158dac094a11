/** The plain object of a query string in every published spelling, checked by the schema in `schemas/inputs.ts`. */
import type { FilterNames, MeaningOf } from '../../engine/filters/filter-names.ts'
import { limits } from '../../limits.ts'
import type { RouteName } from '../../operations.ts'
import { type ChoiceName, passedOverNames, passedOverPrefix } from '../../request-parameters.ts'
import { termsOf } from '../../text/analyzer.ts'
import { lazily } from '../../text/lazily.ts'
import { invalid, type Parsed } from '../exchange.ts'
import { type Field, type Inputs, inputs, parametersOf } from '../schemas/inputs.ts'
import { nearestName, unknownName } from '../schemas/unknown-names.ts'
import type { SentName } from '../schemas/values.ts'
import { decoded } from './fast-parse.ts'

interface ReadBy {
  readonly names: FilterNames
  /** Whether a parameter that the route does not take is passed over, unless it is one slip away from one. */
  readonly ignoresUnknown: boolean
}

export function queryReader(
  route: RouteName,
): (query: string, by: ReadBy) => Parsed<Readonly<Record<string, unknown>>> {
  const { get: schema, passesOver = [] }: Inputs = inputs[route]
  const fields = parametersOf(route)
  const spellings = fields.flatMap((field) => field.spellings)
  const known = [...spellings, ...passesOver, ...passedOverNames]
  return (query, { names, ignoresUnknown }) => {
    const { value: pairs, problem } = parsePairs(query)
    if (problem !== undefined) return { problem }
    const stranger = pairs.find(
      ([name]) =>
        !(known.includes(name) || name.startsWith(passedOverPrefix)) &&
        !(ignoresUnknown && nearestName(name, spellings, 1) === undefined),
    )
    if (stranger !== undefined) return invalid(unknownName('parameter', stranger[0], spellings))
    const { data, error } = schema!.safeParse(objectOf(pairs, fields, names))
    return error === undefined ? { value: data } : invalid(error.issues[0]!.message)
  }
}

/** In order: decoded names and values, and each value as it was sent. */
type Pairs = readonly (readonly [name: string, value: string, sent: string])[]

/** `+` is a space, `%` must begin the UTF-8 of a character. A name without `=` has an empty value. */
export function parsePairs(query: string): Parsed<Pairs> {
  const parts = query.split('&', limits.parametersMax + 1)
  if (parts.length > limits.parametersMax) {
    return invalid(`there are more than ${limits.parametersMax} parameters`)
  }
  const pairs: [string, string, string][] = []
  for (const part of parts) {
    if (part === '') continue
    const [sentName] = part.split('=', 1) as [string]
    const sent = part.slice(sentName.length + 1)
    const [name, value] = [decoded(sentName), decoded(sent)]
    if (name === undefined || value === undefined) {
      const detail = `'${part.slice(0, 100)}' is not percent-encoded UTF-8`
      return { problem: { code: 'malformed-request', detail } }
    }
    pairs.push([name, value, sent])
  }
  return { value: pairs }
}

/** The plain object: a list of texts or names, a number, whether something is so, or a text; several of one of these as a list. */
function objectOf(pairs: Pairs, fields: readonly Field[], names: FilterNames) {
  const given: Record<string, unknown> = {}
  for (const field of fields) {
    const sent = pairs.filter(([name]) => field.spellings.includes(name))
    if (sent.length === 0) continue
    if (field.type === 'array') {
      const values = valuesIn(sent, field, names)
      if (values.length === 0 && field.isBlankAbsent === true) continue
      const meaningOf = field.commas === 'choice' ? names[field.name as ChoiceName] : undefined
      given[field.name] = meaningOf === undefined ? values : values.map(named(meaningOf))
    } else {
      const [[, text], another] = sent as [Pairs[number], Pairs[number]?]
      given[field.name] = another === undefined ? readValue(text, field.type) : [text, another[1]]
    }
  }
  return given
}

function named(meaningOf: MeaningOf): (sent: string) => SentName {
  return (sent) => ({ sent, meaning: lazily(() => meaningOf(sent)) })
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
