/**
 * How values of a record are read. A reader gives the value as the record has it, or adds a fault: then what it
 * gives means nothing. Faults come in the order of the fields; their words end a sentence about the field.
 */
import { isClean, isEmpty, isVisible } from './fields.ts'

/** A place in a record of JSON, from the outside in. */
export type FieldPath = readonly PropertyKey[]

/** What is wrong with a value, and where in the record it stands. */
export interface Fault {
  readonly path: FieldPath
  readonly reason: string
}

/** Reads a value, or adds what is wrong with it to the faults. */
export type Reader<T> = (value: unknown, faults: Faults) => T

/** The value that was read, or its faults, of which there is one at least. */
type Reading<T> =
  | { readonly value: T; readonly faults?: never }
  | { readonly value?: never; readonly faults: readonly Fault[] }

/** Reads a value of JSON. */
export function readWith<T>(reader: Reader<T>, json: unknown): Reading<T> {
  const faults = new Faults()
  const value = reader(json, faults)
  return faults.count === 0 ? { value } : { faults: faults.all }
}

/** The faults that one reading finds. */
export class Faults {
  #all: Fault[] | undefined
  /** How many there are. */
  count = 0

  /** All of them, in order. */
  get all(): readonly Fault[] {
    return this.#all ?? []
  }

  /** Adds a fault of the value that is being read, or of a part of it. */
  add(reason: string, path: FieldPath = []): void {
    this.#all ??= []
    this.count = this.#all.push({ path, reason })
  }

  /** Reads a member of the value that is being read: its faults stand under its name. */
  inside<T, V>(name: PropertyKey, value: V, reader: (value: V, faults: Faults) => T): T {
    const before = this.count
    const read = reader(value, this)
    for (let index = before; index < this.count; index++) {
      const { path, reason } = this.#all![index]!
      this.#all![index] = { path: [name, ...path], reason }
    }
    return read
  }

  /** Reads a field of the object that is being read. */
  field<T>(json: JsonObject, name: string, reader: Reader<T>): T {
    return this.inside(name, json[name], reader)
  }
}

/** An object of JSON. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object of JSON, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const nothing: JsonObject = {}

/** An object of JSON. */
export function jsonObject(value: unknown, faults: Faults): JsonObject {
  if (isObject(value)) return value
  addKind(value, 'an object', faults)
  return nothing
}

/** Adds that a value is missing, or of another kind than it must be. */
function addKind(value: unknown, kind: string, faults: Faults): void {
  faults.add(value === undefined ? 'is missing' : `must be ${kind}`)
}

/** Any text, as it stands. */
export function anyText(value: unknown, faults: Faults): string {
  if (typeof value === 'string') return value
  addKind(value, 'a text', faults)
  return ''
}

/** A trimmed text of so many characters at most, with neither NUL nor half of a surrogate pair. */
export function cleanText(charactersMax: number): Reader<string> {
  return trimmedText(charactersMax, true)
}

/** The same that is not blank. */
export function label(charactersMax: number): Reader<string> {
  return trimmedText(charactersMax, false)
}

function trimmedText(charactersMax: number, mayBeBlank: boolean): Reader<string> {
  return (value, faults) => {
    const trimmed = anyText(value, faults).trim()
    const reason =
      textFault(trimmed, charactersMax) ?? (mayBeBlank ? undefined : blankFault(trimmed))
    // Of a value that is no text that was said.
    if (reason !== undefined && typeof value === 'string') faults.add(reason)
    return trimmed
  }
}

function textFault(text: string, charactersMax: number): string | undefined {
  if (text.length > charactersMax) return `must be at most ${charactersMax} characters long`
  return isClean(text) ? undefined : 'must hold no NUL and no half of a surrogate pair'
}

function blankFault(text: string): string | undefined {
  if (isVisible(text)) return undefined
  return text === '' ? 'must not be blank' : 'must hold a character that can be seen'
}

/** What a reader reads, if it also passes a test. */
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

/** A number between two bounds. */
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

const anyNumber = number(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)

/** A whole number that is not negative. */
export function naturalNumber(value: unknown, faults: Faults): number {
  const before = faults.count
  const read = anyNumber(value, faults)
  if (faults.count > before) return read
  if (!Number.isInteger(read)) faults.add('must be a whole number')
  else if (read < 0) faults.add('must be at least 0')
  return read
}

/** True or false. */
export function boolean(value: unknown, faults: Faults): boolean {
  if (typeof value === 'boolean') return value
  addKind(value, 'true or false', faults)
  return false
}

/** A list of what a reader reads; `itemsMax` of them at most. */
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

/** A member that may be left out, or say nothing: null, a blank text or an empty list. */
export function optional<T, N>(reader: Reader<T>, otherwise: N): Reader<T | N> {
  return (value, faults) =>
    value === undefined || isEmpty(value) ? otherwise : reader(value, faults)
}

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[]): Reader<T> {
  return (value, faults) => {
    const word = words.find((each) => each === value)
    if (word === undefined) faults.add(`must be one of ${words.join(', ')}`)
    return word ?? words[0]!
  }
}

/** A member of an object, under a name that the record chose. */
export interface Member<T> {
  readonly name: string
  readonly value: T
}

/** The members of an object in order, but those that are read as undefined; none where one of them is wrong. */
export function namedMembers<T>(reader: Reader<T | undefined>): Reader<Member<T>[]> {
  return (value, faults) => {
    const before = faults.count
    const members: Member<T>[] = []
    const json = jsonObject(value, faults)
    for (const name of Object.keys(json)) {
      // A program that copies an object may take this member for its prototype.
      if (name === '__proto__') continue
      const read = faults.field(json, name, reader)
      if (read !== undefined) members.push({ name, value: read })
    }
    return faults.count > before ? [] : members
  }
}
