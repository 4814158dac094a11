/**
 * Parses the JSON body of a POST into the members that its operation takes, or reports the first problem
 * to fix. Parsing is strict: an unknown member or a value of another type refuses the body.
 */
import type { FilterNames } from '../../engine/filters/filter-names.ts'
import { limits } from '../../limits.ts'
import { operations, type PostRouteName } from '../../operations.ts'
import { type BodyMember, type MemberKind, type MemberName, members } from '../../request-bodies.ts'
import { type FieldName, fieldNames } from '../../request-parameters.ts'
import type { ApiRequest } from '../exchange.ts'
import { namesOf, unknownValue } from './choices.ts'
import { HandleList, skipSpace } from './handle-list.ts'
import { boundedHandles, type NameAt, sdusOf } from './identities.ts'
import { boundsText, isWithin, type JsonBounds } from './json-shape.ts'
import { invalid, type Parsed } from './pairs.ts'
import type { Explain } from './parameters.ts'
import { unknownName } from './unknown-names.ts'

/** The parsed values of members, by their kinds. */
interface KindValues {
  /** SDUs in the order of the body, repeated ones included. */
  readonly sdus: readonly string[]
  readonly handles: HandleList
  /** The sources as they were sent; a `WrongSource` only in a lenient body. */
  readonly sources: readonly (string | WrongSource)[]
  /** The number of a topic; `unknownTopic` only in a lenient body. */
  readonly topic: number | undefined
  readonly fields: readonly FieldName[] | undefined
  readonly explanation: Explain
  readonly flag: boolean
}

/** An entry that is no source, and why. */
export interface WrongSource {
  /** Null for an entry that is no string. */
  readonly sent: string | null
  readonly reason: 'not-a-string' | 'blank' | 'too-long'
}

/** Stands for a topic that the snapshot does not have. */
export const unknownTopic = -1

/** The values of the members of a route's body, by name. */
export type BodyValues<R extends PostRouteName> = {
  readonly [N in (typeof operations)[R]['body'][number]]: KindValues[(typeof members)[N]['kind']]
}

/**
 * Parses the body of a request.
 * @param names the topics of the snapshot that answers, by their labels and aliases.
 */
export function parseBodyMembers<R extends PostRouteName>(
  route: R,
  request: Pick<ApiRequest, 'query' | 'body' | 'contentType'>,
  names: FilterNames,
): Parsed<BodyValues<R>> {
  if (request.query !== '') return invalid('a POST says everything in its body, nothing behind ?')
  const { value: given, problem } = readObject(request)
  if (problem !== undefined) return { problem }
  const wanted: readonly MemberName[] = operations[route].body
  const stranger = Object.keys(given).find((name) => !wanted.includes(name as MemberName))
  if (stranger !== undefined) {
    return invalid(unknownName('member', stranger, wanted))
  }
  const values: Record<string, unknown> = {}
  const isLenient = wanted.includes('lenient') && given.lenient === true
  for (const name of wanted) {
    const { kind, required }: BodyMember = members[name]
    if (given[name] === undefined && required) return invalid(`${name} is missing`)
    const read = kinds[kind](given[name], name, names, isLenient)
    if (read.problem !== undefined) return read
    values[name] = read.value
  }
  const [list] = wanted
  if (values.explain === 'items' && lengthOf(values[list!]) > limits.explainedMax) {
    return invalid(`${list} holds more than ${limits.explainedMax} values to explain`)
  }
  return { value: values as BodyValues<R> }
}

function lengthOf(values: unknown): number {
  return values instanceof HandleList ? values.sentCount : (values as readonly unknown[]).length
}

/** A body of this size costs little to parse, valid or not. */
const bounds: JsonBounds = {
  depthMax: limits.batchBodyDepthMax,
  commasMax: limits.batchBodyCommasMax,
  membersMax: limits.batchBodyMembersMax,
  stringBytesMax: limits.batchBodyStringBytesMax,
}

const jsonType = /^application\/json *(?:;|$)/i

/** An object as it was sent; its members may be anything. */
type Given = Readonly<Record<string, unknown>>

function readObject({
  body = new Uint8Array(0),
  contentType = '',
}: Pick<ApiRequest, 'body' | 'contentType'>): Parsed<Given> {
  if (!jsonType.test(contentType)) {
    const detail = 'send the body as JSON, with Content-Type: application/json'
    return { problem: { code: 'unsupported-media-type', detail } }
  }
  const listed = readListed(body)
  if (listed === undefined && !isWithin(body, bounds)) {
    return invalid(`the body ${boundsText(bounds)}`)
  }
  const given = listed ?? jsonOf(body)
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) {
    return { value: given as Given }
  }
  const detail =
    given === undefined ? 'the body is not JSON in UTF-8' : 'the body is not a JSON object'
  return { problem: { code: 'malformed-request', detail } }
}

const handlesBegin = Buffer.from('{"handles":')
const comma = 44
const quote = 34
const openBrace = 123
const closeBrace = 125

/**
 * Reads a body that begins with its handles, as nearly all with handles do: the handles as bytes, which
 * makes no strings of a thousand of them, and the rest as JSON. Undefined for any other body, and for one
 * with an error.
 */
function readListed(body: Uint8Array): Given | undefined {
  if (handlesBegin.some((byte, index) => body[index] !== byte)) return undefined
  const { list, end = -1 } = HandleList.parse(body, handlesBegin.length) ?? {}
  if (list === undefined) return undefined
  const then = skipSpace(body, end)
  const rest = body[then] === comma ? skipSpace(body, then + 1) : then
  if (body[rest] !== (rest === then ? closeBrace : quote)) return undefined
  if (!isWithin(body.subarray(rest), bounds)) return undefined
  const others = jsonOf(Buffer.concat([Uint8Array.of(openBrace), body.subarray(rest)]))
  // The same member again takes the place of the first.
  return typeof others === 'object' && others !== null && !('handles' in others)
    ? { ...others, handles: list }
    : undefined
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Parses a body; undefined if it is not JSON in UTF-8. */
function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(body))
  } catch {
    // Its only failures: bytes that are not UTF-8, and text that is not JSON.
    return undefined
  }
}

const kinds: {
  readonly [K in MemberKind]: (
    given: unknown,
    name: string,
    names: FilterNames,
    isLenient: boolean,
  ) => Parsed<KindValues[K]>
} = {
  sdus: (given, name) => {
    const texts = readTexts(given, name)
    return texts.problem === undefined ? sdusOf(texts.value, placeIn(name)) : texts
  },
  handles: (given, name) => {
    if (given instanceof HandleList) return { value: given }
    const texts = readTexts(given, name)
    if (texts.problem !== undefined) return texts
    const handles = boundedHandles(texts.value, placeIn(name), limits.handleCharactersMax)
    if (handles.problem !== undefined) return handles
    return { value: HandleList.parse(Buffer.from(JSON.stringify(handles.value)), 0)!.list }
  },
  sources: (given, name, _, isLenient) => {
    if (isLenient) return readAnySources(given, name)
    const texts = readTexts(given, name)
    if (texts.problem !== undefined) return texts
    return boundedHandles(texts.value, placeIn(name), limits.sourceCharactersMax)
  },
  topic: readTopic,
  fields: (given, name) => {
    if (given === undefined) return { value: undefined }
    const texts = readTexts(given, name)
    return texts.problem === undefined ? namesOf(texts.value, name, fieldNames) : texts
  },
  explanation: (given, name) => {
    const flag = readFlag(given, name)
    return flag.problem === undefined ? { value: flag.value ? 'items' : 'nothing' } : flag
  },
  flag: readFlag,
}

/** Returns the function that names an entry of a list in messages. */
function placeIn(name: string): NameAt {
  return (index) => `${name}[${index}]`
}

function readFlag(given: unknown, name: string): Parsed<boolean> {
  if (given === undefined || typeof given === 'boolean') return { value: given === true }
  return invalid(`${name} is not true or false`)
}

/** Reads a list of strings that are not blank. */
function readTexts(given: unknown, name: string): Parsed<readonly string[]> {
  const list = readList(given, name)
  if (list.problem !== undefined) return list
  const wrong = list.value.findIndex((each) => !isText(each))
  if (wrong >= 0) return invalid(`${name}[${wrong}] is not a string that is not blank`)
  return { value: list.value as readonly string[] }
}

function readList(given: unknown, name: string): Parsed<readonly unknown[]> {
  if (!Array.isArray(given)) return invalid(`${name} is not a list of strings that are not blank`)
  if (given.length === 0) return invalid(`${name} is empty`)
  if (given.length > limits.batchValuesMax) {
    return invalid(`${name} holds more than ${limits.batchValuesMax} values`)
  }
  return { value: given }
}

function readAnySources(given: unknown, name: string): Parsed<readonly (string | WrongSource)[]> {
  const list = readList(given, name)
  return list.problem === undefined ? { value: list.value.map(sourceOrWrong) } : list
}

function sourceOrWrong(sent: unknown): string | WrongSource {
  if (typeof sent !== 'string') return { sent: null, reason: 'not-a-string' }
  if (!isText(sent)) return { sent, reason: 'blank' }
  return sent.length > limits.sourceCharactersMax ? { sent, reason: 'too-long' } : sent
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && /\S/.test(value)
}

function readTopic(
  given: unknown,
  name: string,
  names: FilterNames,
  isLenient: boolean,
): Parsed<number | undefined> {
  if (given === undefined || given === null) return { value: undefined }
  if (!isText(given)) return invalid(`${name} is not a string that is not blank`)
  if (given.length > limits.queryCharactersMax) {
    return invalid(`${name} is longer than ${limits.queryCharactersMax} characters`)
  }
  const { numbers, nearest } = names.topic(given)
  if (numbers?.[0] === undefined && isLenient) return { value: unknownTopic }
  return numbers?.[0] === undefined
    ? invalid(unknownValue(name, given, nearest?.()))
    : { value: numbers[0] }
}
