/** Readers for fields of a record, beyond those of `src/reading/readers.ts` for any value. */
import { anyText, jsonObject, type Reader } from '../reading/readers.ts'
import { isClean, isEmpty, isVisible } from './fields.ts'
import type { MissingIn } from './missing.ts'

/** A trimmed text, with neither NUL nor half of a surrogate pair. */
export function cleanText(charactersMax: number): Reader<string> {
  return trimmedText(charactersMax, true)
}

export function label(charactersMax: number): Reader<string> {
  return trimmedText(charactersMax, false)
}

function trimmedText(charactersMax: number, mayBeBlank: boolean): Reader<string> {
  return (value, faults) => {
    const trimmed = anyText(value, faults).trim()
    const reason =
      textFault(trimmed, charactersMax) ?? (mayBeBlank ? undefined : blankFault(trimmed))
    // `anyText` has said so already of a value that is no text.
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

export function optional<T, N>(reader: Reader<T>, otherwise: N, where?: MissingIn): Reader<T | N> {
  return (value, faults) =>
    value === undefined || isEmpty(value, where) ? otherwise : reader(value, faults)
}

export interface Member<T> {
  readonly name: string
  readonly value: T
}

/** In order, without those that are read as undefined; none where one is wrong. */
export function namedMembers<T>(reader: Reader<T | undefined>): Reader<Member<T>[]> {
  return (value, faults) => {
    const before = faults.count
    const members: Member<T>[] = []
    const json = jsonObject(value, faults)
    for (const name of Object.keys(json)) {
      const read = faults.field(json, name, reader)
      if (read !== undefined) members.push({ name, value: read })
    }
    return faults.count > before ? [] : members
  }
}
