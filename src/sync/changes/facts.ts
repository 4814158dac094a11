/**
 * What is served of a snapshot, as far as changes tell it: of each person the profile item, the
 * score, the core topic and the handles, and of each topic who is first. Summary items say nothing
 * that profiles, scores and ranks do not. Peers, ranks behind the first and what words are found by
 * are not told.
 */
import { limits } from '../../limits.ts'
import { textAt } from '../../memory/text-table.ts'
import type { ProfileFields } from '../../snapshot/changes/change.ts'
import type { Snapshot } from '../../snapshot/file.ts'

/** So many of each topic have a rank that is told. */
export const rankedMax = limits.resultsMax

const scoreField = Buffer.from(',"authority_score":')

/** A handle of somebody: its number, and that of its platform. */
export interface Claim {
  readonly handle: number
  readonly platform: number
}

export class Facts {
  readonly snapshot: Snapshot
  /** The labels of all topics. */
  readonly labels: readonly string[]
  readonly platforms: readonly string[]
  readonly #profiles: Buffer
  /** Claims by owner: those of an ordinal are from its start to the next. */
  readonly #claimStarts: Uint32Array
  readonly #claimHandles: Uint32Array
  readonly #claimPlatforms: Uint32Array

  constructor(snapshot: Snapshot) {
    const { sections, header } = snapshot
    this.snapshot = snapshot
    this.labels = textsOf(sections['topic.labels'], sections['topic.label-ends'])
    this.platforms = textsOf(sections['platform.text'], sections['platform.ends'])
    const { buffer, byteOffset, byteLength } = sections['profile.json']
    this.#profiles = Buffer.from(buffer, byteOffset, byteLength)
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
    const { sections } = this.snapshot
    return textAt({ text: sections['sdu.text'], ends: sections['sdu.ends'] }, ordinal)
  }

  /** In hundredths. */
  scoreOf(ordinal: number): number {
    return this.snapshot.sections['authority.scores'][ordinal]!
  }

  /** The number of a person's core topic. */
  coreTopicOf(ordinal: number): number {
    return this.snapshot.sections['authority.core-topics'][ordinal]!
  }

  /** The profile item, whole. */
  profileOf(ordinal: number): ProfileFields {
    const { start, end } = this.#profileRange(ordinal)
    // A copy, because a decoder refuses shared memory.
    return JSON.parse(Buffer.from(this.#profiles.subarray(start, end)).toString())
  }

  claimsOf(ordinal: number): Claim[] {
    const claims: Claim[] = []
    for (let at = this.#claimStarts[ordinal]!; at < this.#claimStarts[ordinal + 1]!; at += 1) {
      claims.push({ handle: this.#claimHandles[at]!, platform: this.#claimPlatforms[at]! })
    }
    return claims
  }

  /** A claim as `platform:key`. */
  handleText({ handle, platform }: Claim): string {
    const { sections } = this.snapshot
    const keys = { text: sections['handle.text'], ends: sections['handle.ends'] }
    return `${this.platforms[platform]}:${textAt(keys, handle)}`
  }

  /** The handles of a person, each once, in an order of their own. */
  handlesOf(ordinal: number): string[] {
    return [...new Set(this.claimsOf(ordinal).map((claim) => this.handleText(claim)))].sort()
  }

  /** The first of a topic by rank: ordinals. */
  firstOf(topic: number): Uint32Array {
    const { sections } = this.snapshot
    const start = sections['topic.member-starts'][topic]!
    const end = sections['topic.member-starts'][topic + 1]!
    return sections['topic.members'].subarray(start, Math.min(end, start + rankedMax))
  }

  /**
   * Whether a profile says the same as one of other facts, but for the score. Where it does, the
   * scores stand at the same place of both.
   */
  saysSame(ordinal: number, others: Facts, other: number): boolean {
    const one = this.#profileRange(ordinal)
    const two = others.#profileRange(other)
    if (this.scoreOf(ordinal) === others.scoreOf(other)) {
      return this.#isSame(one.start, one.end, others, two.start, two.end)
    }
    const own = this.#scoreStart(one.end)
    const their = two.start + own - one.start
    const ownEnd = own + this.#scoreLength(ordinal)
    const theirEnd = their + others.#scoreLength(other)
    return (
      one.end - ownEnd === two.end - theirEnd &&
      this.#isSame(one.start, own, others, two.start, their) &&
      this.#isSame(ownEnd, one.end, others, theirEnd, two.end)
    )
  }

  #isSame(start: number, end: number, others: Facts, from: number, to: number): boolean {
    if (end - start !== to - from) return false
    return this.#profiles.compare(others.#profiles, from, to, start, end) === 0
  }

  #profileRange(ordinal: number): { readonly start: number; readonly end: number } {
    const ends = this.snapshot.sections['profile.ends']
    return { start: ordinal === 0 ? 0 : ends[ordinal - 1]!, end: ends[ordinal]! }
  }

  /**
   * Where the score begins in a profile, of which the end is given. No text in JSON holds the bytes
   * that are looked for, because a quotation mark in a text is escaped; a platform of that name would
   * stand before it. Read byte by byte, because it is near the end: `lastIndexOf` took twice as long
   * as the comparison itself.
   */
  #scoreStart(profileEnd: number): number {
    let at = profileEnd
    while (at > 0 && !this.#isBehindScoreField(at)) at -= 1
    return at
  }

  #isBehindScoreField(at: number): boolean {
    const { length } = scoreField
    for (let back = 1; back <= length; back += 1) {
      if (this.#profiles[at - back] !== scoreField[length - back]) return false
    }
    return true
  }

  #scoreLength(ordinal: number): number {
    return String(this.scoreOf(ordinal) / 100).length
  }
}

/** The topics of some facts by their labels. */
export function topicsByLabel({ labels }: Facts): ReadonlyMap<string, number> {
  return new Map(labels.map((label, topic) => [label, topic]))
}

function textsOf(text: Uint8Array, ends: Uint32Array): string[] {
  return Array.from(ends, (_, entry) => textAt({ text, ends }, entry))
}

/** Visits every handle that somebody owns, with each of its owners. */
function forOwned(
  { sections, header }: Snapshot,
  visit: (owner: number, handle: number, platform: number) => void,
): void {
  const starts = sections['handle.node-starts']
  const nodes = sections['handle.nodes']
  const platforms = sections['handle.platforms']
  for (let handle = 0; handle + 1 < starts.length; handle += 1) {
    for (let at = starts[handle]!; at < starts[handle + 1]!; at += 1) {
      // Nodes of a handle ascend: behind the first that nobody owns come no others.
      if (nodes[at]! >= header.counts.authorities) break
      visit(nodes[at]!, handle, platforms[at]!)
    }
  }
}
