/**
 * Everybody who matched, in their order, a page at a time: those of the names by authority, then the
 * others by the order of their topics or by authority. A mark in it is a group and where in that group,
 * so that the people behind it are found without those before it.
 */
import type { Catalog } from '../catalog.ts'
import { InRange, inTheirRange, NotInAll, WithoutValue } from '../filters/filter-set.ts'
import type { Matched, Tier } from '../interpret/found.ts'
import { type DocSet, isInAll } from '../postings/doc-set.ts'
import { List } from '../postings/list.ts'
import { firstOf } from '../postings/smallest-k.ts'

/** A mark: behind an ordinal, among the members behind whoever has the value and it. */
export interface ListMark {
  /** The tier of names, or behind all of them `members` or `others` of the listing. */
  readonly group: number
  readonly value: number
  readonly ordinal: number
}

export class Listing {
  readonly matched: Matched
  /** The groups of who is not of the names: members of what gives the order, and the others. */
  readonly members: number
  readonly others: number
  readonly #authorities: number
  /** Of each tier of names those who are in none before it. */
  readonly #names: readonly Tier[]
  /** Of the words, who are not of the names. */
  readonly #words: Tier

  /** @param filters whoever is shown is among all of these. */
  constructor(catalog: Catalog, matched: Matched, filters: Tier) {
    const { names, words } = matched
    this.matched = matched
    this.members = names.length
    this.others = names.length + 1
    this.#authorities = catalog.counts.authorities
    const without = names.map((tier) => new NotInAll(tier, this.#authorities))
    this.#names = names.map((tier, index) =>
      inTheirRange([...tier, ...filters, ...without.slice(0, index)]),
    )
    this.#words = words.length === 0 ? [] : inTheirRange([...words, ...filters, ...without])
  }

  /** Parts whose people are all who match; who is in a part is among all of it. */
  get parts(): readonly Tier[] {
    return this.#words.length === 0 ? this.#names : [...this.#names, this.#words]
  }

  /** All who matched, where they are one list; else undefined. */
  get only(): List | undefined {
    const [part = [], another] = this.parts
    const [only, second] = part
    const isOne = another === undefined && second === undefined
    return isOne && only instanceof List ? only : undefined
  }

  /** The first `limit` people, or of those behind a mark. */
  first(limit: number, after: ListMark = beginning): readonly number[] {
    const found: number[] = []
    for (let tier = after.group; tier < this.members && found.length < limit; tier += 1) {
      const ordinal = tier === after.group ? after.ordinal : -1
      const behind = ordinal < 0 ? [] : [this.#behind(ordinal)]
      found.push(...firstOf(inTheirRange([...this.#names[tier]!, ...behind]), limit - found.length))
    }
    return found.length === limit ? found : [...found, ...this.#rest(after, limit - found.length)]
  }

  /** The mark behind somebody who matched. */
  markOf(ordinal: number): ListMark {
    const tier = this.matched.names.findIndex((holders) => isInAll(holders, ordinal))
    if (tier >= 0) return { group: tier, value: 0, ordinal }
    const value = this.matched.order?.valueOf(ordinal) ?? 0
    return { group: value > 0 ? this.members : this.others, value, ordinal }
  }

  /** Whether somebody who matched stands before a mark, or at it. */
  isBefore(ordinal: number, mark: ListMark): boolean {
    const own = this.markOf(ordinal)
    if (own.group !== mark.group) return own.group < mark.group
    return own.value > mark.value || (own.value === mark.value && ordinal <= mark.ordinal)
  }

  #rest({ group, value, ordinal }: ListMark, limit: number): readonly number[] {
    const words = this.#words
    const { order } = this.matched
    if (words.length === 0) return []
    if (group === this.others) {
      const members = order === undefined ? [] : [this.#withoutValue(order)]
      return firstOf(inTheirRange([...words, ...members, this.#behind(ordinal)]), limit)
    }
    if (order === undefined) return firstOf(words, limit)
    return order.first(words, limit, group === this.members ? { value, ordinal } : undefined)
  }

  #withoutValue(order: NonNullable<Matched['order']>): DocSet {
    return new WithoutValue((ordinal) => order.valueOf(ordinal), this.#authorities)
  }

  #behind(ordinal: number): DocSet {
    return new InRange(ordinal + 1, this.#authorities)
  }
}

const beginning: ListMark = { group: 0, value: Number.POSITIVE_INFINITY, ordinal: -1 }
