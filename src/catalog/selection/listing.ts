/**
 * Everybody who matched, in their order, a page at a time: those of the names by authority, then the
 * others by the order of their topics or by authority. A mark in it is a group and where in that group,
 * so that the people behind it are found without those before it.
 */
import type { Catalog } from '../catalog.ts'
import type { Matched } from '../search/found.ts'
import { areHeldBy, type Holders, List } from '../search/holders.ts'
import { firstOf } from '../search/least.ts'
import { Chosen, Without, WithoutValue } from './chosen.ts'

/** Whom a page shows, in their order: by name, as members of what gives the order, the others. */
export const groups = { name: 0, member: 1, other: 2 } as const

/** A mark: behind an ordinal, among the members behind whoever has the value and it. */
export interface Mark {
  readonly group: number
  readonly value: number
  readonly ordinal: number
}

export class Listing {
  readonly matched: Matched
  readonly #authorities: number
  readonly #names: readonly Holders[]
  /** Of the words, who are not of the names. */
  readonly #words: readonly Holders[]

  /** @param filters whoever is shown is among all of these. */
  constructor(catalog: Catalog, matched: Matched, filters: readonly Holders[]) {
    const { names, words } = matched
    this.matched = matched
    this.#authorities = catalog.counts.authorities
    this.#names = names.length === 0 ? [] : [...names, ...filters]
    const rest = names.length === 0 ? [] : [new Without(names, this.#authorities)]
    this.#words = words.length === 0 ? [] : [...words, ...filters, ...rest]
  }

  /** Two parts whose people are all who match, each once; who is in a part is among all of it. */
  get parts(): readonly (readonly Holders[])[] {
    return [this.#names, this.#words].filter((part) => part.length > 0)
  }

  /** All ordinals, where they are one list; else undefined. */
  get only(): Uint32Array | undefined {
    const [part = [], another] = this.parts
    const [only, second] = part
    const isOne = another === undefined && second === undefined
    return isOne && only instanceof List ? only.ordinals : undefined
  }

  /** The first `limit` people, or of those behind a mark. */
  first(limit: number, after: Mark = beginning): readonly number[] {
    const { group, ordinal } = after
    const names = group === groups.name ? this.#named(ordinal, limit) : []
    const left = limit - names.length
    return left === 0 ? names : [...names, ...this.#others(after, left)]
  }

  /** The mark behind somebody who matched. */
  markOf(ordinal: number): Mark {
    if (this.#isNamed(ordinal)) return { group: groups.name, value: 0, ordinal }
    const value = this.matched.order?.valueOf(ordinal) ?? 0
    return { group: value > 0 ? groups.member : groups.other, value, ordinal }
  }

  /** Whether somebody who matched stands before a mark, or at it. */
  isBefore(ordinal: number, mark: Mark): boolean {
    const own = this.markOf(ordinal)
    if (own.group !== mark.group) return own.group < mark.group
    return own.value > mark.value || (own.value === mark.value && ordinal <= mark.ordinal)
  }

  #isNamed(ordinal: number): boolean {
    return this.matched.names.length > 0 && areHeldBy(this.matched.names, ordinal)
  }

  #named(after: number, limit: number): readonly number[] {
    if (this.#names.length === 0) return []
    return firstOf(after < 0 ? this.#names : [...this.#names, this.#behind(after)], limit)
  }

  #others({ group, value, ordinal }: Mark, limit: number): readonly number[] {
    const words = this.#words
    const { order } = this.matched
    if (words.length === 0) return []
    if (group === groups.other) {
      const members = order === undefined ? [] : [this.#withoutValue(order)]
      return firstOf([...words, ...members, this.#behind(ordinal)], limit)
    }
    if (order === undefined) return firstOf(words, limit)
    return order.first(words, limit, group === groups.member ? { value, ordinal } : undefined)
  }

  #withoutValue(order: NonNullable<Matched['order']>): Holders {
    return new WithoutValue((ordinal) => order.valueOf(ordinal), this.#authorities)
  }

  #behind(ordinal: number): Holders {
    return new Chosen(ordinal + 1, this.#authorities)
  }
}

const beginning: Mark = { group: groups.name, value: Number.POSITIVE_INFINITY, ordinal: -1 }
