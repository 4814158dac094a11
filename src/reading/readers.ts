/**
 * Readers of JSON or MessagePack values. A reader returns the value as it stands, or adds a fault: its result then
 * means nothing. Faults come in the order of the members; their words end a sentence about the member. Threads and
 * commands load this file as they start, so it needs no library.
 */

/** A place in a record of JSON, from the outside in. */
type FieldPath = readonly PropertyKey[]

export interface Fault {
  readonly path: FieldPath
  readonly reason: string
}

export function faultWords({ path, reason }: Fault): string {
  return `${path.join('.')}: ${reason}`
}

/** Reads a value, or adds its faults. */
export type Reader<T> = (value: unknown, faults: Faults) => T

/** The value that was read, or its faults, at least one; and a complaint for each spare part that was left out. */
type Reading<T> = { readonly complaints: readonly Fault[] } & (
  | { readonly value: T; readonly faults?: never }
  | { readonly value?: never; readonly faults: readonly Fault[] }
)

/** @param maySpare whether spare parts that are wrong are left out; else they are faults. */
export function readWith<T>(reader: Reader<T>, json: unknown, maySpare = false): Reading<T> {
  const faults = new Faults(maySpare)
  const value = reader(json, faults)
  const { all, complaints } = faults
  return faults.count === 0 ? { value, complaints } : { faults: all, complaints }
}

/** Reads a text of JSON; any other text counts as missing. */
export function readJson<T>(reader: Reader<T>, text: string): Reading<T> {
  return readWith(reader, jsonIn(text))
}

/** Undefined for a text that is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export class Faults {
  /** Without complaints. */
  count = 0
  readonly #found: (Fault & { readonly isComplaint: boolean })[] = []
  readonly #place: PropertyKey[] = []
  readonly #maySpare: boolean

  constructor(maySpare: boolean) {
    this.#maySpare = maySpare
  }

  get all(): readonly Fault[] {
    return this.#found.filter(({ isComplaint }) => !isComplaint)
  }

  get complaints(): readonly Fault[] {
    return this.#found.filter(({ isComplaint }) => isComplaint)
  }

  /** Adds a fault of the value that is being read, or of a part of it. */
  add(reason: string, path: FieldPath = []): void {
    this.#found.push({ path: [...this.#place, ...path], reason, isComplaint: false })
    this.count += 1
  }

  /** Reads a member of the value that is being read: its faults stand under its name. */
  inside<T, V>(name: PropertyKey, value: V, reader: (value: V, faults: Faults) => T): T {
    this.#place.push(name)
    const read = reader(value, this)
    this.#place.pop()
    return read
  }

  /** Reads a spare part: if it is wrong, its first fault is a complaint, and those behind that go with it. */
  spare<T, V, N>(value: V, reader: (value: V, faults: Faults) => T, otherwise: N): T | N {
    const before = this.count
    const start = this.#found.length
    const read = reader(value, this)
    if (this.count === before || !this.#maySpare) return read
    const first = this.#found.findIndex((each, at) => at >= start && !each.isComplaint)
    const fault = this.#found[first]!
    this.#found.length = first
    this.#found.push({ ...fault, isComplaint: true })
    this.count = before
    return otherwise
  }

  field<T>(json: JsonObject, name: string, reader: Reader<T>): T {
    return this.inside(name, json[name], reader)
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object of JSON, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nothing: JsonObject = {}

export function jsonObject(value: unknown, faults: Faults): JsonObject {
  if (isObject(value)) return value
  addKind(value, 'an object', faults)
  return nothing
}

function addKind(value: unknown, kind: string, faults: Faults): void {
  faults.add(value === undefined ? 'is missing' : `must be ${kind}`)
}

export function anyText(value: unknown, faults: Faults): string {
  if (typeof value === 'string') return value
  addKind(value, 'a text', faults)
  return ''
}

export function checked<T>(
  reader: Reader<T>,
  isRight: (value: T) => boolean,
  reason: string,
): Reader<T> {
  return (value, faults) => {
    const before = faults.count
    const read = reader(value, faults)
    if (faults.count === before && !isRight(read)) faults.add(reason)
    return read
  }
}

export function number(min: number, max: number): Reader<number> {
  return (value, faults) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) {
      addKind(value, 'a number', faults)
      return min
    }
    if (value < min) faults.add(`must be at least ${min}`)
    else if (value > max) faults.add(`must be at most ${max}`)
    return value
  }
}

export const anyNumber = number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

export const naturalNumber = checked(
  checked(anyNumber, Number.isInteger, 'must be a whole number'),
  (read) => read >= 0,
  'must be at least 0',
)

export const positiveNumber = checked(naturalNumber, (read) => read > 0, 'must be at least 1')

export function boolean(value: unknown, faults: Faults): boolean {
  if (typeof value === 'boolean') return value
  addKind(value, 'true or false', faults)
  return false
}

export function readList<T>(item: Reader<T>, itemsMax = Number.POSITIVE_INFINITY): Reader<T[]> {
  return (value, faults) => {
    if (!Array.isArray(value)) {
      addKind(value, 'a list', faults)
      return []
    }
    const items = value.map((each: unknown, index) => faults.inside(index, each, item))
    if (items.length > itemsMax) faults.add(`must be at most ${itemsMax} entries long`)
    return items
  }
}

export function oneOf<T extends string>(words: readonly T[]): Reader<T> {
  return (value, faults) => {
    const word = words.find((each) => each === value)
    if (word === undefined) faults.add(`must be one of ${words.join(', ')}`)
    return word ?? words[0]!
  }
}

export function formed(form: RegExp): Reader<string> {
  return checked(anyText, (text) => form.test(text), `must be of the form ${form.source}`)
}

export function hexadecimal(digits: number): Reader<string> {
  return formed(new RegExp(`^[0-9a-f]{${digits}}$`))
}

const dayShape = /^\d{4}-\d\d-\d\d$/
const hourShape = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/** Whether a text is a day of the calendar such as 2026-11-01 (ISO 8601). */
export function isIsoDay(text: string): boolean {
  if (!dayShape.test(text)) return false
  const ms = Date.parse(text)
  // A day beyond the end of its month is one of the next month, or none.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** Whether a text is a time with its zone such as 2026-11-01T12:00:00Z (ISO 8601). */
export function isIsoTime(text: string): boolean {
  return text[10] === 'T' && hourShape.test(text.slice(11)) && isIsoDay(text.slice(0, 10))
}

/** A time in UTC (ISO 8601), as `toISOString` writes one. */
export const utcTime = checked(
  anyText,
  (text) => text.endsWith('Z') && isIsoTime(text),
  'must be a time in UTC (ISO 8601)',
)

export function exactly<const T>(wanted: T, reason: string): Reader<T> {
  return (value, faults) => {
    if (value !== wanted) faults.add(reason)
    return wanted
  }
}

export function nullable<T>(reader: Reader<T>): Reader<T | null> {
  return (value, faults) => (value === null ? null : reader(value, faults))
}

export function ifThere<T>(reader: Reader<T>): Reader<T | undefined> {
  return (value, faults) => (value === undefined ? undefined : reader(value, faults))
}

/** The members of an object in the order of their readers, those that are undefined left out. Others are passed over. */
export function objectOf<T>(readers: { readonly [Name in keyof T]-?: Reader<T[Name]> }): Reader<T> {
  const all = Object.entries<Reader<unknown>>(readers)
  return (value, faults) => {
    const json = jsonObject(value, faults)
    const read = all.map(([name, reader]) => [name, faults.field(json, name, reader)] as const)
    return Object.fromEntries(read.filter(([, each]) => each !== undefined)) as T
  }
}

export function dictionary<T>(reader: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, faults) => {
    const json = jsonObject(value, faults)
    return Object.fromEntries(
      Object.keys(json).map((name) => [name, faults.field(json, name, reader)]),
    )
  }
}
