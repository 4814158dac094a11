/**
 * The served facts of a snapshot that changes report, and those of two snapshots side by side.
 * Peers, ranks behind the first and search terms are not reported.
 */
import { limits } from '../../limits.ts'
import { allTexts, equal, textAt } from '../../memory/text-table.ts'
import type { ProfileFields } from '../../snapshot/changes/change.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { Identities } from '../../snapshot/people/identities.ts'
import { forClaims } from '../../snapshot/people/owners.ts'
import { Profiles } from '../../snapshot/people/profiles.ts'
import { labelsOf, textsOf } from '../../snapshot/text-tables.ts'
import type { PagedTexts } from '../../snapshot/texts/paged-texts.ts'

/** The first members of a topic, whose ranks are reported. */
const rankedMax = limits.resultsMax

const scoreField = Buffer.from(',"authority_score":')

interface Claim {
  readonly handle: number
  readonly platform: number
}

export class ComparedFacts {
  readonly snapshot: StoredFacts
  readonly labels: readonly string[]
  readonly platforms: readonly string[]
  readonly #profiles: Profiles
  readonly #people: Identities
  /** Claims by owner: those of an ordinal are from its start to the next. */
  readonly #claimStarts: Uint32Array
  readonly #claimHandles: Uint32Array
  readonly #claimPlatforms: Uint32Array

  constructor(snapshot: StoredFacts) {
    const { header } = snapshot
    this.snapshot = snapshot
    this.labels = allTexts(labelsOf(snapshot))
    this.platforms = allTexts(textsOf(snapshot, 'platform'))
    this.#profiles = new Profiles(snapshot)
    this.#people = new Identities(snapshot)
    this.#claimStarts = new Uint32Array(header.counts.authorities + 1)
    forOwned(snapshot, (owner) => {
      this.#claimStarts[owner + 1]! += 1
    })
    for (let owner = 0; owner < header.counts.authorities; owner += 1) {
      this.#claimStarts[owner + 1]! += this.#claimStarts[owner]!
    }
    const next = this.#claimStarts.slice()
    this.#claimHandles = new Uint32Array(next.at(-1)!)
    this.#claimPlatforms = new Uint32Array(next.at(-1)!)
    forOwned(snapshot, (owner, handle, platform) => {
      const at = next[owner]!++
      this.#claimHandles[at] = handle
      this.#claimPlatforms[at] = platform
    })
  }

  sduOf(ordinal: number): string {
    return this.#people.sduOf(ordinal)
  }

  /** In hundredths. */
  scoreOf(ordinal: number): number {
    return this.snapshot.sections['authority.scores'][ordinal]!
  }

  coreTopicOf(ordinal: number): string {
    return this.labels[this.snapshot.sections['authority.core-topics'][ordinal]!]!
  }

  profileOf(ordinal: number): ProfileFields {
    return JSON.parse(this.#profiles.textAt(ordinal))
  }

  claimsOf(ordinal: number): Claim[] {
    const claims: Claim[] = []
    for (let at = this.#claimStarts[ordinal]!; at < this.#claimStarts[ordinal + 1]!; at += 1) {
      claims.push({ handle: this.#claimHandles[at]!, platform: this.#claimPlatforms[at]! })
    }
    return claims
  }

  /**
   * Whether a person before has the same handles in the same order, as nearly everybody has: by the
   * numbers of equal texts. Those of all others are compared as texts.
   * @param handlesBefore by handle here, its number there; -1 if there was none.
   */
  hasSameHandles(
    ordinal: number,
    before: ComparedFacts,
    was: number,
    handlesBefore: Int32Array,
  ): boolean {
    const start = this.#claimStarts[ordinal]!
    const had = before.#claimStarts[was]!
    const count = this.#claimStarts[ordinal + 1]! - start
    if (count !== before.#claimStarts[was + 1]! - had) return false
    for (let index = 0; index < count; index += 1) {
      const handle = this.#claimHandles[start + index]!
      if (before.#claimHandles[had + index] !== handlesBefore[handle]) return false
      const platform = this.platforms[this.#claimPlatforms[start + index]!]
      if (before.platforms[before.#claimPlatforms[had + index]!] !== platform) return false
    }
    return true
  }

  /** `platform:key`, in an order of their own. */
  handlesOf(ordinal: number): string[] {
    const keys = textsOf(this.snapshot, 'handle')
    return this.claimsOf(ordinal)
      .map(({ handle, platform }) => `${this.platforms[platform]}:${textAt(keys, handle)}`)
      .sort()
  }

  firstOf(topic: number): Uint32Array {
    const { sections } = this.snapshot
    const start = sections['topic.member-starts'][topic]!
    const end = sections['topic.member-starts'][topic + 1]!
    return sections['topic.members'].subarray(start, Math.min(end, start + rankedMax))
  }

  /** Except for the score. If they are equal, the scores stand at the same place of both. */
  saysSame(ordinal: number, others: ComparedFacts, other: number): boolean {
    const [mine, theirs] = [this.#profiles, others.#profiles]
    if (!isSameText(mine.identities, ordinal, theirs.identities, other)) return false
    if (this.scoreOf(ordinal) === others.scoreOf(other)) {
      return isSameText(mine.rests, ordinal, theirs.rests, other)
    }
    const one = viewOf(mine.rests, ordinal)
    const two = viewOf(theirs.rests, other)
    const start = scoreStart(one)
    const end = start + this.#scoreLength(ordinal)
    const otherEnd = start + others.#scoreLength(other)
    return (
      one.length - end === two.length - otherEnd &&
      one.compare(two, 0, start, 0, start) === 0 &&
      one.compare(two, otherEnd, two.length, end, one.length) === 0
    )
  }

  #scoreLength(ordinal: number): number {
    return String(this.scoreOf(ordinal) / 100).length
  }
}

function viewOf(texts: PagedTexts, ordinal: number): Buffer {
  const { text } = texts.pageOf(ordinal)
  const start = texts.startOf(ordinal)
  return Buffer.from(text.buffer, text.byteOffset + start, texts.lengthOf(ordinal))
}

/** Most are the same: two views for each would take longer. */
function isSameText(one: PagedTexts, ordinal: number, two: PagedTexts, other: number): boolean {
  const length = one.lengthOf(ordinal)
  if (two.lengthOf(other) !== length) return false
  const [mine, theirs] = [one.pageOf(ordinal), two.pageOf(other)]
  const start = two.startOf(other)
  return equal(mine.text, one.startOf(ordinal), theirs.text, start, start + length)
}

/**
 * No text in JSON holds the bytes that are looked for, because a quotation mark in a text is
 * escaped; a platform of that name would stand before it. Read byte by byte, because it is near the
 * end: `lastIndexOf` took twice as long as the comparison itself.
 */
function scoreStart(profile: Buffer): number {
  let at = profile.length
  while (at > 0 && !isBehindScoreField(profile, at)) at -= 1
  return at
}

function isBehindScoreField(profile: Buffer, at: number): boolean {
  const { length } = scoreField
  for (let back = 1; back <= length; back += 1) {
    if (profile[at - back] !== scoreField[length - back]) return false
  }
  return true
}

function forOwned(
  { sections, header }: StoredFacts,
  visit: (owner: number, handle: number, platform: number) => void,
): void {
  forClaims({ sections }, (handle, node, platform) => {
    if (node < header.counts.authorities) visit(node, handle, platform)
  })
}
