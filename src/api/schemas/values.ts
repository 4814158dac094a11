/**
 * The values of requests and of items as zod schemas, with the words of a 400 for each wrong value: no other place has
 * them. A schema changes nothing but white space around a text; the operations give the values their meaning.
 */
import * as z from 'zod'
import type { Meant } from '../../engine/filters/filter-names.ts'
import { limits } from '../../limits.ts'
import {
  type ChoiceName,
  changeTypes,
  facetNames,
  fieldNames,
  suggestionKinds,
} from '../../request-parameters.ts'
import type { ChangeType } from '../../snapshot/changes/change.ts'
import { nearestOf } from '../../text/nearest.ts'
import { nearestName, unknownValue } from './unknown-names.ts'

/** The fault of a value, to stand behind its name. */
type Fault = string | ((input: unknown) => string)

function says(fault: Fault) {
  const error = ({ path = [], input }: z.core.$ZodRawIssue) =>
    `${String(path[0])}${typeof fault === 'string' ? fault : fault(input)}`
  return { error }
}

/** The same of a parameter with one value: if a query string repeats it, the plain object has a list. */
function ofOne(fault: Fault) {
  return says((input) => {
    if (Array.isArray(input)) return ' is given more than once'
    return typeof fault === 'string' ? fault : fault(input)
  })
}

const query = {
  most: limits.valuesPerRequestMax,
  isMissing: ' is missing or blank',
  isNone: ' is missing or blank',
  isEmpty: ' is missing or blank',
  isNoText: (value: unknown) => typeof value !== 'string',
  place: (name: string, _: number) => name,
}

const lists = {
  query,
  names: { ...query, isNoText: () => false },
  body: {
    most: limits.batchValuesMax,
    isMissing: ' is missing',
    isNone: ' is not a list of strings that are not blank',
    isEmpty: ' is empty',
    isNoText: (value: unknown) => typeof value !== 'string' || !/\S/.test(value),
    place: (name: string, index: number) => `${name}[${index}]`,
  },
} as const

type Form = keyof typeof lists

const textBounds = { minLength: 1, maxLength: limits.queryCharactersMax }

/** Finds the first value of a list that is wrong: its index, and its fault. */
type FaultIn<T> = (values: readonly T[]) => readonly [index: number, fault: string] | undefined

interface ListFacts<T> {
  /** JSON Schema of an item beside its type: a zod schema of each would take three times as long. */
  readonly item: Readonly<Record<string, unknown>>
  readonly faultIn: FaultIn<T>
  /** Whether they are some of few names: messages then name no place, and the JSON Schema no maximum. */
  readonly areNames?: boolean
}

function entries<T extends z.ZodType>(entry: T, form: Form) {
  const { most, isMissing, isNone, isEmpty } = lists[form]
  const isNoList = says((input) => (input === undefined ? isMissing : isNone))
  return z
    .array(entry, isNoList)
    .min(1, says(isEmpty))
    .max(most, says(` holds more than ${most} values`))
}

export const anything = entries(z.unknown(), 'body')

function list<T = string>(
  name: string,
  form: Form,
  { item, faultIn, areNames = false }: ListFacts<T>,
): z.ZodType<readonly T[]> {
  const { place, isNoText } = lists[form]
  // One pass over all values: a schema of each costs as much again as reading them.
  const anyOne = z.unknown().meta({ type: 'string', ...item })
  const checked = entries(anyOne, form).superRefine((given, context) => {
    const values = given as readonly T[]
    const none = values.findIndex(isNoText)
    const fault = none < 0 ? faultIn(values) : [none, ' is not a string that is not blank']
    if (fault === undefined) return
    const [index, words] = fault as readonly [number, string]
    const where = areNames && none < 0 ? name : place(name, index)
    context.addIssue({ code: 'custom', message: `${where}${words}`, path: [index] })
  })
  return (areNames ? checked.meta({ maxItems: undefined }) : checked) as never
}

function first<T>(isRight: (value: T) => boolean, fault: (value: T) => string): FaultIn<T> {
  return (values) => {
    const index = values.findIndex((value) => !isRight(value))
    return index < 0 ? undefined : [index, fault(values[index]!)]
  }
}

export const sduPattern = new RegExp(`^[0-9]{1,${limits.sduDigitsMax}}$`)

export const sdu = z
  .string('an SDU is a string of digits: a number would lose some of them')
  .regex(sduPattern, `an SDU is 1 to ${limits.sduDigitsMax} digits, as a string`)

export function sdus(form: Form) {
  const fault = (value: string) =>
    `: '${value.slice(0, 100)}' is not 1 to ${limits.sduDigitsMax} digits`
  const faultIn = first((value: string) => sduPattern.test(value), fault)
  return list('sdus', form, { item: { pattern: sduPattern.source }, faultIn })
}

/** Handles of up to so many characters. */
export function handles(name: string, form: Form, most: number) {
  const isTooLong = `: a handle is longer than ${most} characters`
  const faultIn = first(
    (value: string) => value.length <= most,
    () => isTooLong,
  )
  return list(name, form, { item: { minLength: 1, maxLength: most }, faultIn })
}

/** A name of the snapshot as it was sent, and its meaning there. */
export interface SentName {
  readonly sent: string
  readonly meaning: () => Meant
}

const isLongName = `: a value is longer than ${limits.queryCharactersMax} characters`
/** Behind the refusal of a value with a comma, which was percent-encoded. */
const commaHint = '; a comma between two values is not percent-encoded'

const longName = first(
  ({ sent }: SentName) => sent.length <= limits.queryCharactersMax,
  () => isLongName,
)
const unknownName = first(
  ({ meaning }: SentName) => meaning().numbers !== undefined,
  ({ sent, meaning }) =>
    `${unknownValue(sent, meaning().nearest?.())}${sent.includes(',') ? commaHint : ''}`,
)

/** Names of the snapshot; those beyond the most are not looked up. */
export function names(name: ChoiceName) {
  return list(name, 'names', {
    item: textBounds,
    faultIn: (sent: readonly SentName[]) =>
      longName(sent) ?? unknownName(sent.slice(0, limits.valuesPerRequestMax)),
  })
}

function someOf<N extends string>(name: string, form: Form, known: readonly N[]) {
  const faultIn = first(
    (value: N) => known.includes(value),
    (value) => unknownValue(value, nearestName(value, known)),
  )
  return list<N>(name, form, { item: { enum: known }, faultIn, areNames: true })
}

function inOrder<N extends string>(names: readonly N[]) {
  return (sent: readonly N[]) => names.filter((name) => sent.includes(name))
}

export const fieldsAsSent = someOf('fields', 'query', fieldNames)

/** In the order of an answer. */
export function fields(form: Form) {
  return someOf('fields', form, fieldNames).overwrite(inOrder(fieldNames))
}

/** A text of 1 to 256 characters, which are code points: a text has at most as many as it has code units. */
function hasFewCharacters(text: string): boolean {
  const most = limits.queryCharactersMax
  return text.length <= most || [...text].length <= most
}

const isTooLong = ` is longer than ${limits.queryCharactersMax} characters`

const textOf = (isNone: ReturnType<typeof says>) =>
  z.string(isNone).trim().refine(hasFewCharacters, ofOne(isTooLong)).meta(textBounds)

/** A text. @param missing a hint that the refusal adds if it is missing. */
export function text(missing: string) {
  const isBlank = ofOne(` is missing or blank${missing}`)
  return textOf(isBlank).refine((value) => value !== '', isBlank)
}

export const anyText = textOf(ofOne(''))

const isNoCount = ofOne(' is not a whole number above zero')
const isNoScore = ofOne(' is not a number from 0 to 100')
const isNoWhole = ofOne(` is not a whole number from 0 to ${limits.followersMinMax}`)
const isNoCursor = ofOne(' is neither * nor the next_cursor of an answer')
const isNoId = (missing: string) =>
  ofOne((input) =>
    input === undefined || input === ''
      ? ` is missing or blank${missing}`
      : ' is not 32 hexadecimal digits',
  )

export const snapshotId = z.string().regex(/^[0-9a-f]{32}$/)

/** @param missing a hint that the refusal adds if it is missing. */
export function sentSnapshotId(missing = '') {
  return z
    .string(isNoId(missing))
    .trim()
    .regex(/^[0-9a-f]{32}$/, isNoId(missing))
}

/** The number of results: above the maximum it counts as it (AIP-158). */
export const count = z
  .int(isNoCount)
  .min(1, isNoCount)
  .overwrite((sent) => Math.min(sent, limits.resultsMax))
  .default(limits.resultsDefault)

/** What is explained: the items and how the text of a query was understood, or only the latter. */
export type Explain = boolean | 'query'

export const explanation = z
  .union([z.boolean(), z.literal('query')], ofOne(' is not one of false, query, true'))
  .default(false)

/** Whether something is done, unless a request says no. */
export const flag = z.boolean(ofOne(' is not one of true, false')).default(true)

/** Whether something is done that is not done unasked. */
export function wish() {
  return z.boolean(says(' is not true or false')).default(false)
}

export const score = z.number(isNoScore).min(0, isNoScore).max(100, isNoScore)

export const followers = z.int(isNoWhole).min(0, isNoWhole).max(limits.followersMinMax, isNoWhole)

/** A cursor; `*` is the first page. */
export const cursor = z
  .string(isNoCursor)
  .min(1, isNoCursor)
  .max(limits.cursorCharactersMax, isNoCursor)
  .refine((value) => /^(?:\*|[\w-]+)$/.test(value), isNoCursor)

export const facets = someOf('facets', 'query', facetNames).overwrite(inOrder(facetNames))

export const kinds = someOf('kinds', 'query', suggestionKinds).overwrite(inOrder(suggestionKinds))

function isNoType(value: string): string {
  const nearest = nearestOf(value, changeTypes)
  const hint = nearest === undefined ? changeTypes.join(', ') : `did you mean ${nearest}?`
  return `: '${value.slice(0, 100)}' is no type of change: ${hint}`
}

/** As they were sent: a cursor holds them so. */
export const types = list<ChangeType>('types', 'query', {
  item: { enum: changeTypes },
  faultIn: first((value: ChangeType) => changeTypes.includes(value), isNoType),
})

export const topic = z.preprocess(
  (given) => given ?? undefined,
  z
    .string(says(' is not a string that is not blank'))
    .min(1, says(' is not a string that is not blank'))
    .max(limits.queryCharactersMax, says(isTooLong))
    .refine((value) => /\S/.test(value), says(' is not a string that is not blank'))
    .optional(),
)

/** Null if it is not known. */
export const dateTime = z.iso.datetime().nullable()
