/** Readers for fields of a record, beyond those of `src/reading/readers.ts` for any value. */
import { anyText, checked, type Faults, jsonObject, type Reader } from '../reading/readers.ts'
import { isClean, isEmpty, isVisible } from './fields.ts'
import type { MissingIn } from './missing.ts'

export function trimmed(value: unknown, faults: Faults): string {
  return anyText(value, faults).trim()
}

/** A trimmed text, with neither NUL nor half of a surrogate pair. */
export function cleanText(charactersMax: number): Reader<string> {
  const reason = `must be at most ${charactersMax} characters long`
  const short = checked(trimmed, ({ length }) => length <= charactersMax, reason)
  return checked(short, isClean, 'must hold no NUL and no half of a surrogate pair')
}

export function label(charactersMax: number): Reader<string> {
  const written = checked(cleanText(charactersMax), (text) => text !== '', 'must not be blank')
  return checked(written, isVisible, 'must hold a character that can be seen')
}

export function optional<T, N>(reader: Reader<T>, otherwise: N, where?: MissingIn): Reader<T | N> {
  return (value, faults) =>
    value === undefined || isEmpty(value, where) ? otherwise : reader(value, faults)
}

/** Of a field that a record can do without. */
export function spare<T, N>(reader: Reader<T>, otherwise: N, where?: MissingIn): Reader<T | N> {
  return optional((value, faults) => faults.spare(value, reader, otherwise), otherwise, where)
}

interface Member<T> {
  readonly name: string
  readonly value: T
}

/** In order, without those that are read as undefined. Each is a spare part. */
export function namedMembers<T>(reader: Reader<T | undefined>): Reader<Member<T>[]> {
  return (value, faults) => {
    const json = jsonObject(value, faults)
    const given = Object.entries(json).map(([name, value]) => ({ name, value }))
    return eachMember(given, faults, ({ name, value }) => {
      const read = reader(value, faults)
      return read === undefined ? undefined : { name, value: read }
    })
  }
}

/** What is made of members that are right; each is a spare part. */
export function eachMember<M extends { readonly name: string }, T>(
  members: readonly M[],
  faults: Faults,
  make: (member: M, index: number) => T | undefined,
): T[] {
  return members.flatMap((member, index) => {
    const makeOne = () => make(member, index)
    const made = faults.inside(member.name, member, () => faults.spare(member, makeOne, undefined))
    return made === undefined ? [] : [made]
  })
}
