/** The names of the best people of a snapshot, by their looks: a new name may not imitate them. */
import type { StoredFacts } from '../snapshot/facts.ts'
import { identityTexts } from '../snapshot/people/identities.ts'
import { isMixedName, plainLettersOf, skeletonOf } from '../text/related/lookalikes.ts'

/** The share of the people by authority score who are protected. */
const bestShare = 0.1

/** A protected person. */
interface Best {
  readonly sdu: string
  readonly name: string
}

export class BestNames {
  /** By skeleton: whose names have it. */
  readonly #bySkeleton = new Map<string, readonly Best[]>()

  /** Empty without a snapshot. O(best). */
  constructor(snapshot?: StoredFacts) {
    if (snapshot === undefined) return
    const identities = identityTexts(snapshot)
    const count = Math.ceil(snapshot.header.counts.authorities * bestShare)
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      const { sdu, name } = JSON.parse(`${identities.textAt(ordinal)}}`)
      const skeleton = skeletonOf(name)
      const known = this.#bySkeleton.get(skeleton) ?? []
      this.#bySkeleton.set(skeleton, [...known, { sdu, name }])
    }
  }

  /** The reason why a name is suspicious, to stand behind the field; undefined for most names. */
  suspicionOf(sdu: string, name: string): string | undefined {
    const imitated = this.#imitatedBy(sdu, name)
    if (imitated !== undefined) return `looks like that of SDU ${imitated}, in other letters`
    return isMixedName(name) ? 'has a word of letters of several scripts' : undefined
  }

  /** SDU of the protected person whose name this one imitates. Protected people and namesakes imitate no one. */
  #imitatedBy(sdu: string, name: string): string | undefined {
    if (this.#bySkeleton.size === 0) return undefined
    const same = this.#bySkeleton.get(skeletonOf(name)) ?? []
    if (same.length === 0 || same.some((each) => each.sdu === sdu)) return undefined
    const letters = plainLettersOf(name)
    return same.every((each) => plainLettersOf(each.name) !== letters) ? same[0]!.sdu : undefined
  }
}
