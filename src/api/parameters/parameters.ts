/**
 * Parses a query string into the parameters of an operation, or reports the first problem to fix. It reads
 * every published spelling, mixed and repeated. `src/operations.ts` says which parameters an operation
 * has, `src/request-parameters.ts` of which kind each is.
 */

import type { FilterNames } from '../../engine/filters/filter-names.ts'
import { limits } from '../../limits.ts'
import type { Route } from '../../operation.ts'
import { byRoute, type GetRouteName, operations } from '../../operations.ts'
import {
  type ChoiceName,
  changeTypes,
  type FacetName,
  type FieldName,
  type Parameter,
  type ParameterKind,
  type ParameterName,
  parameters,
  passedOverNames,
  passedOverPrefix,
  type SuggestionKind,
} from '../../request-parameters.ts'
import type { ChangeType } from '../../snapshot/changes/change.ts'
import { nearestOf } from '../../text/nearest.ts'
import {
  type Choice,
  nearestName,
  readChoice,
  readCursor,
  readFacets,
  readFields,
  readScore,
  readSuggestionKinds,
  readWhole,
} from './choices.ts'
import { distinctHandles, handlesOf, type SentHandle, sdusOf } from './identities.ts'
import {
  invalid,
  type NamedParameter,
  type Pairs,
  type Parsed,
  parsePairs,
  severalValues,
  single,
  textsIn,
} from './pairs.ts'
import { unknownName } from './unknown-names.ts'

/** Scope of the explanations in an answer: nothing, how the text was understood, or every item too. */
export type Explain = 'nothing' | 'query' | 'items'

/** The parsed values of parameters, by their kinds. */
interface KindValues {
  readonly text: string
  readonly count: number
  readonly explanation: Explain
  readonly flag: boolean
  readonly sdus: readonly string[]
  readonly handles: readonly SentHandle[]
  readonly choice: Choice | undefined
  readonly score: number | undefined
  readonly whole: number | undefined
  readonly fields: readonly FieldName[] | undefined
  readonly facets: readonly FacetName[] | undefined
  readonly cursor: string | undefined
  readonly snapshot: string
  readonly 'change-types': readonly ChangeType[]
  readonly 'suggestion-kinds': readonly SuggestionKind[]
}

/** The values of a route's parameters, by name. */
type ParameterValues<R extends GetRouteName> = {
  readonly [N in (typeof operations)[R]['parameters'][number]]: KindValues[(typeof parameters)[N]['kind']]
}

/** Every spelling of every parameter of a route. */
const spellingsOf = byRoute((route): readonly string[] =>
  operations[route].parameters.flatMap((name: ParameterName) => parameters[name].spellings),
)

/** The names that a route passes over, beside those that every route does. */
const passedOverBy = byRoute((route): readonly string[] => {
  const { passesOver = [] }: Route = operations[route]
  return passesOver
})

/** The parameters of every route by their names, each with the spelling that messages use. */
const namedOf = byRoute((route): readonly (readonly [ParameterName, NamedParameter])[] => {
  const { parameters: names, optional = [] }: Route = operations[route]
  return names.map((name) => {
    const parameter: Parameter = parameters[name]
    const required = parameter.required && !optional.includes(name)
    return [name, { ...parameter, required, name: parameter.spellings[0] }]
  })
})

/** Terms under which a query string is read. */
interface ParameterTerms {
  /** The meanings of the values of filters in the snapshot that answers. */
  readonly names: FilterNames
  /** Whether a parameter that the route does not take is passed over, unless it is one slip away from one. */
  readonly ignoresUnknown: boolean
}

/** Parses the query string of a route. */
export function parseParameters<R extends GetRouteName>(
  route: R,
  query: string,
  terms: ParameterTerms,
): Parsed<ParameterValues<R>> {
  const pairs = parsePairs(query)
  return pairs.problem === undefined ? readParameters(route, pairs.value, terms) : pairs
}

/** Reads the parameters of a route in the order of the table and reports the first that is wrong. */
function readParameters<R extends GetRouteName>(
  route: R,
  pairs: Pairs,
  { names, ignoresUnknown }: ParameterTerms,
): Parsed<ParameterValues<R>> {
  const unknown = unknownIn(pairs, route, ignoresUnknown)
  if (unknown !== undefined) return unknown
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of namedOf[route]) {
    const { value, problem } = kinds[parameter.kind](pairs, parameter, names)
    if (problem !== undefined) return { problem }
    values[name] = value
  }
  return { value: values as ParameterValues<R> }
}

function unknownIn(pairs: Pairs, route: GetRouteName, ignoresUnknown: boolean) {
  const spellings = spellingsOf[route]
  for (const [name] of pairs) {
    if (spellings.includes(name) || isPassedOver(name) || passedOverBy[route].includes(name)) {
      continue
    }
    if (ignoresUnknown && nearestName(name, spellings, 1) === undefined) continue
    return invalid(unknownName('parameter', name, spellings))
  }
  return undefined
}

/** Names that other programs add to any address. */
function isPassedOver(name: string): boolean {
  return name.startsWith(passedOverPrefix) || passedOverNames.includes(name)
}

const kinds: {
  readonly [K in ParameterKind]: (
    pairs: Pairs,
    parameter: NamedParameter,
    names: FilterNames,
  ) => Parsed<KindValues[K]>
} = {
  text: readText,
  count: readCount,
  explanation: readExplain,
  flag: readFlag,
  sdus: readSdus,
  handles: readHandles,
  choice: (pairs, parameter, names) =>
    readChoice(pairs, parameter, names[parameter.name as ChoiceName]),
  score: readScore,
  whole: readWhole,
  fields: readFields,
  facets: readFacets,
  cursor: readCursor,
  snapshot: readSnapshotId,
  'change-types': readChangeTypes,
  'suggestion-kinds': readSuggestionKinds,
}

/** Reads 1 to 256 characters, trimmed; '' for an optional text that is absent or blank. */
function readText(pairs: Pairs, parameter: NamedParameter): Parsed<string> {
  const { name, required, missing = '' } = parameter
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  const text = given.value?.trim() ?? ''
  if (text === '' && required) return invalid(`${name} is missing or blank${missing}`)
  // Characters are code points; a text has at most as many as it has code units.
  if (text.length > limits.queryCharactersMax && [...text].length > limits.queryCharactersMax) {
    return invalid(`${name} is longer than ${limits.queryCharactersMax} characters`)
  }
  return { value: text }
}

/** Reads the number of results: 1 or more, a default if absent; values above the maximum count as it (AIP-158). */
function readCount(pairs: Pairs, parameter: NamedParameter): Parsed<number> {
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  if (given.value === undefined) return { value: limits.resultsDefault }
  const count = /^\d+$/.test(given.value) ? Number(given.value) : 0
  if (count < 1) return invalid(`${parameter.name} is not a whole number above zero`)
  return { value: Math.min(count, limits.resultsMax) }
}

const explains: ReadonlyMap<string, Explain> = new Map([
  ['false', 'nothing'],
  ['query', 'query'],
  ['true', 'items'],
])

/** Reads `true`, `query` or `false`; false when absent. */
function readExplain(pairs: Pairs, parameter: NamedParameter): Parsed<Explain> {
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  const value = explains.get(given.value ?? 'false')
  return value === undefined
    ? invalid(`${parameter.name} is not one of ${[...explains.keys()].join(', ')}`)
    : { value }
}

/** Reads `true` or `false`; true when absent. */
function readFlag(pairs: Pairs, parameter: NamedParameter): Parsed<boolean> {
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  const { value = 'true' } = given
  if (value !== 'true' && value !== 'false') {
    return invalid(`${parameter.name} is not one of true, false`)
  }
  return { value: value === 'true' }
}

/** Reads SDUs, each different one once, in the order of the request. */
function readSdus(pairs: Pairs, parameter: NamedParameter): Parsed<readonly string[]> {
  const given = severalValues(pairs, parameter)
  if (given.problem !== undefined) return given
  const read = sdusOf(given.value, () => parameter.name)
  return read.problem === undefined ? { value: [...new Set(read.value)] } : read
}

/** Reads handles, each different one once, in any spelling, in request order. */
function readHandles(pairs: Pairs, parameter: NamedParameter): Parsed<readonly SentHandle[]> {
  const given = severalValues(pairs, parameter, textsIn)
  if (given.problem !== undefined) return given
  const read = handlesOf(given.value, () => parameter.name, limits.handleCharactersMax)
  return read.problem === undefined ? { value: distinctHandles(read.value) } : read
}

/** Reads the id of a snapshot: 32 hexadecimal digits. */
function readSnapshotId(pairs: Pairs, parameter: NamedParameter): Parsed<string> {
  const { name, missing = '' } = parameter
  const given = single(pairs, parameter)
  if (given.problem !== undefined) return given
  const id = given.value?.trim() ?? ''
  if (id === '') return invalid(`${name} is missing or blank${missing}`)
  if (!/^[0-9a-f]{32}$/.test(id)) return invalid(`${name} is not 32 hexadecimal digits`)
  return { value: id }
}

/** Reads types of changes, each different one once. */
function readChangeTypes(pairs: Pairs, parameter: NamedParameter): Parsed<readonly ChangeType[]> {
  const given = severalValues(pairs, parameter)
  if (given.problem !== undefined) return given
  const known: readonly string[] = changeTypes
  const wrong = given.value.find((type) => !known.includes(type))
  if (wrong === undefined) return { value: [...new Set(given.value)] as ChangeType[] }
  const nearest = nearestOf(wrong, changeTypes)
  const hint = nearest === undefined ? changeTypes.join(', ') : `did you mean ${nearest}?`
  return invalid(`${parameter.name}: '${wrong.slice(0, 100)}' is no type of change: ${hint}`)
}
