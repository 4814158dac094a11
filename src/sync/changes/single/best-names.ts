/** The names of the best people of a snapshot, by their looks: a new name may not imitate them. */
import { hashBytes } from '../../../memory/text-table.ts'
import type { StoredFacts } from '../../../snapshot/facts.ts'
import { identityTexts } from '../../../snapshot/people/identities.ts'
import { isMixedName, plainLettersOf, skeletonOf } from '../../../text/related/lookalikes.ts'

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

  /** The last of those by the looks of their names. */
  readonly #byLooks = new Map<number, Best>()

  /** Empty without a snapshot. O(best). */
  constructor(snapshot?: StoredFacts) {
    if (snapshot === undefined) return
    const identities = identityTexts(snapshot)
    const count = Math.ceil(snapshot.header.counts.authorities * bestShare)
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      const { sdu, name } = JSON.parse(`${identities.textAt(ordinal)}}`)
      const skeleton = skeletonOf(name)
      const known = this.#bySkeleton.get(skeleton) ?? []
      const best = { sdu, name }
      this.#byLooks.set(hashOf(skeleton), best)
      this.#bySkeleton.set(skeleton, [...known, best])
    }
  }

  /** Whether a name of these looks may imitate another; most names need no further look. */
  mayImitate(looks: number): boolean {
    return this.#byLooks.has(looks)
  }

  /** Whether a name of these looks is known to imitate no other: most that might are those of protected people. */
  isOwn(looks: number, sdu: string, name: string): boolean {
    const best = this.#byLooks.get(looks)
    return best?.sdu === sdu && best.name === name
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

/** The looks of a name as a number of 32 bits: names that look the same have the same. */
export function looksOf(name: string): number {
  return hashOf(skeletonOf(name))
}

function hashOf(skeleton: string): number {
  const bytes = Buffer.from(skeleton)
  return hashBytes(bytes, 0, bytes.length)
}
