/** The names of the best people of a snapshot, by their looks: a new name may not imitate them. */
import type { StoredFacts } from '../snapshot/facts.ts'
import { identityTexts } from '../snapshot/people/identities.ts'
import { isMixedName, plainLettersOf, skeletonOf } from '../text/related/lookalikes.ts'

const bestShare = 0.1

interface Best {
  readonly sdu: string
  readonly name: string
}

export class BestNames {
  readonly #bySkeleton = new Map<string, readonly Best[]>()

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

  suspicionOf(sdu: string, name: string): string | undefined {
    const imitated = this.#imitatedBy(sdu, name)
    if (imitated !== undefined) return `looks like that of SDU ${imitated}, in other letters`
    return isMixedName(name) ? 'has a word of letters of several scripts' : undefined
  }

  /** Protected people and namesakes imitate no one. */
  #imitatedBy(sdu: string, name: string): string | undefined {
    if (this.#bySkeleton.size === 0) return undefined
    const same = this.#bySkeleton.get(skeletonOf(name)) ?? []
    if (same.length === 0 || same.some((each) => each.sdu === sdu)) return undefined
    const letters = plainLettersOf(name)
    return same.every((each) => plainLettersOf(each.name) !== letters) ? same[0]!.sdu : undefined
  }
}
