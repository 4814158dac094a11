/**
 * Everybody who matched, a page at a time: matches by name by authority, then the others by their
 * topics or by authority. A mark lets the next page start without the people before it.
 */
import type { Catalog } from '../catalog.ts'
import type { Matched, Tier } from '../interpret/found.ts'
import { firstOf } from '../postings/best.ts'
import { type DocSet, isInAll } from '../postings/doc-set.ts'
import { InRange, inTheirRange, Passing } from '../postings/filter-set.ts'
import { List } from '../postings/list.ts'

/** A mark: behind an ordinal; among members, behind the person with that value and ordinal. */
export interface ListMark {
  /** The tier of names, or behind all of them `members` or `others` of the listing. */
  readonly group: number
  readonly value: number
  readonly ordinal: number
}

export class Listing {
  readonly matched: Matched
  /** The groups behind the matches by name: members of the topics that give the order, then the others. */
  readonly members: number
  readonly others: number
  readonly #authorities: number
  readonly #names: readonly Tier[]
  readonly #words: Tier

  /** @param filters sets that contain everybody who is shown. */
  constructor(catalog: Catalog, matched: Matched, filters: Tier) {
    const { names, words } = matched
    this.matched = matched
    this.members = names.length
    this.others = names.length + 1
    this.#authorities = catalog.counts.authorities
    const without = names.map((tier) => this.#who((ordinal) => !isInAll(tier, ordinal)))
    this.#names = names.map((tier, index) =>
      inTheirRange([...tier, ...filters, ...without.slice(0, index)]),
    )
    this.#words = words.length === 0 ? [] : inTheirRange([...words, ...filters, ...without])
  }

  /** Parts that together are all matches; a person of a part is in all of its sets. */
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

  first(limit: number, after: ListMark = beginning): readonly number[] {
    const found: number[] = []
    for (let tier = after.group; tier < this.members && found.length < limit; tier += 1) {
      const ordinal = tier === after.group ? after.ordinal : -1
      const behind = ordinal < 0 ? [] : [this.#behind(ordinal)]
      found.push(...firstOf(inTheirRange([...this.#names[tier]!, ...behind]), limit - found.length))
    }
    return found.length === limit ? found : [...found, ...this.#rest(after, limit - found.length)]
  }

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
      const members = order === undefined ? [] : [this.#who((each) => order.valueOf(each) === 0)]
      return firstOf(inTheirRange([...words, ...members, this.#behind(ordinal)]), limit)
    }
    if (order === undefined) return firstOf(words, limit)
    return order.first(words, limit, group === this.members ? { value, ordinal } : undefined)
  }

  #who(test: (ordinal: number) => boolean): DocSet {
    return new Passing(test, this.#authorities)
  }

  #behind(ordinal: number): DocSet {
    return new InRange(ordinal + 1, this.#authorities)
  }
}

const beginning: ListMark = { group: 0, value: Number.POSITIVE_INFINITY, ordinal: -1 }
