/**
 * The parameters that narrow or shape a list: filters, fields, facets and cursors. Each is off unless it
 * is given. A wrong value is refused with the closest valid one.
 */
import type { MeaningOf, Meant } from '../../engine/filters/filter-names.ts'
import { limits } from '../../limits.ts'
import {
  type FacetName,
  type FieldName,
  facetNames,
  fieldNames,
  type SuggestionKind,
  suggestionKinds,
} from '../../request-parameters.ts'
import { termsOf } from '../../text/analyzer.ts'
import { nearestOf } from '../../text/nearest.ts'
import { wrongCursor } from './cursor.ts'
import {
  invalid,
  isGiven,
  type NamedParameter,
  type Pairs,
  type Parsed,
  severalValues,
  single,
  textsIn,
} from './pairs.ts'

/** The values of a filter as they were sent, and the numbers that they are in the snapshot. */
export interface Choice {
  readonly sent: readonly string[]
  /** Each once; fewer than were sent if a value has no people. */
  readonly numbers: readonly number[]
}

/** Longest name that is compared with the valid ones, characters. */
const nameCharactersMax = 32

/** Behind the refusal of a value with a comma, which was percent-encoded. */
const commaHint = '; a comma between two values is not percent-encoded'

const absent: { readonly value: undefined } = { value: undefined }

/**
 * Reads values that name something of the snapshot. A comma inside a name needs no escape where the whole text is a
 * name.
 */
export function readChoice(
  pairs: Pairs,
  parameter: NamedParameter,
  meaningOf: MeaningOf,
): Parsed<Choice | undefined> {
  if (!isGiven(pairs, parameter)) return absent
  const isKnown = (value: string) =>
    value.includes(',') &&
    value.length <= limits.queryCharactersMax &&
    isAsLongAsItsParts(value) &&
    isMeant(meaningOf(value))
  const given = severalValues(pairs, { ...parameter, required: true }, (list, sent) =>
    isKnown(list) ? [list] : textsIn(list, sent),
  )
  if (given.problem !== undefined) return given
  const numbers = new Set<number>()
  for (const value of given.value) {
    const { name } = parameter
    if (value.length > limits.queryCharactersMax) {
      return invalid(`${name}: a value is longer than ${limits.queryCharactersMax} characters`)
    }
    const meant = meaningOf(value)
    if (meant.numbers === undefined) {
      const comma = value.includes(',') ? commaHint : ''
      return invalid(`${unknownValue(name, value, meant.nearest())}${comma}`)
    }
    for (const number of meant.numbers) numbers.add(number)
  }
  return { value: { sent: given.value, numbers: [...numbers] } }
}

/**
 * Whether no comma stands between two equal terms, which count as one: `Data,Data science` would
 * be one value by the name of its second part.
 */
function isAsLongAsItsParts(value: string): boolean {
  const parts = value.split(',').map((part) => termsOf(part).length)
  return termsOf(value).length === parts.reduce((sum, terms) => sum + terms, 0)
}

function isMeant({ numbers }: Meant): boolean {
  return numbers !== undefined
}

/** The sentence about a value that does not exist. */
export function unknownValue(name: string, value: string, nearest: string | undefined): string {
  const hint = nearest === undefined ? '' : `; the nearest is '${nearest}'`
  return `${name}: there is no '${value.slice(0, 100)}'${hint}`
}

/** Reads a number from 0 to 100, with or without decimals. */
export function readScore(pairs: Pairs, parameter: NamedParameter): Parsed<number | undefined> {
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  if (given.value === undefined) return absent
  const score = /^\d{1,3}(?:\.\d{1,9})?$/.test(given.value) ? Number(given.value) : 101
  return score <= 100
    ? { value: score }
    : invalid(`${parameter.name} is not a number from 0 to 100`)
}

/** Reads a whole number. */
export function readWhole(pairs: Pairs, parameter: NamedParameter): Parsed<number | undefined> {
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  if (given.value === undefined) return absent
  const most = limits.followersMinMax
  const value = /^\d{1,10}$/.test(given.value) ? Number(given.value) : most + 1
  return value <= most
    ? { value }
    : invalid(`${parameter.name} is not a whole number from 0 to ${most}`)
}

/** Reads fields, in the order of an answer. */
export function readFields(
  pairs: Pairs,
  parameter: NamedParameter,
): Parsed<readonly FieldName[] | undefined> {
  return readNames(pairs, parameter, fieldNames)
}

/** Reads facets, in the order of an answer; undefined if none is given. */
export function readFacets(
  pairs: Pairs,
  parameter: NamedParameter,
): Parsed<readonly FacetName[] | undefined> {
  return readNames(pairs, parameter, facetNames)
}

/** Reads kinds of suggestions; all if none is given. */
export function readSuggestionKinds(
  pairs: Pairs,
  parameter: NamedParameter,
): Parsed<readonly SuggestionKind[]> {
  const { value = suggestionKinds, problem } = readNames(pairs, parameter, suggestionKinds)
  return problem === undefined ? { value } : { problem }
}

function readNames<N extends string>(
  pairs: Pairs,
  parameter: NamedParameter,
  names: readonly N[],
): Parsed<readonly N[] | undefined> {
  if (!isGiven(pairs, parameter)) return absent
  const given = severalValues(pairs, { ...parameter, required: true })
  return given.problem === undefined ? namesOf(given.value, parameter.name, names) : given
}

/** Values that are all among some names, in the order of those. @param name of the parameter. */
export function namesOf<N extends string>(
  values: readonly string[],
  name: string,
  names: readonly N[],
): Parsed<readonly N[]> {
  const wrong = values.find((value) => !(names as readonly string[]).includes(value))
  if (wrong === undefined) return { value: names.filter((each) => values.includes(each)) }
  return invalid(unknownValue(name, wrong, nearestName(wrong, names)))
}

/** The nearest of some names; undefined if none is near or the text is far too long. */
export function nearestName(
  text: string,
  names: readonly string[],
  editsMax?: number,
): string | undefined {
  return text.length > nameCharactersMax ? undefined : nearestOf(text, names, editsMax)
}

/** Reads the cursor that an earlier answer gave; `*` is the first page; undefined without the parameter. */
export function readCursor(pairs: Pairs, parameter: NamedParameter): Parsed<string | undefined> {
  const given = single(pairs, parameter)
  if (given.problem !== undefined || given.value === undefined) return given
  const isShort = given.value.length <= limits.cursorCharactersMax
  return isShort && /^(?:\*|[\w-]+)$/.test(given.value) ? given : wrongCursor
}
