/** The evidence of ranks, read on request; some sections may stay in the snapshot's file. */

import { lowerBound } from '../../memory/bounds.ts'
import { type CopySource, copySourceOf, pieceOf, type TextPiece } from '../../memory/copy-text.ts'
import { allTexts, textAt } from '../../memory/text-table.ts'
import { EndorserLists } from '../../snapshot/endorser-lists.ts'
import type { Snapshot } from '../../snapshot/file.ts'
import { type Counts, endorserCounts, type Sections } from '../../snapshot/sections.ts'
import { countOf, type SmallCounts } from '../../snapshot/small-counts.ts'
import { textsOf } from '../../snapshot/text-tables.ts'
import { StoredBlocks } from '../../snapshot/texts/stored-blocks.ts'
import { storedColumns } from '../../snapshot/texts/stored-texts.ts'

/** A rank and what it is made of; shares are in parts of 2³². */
export interface ExplainedRank {
  /** The topic, or -1 for the rank by authority score among all. */
  readonly topic: number
  readonly ordinal: number
  readonly rank: number
  /** The number of ranked people. */
  readonly of: number
  /** 0 where the record says the score: then nothing was shared out. */
  readonly share: number
  /** The part of the share that is its own; the rest is endorsement. */
  readonly ownShare: number
  /** The sum of the own shares of all ranked people. */
  readonly ownWhole: number
  /** The distance from this share, or score in hundredths, to the next; of the last, all of it. */
  readonly margin: number
  readonly endorserCount: number
  /** The strongest endorsers that it can lose before it falls by each of `fallSteps`; 0 if it never does. */
  readonly losses: readonly [one: number, ten: number]
  /** The strongest endorsers, as a range for `endorserAt`, `endorserShareAt` and `kindMembers`. */
  readonly start: number
  readonly end: number
}

type ColumnName = (typeof storedColumns)[number]

/** Reads a number of a column. @throws UnreadableTexts where the file with it cannot be read. */
type NumberReader = (index: number) => number

export class RankEvidence {
  readonly #sections: Sections
  readonly #columns: Readonly<Record<ColumnName, NumberReader>>
  readonly #endorserCounts: SmallCounts
  readonly #endorserLists: EndorserLists
  readonly #counts: Counts
  /** `,"kind":"follows","share":` of each kind. */
  readonly #kinds: readonly TextPiece[]
  readonly #provenances: CopySource

  constructor({ sections, header: { counts }, texts }: Snapshot) {
    this.#sections = sections
    const columnOf = (name: ColumnName): NumberReader => {
      const page = texts?.pages[name]
      const numbers = sections[name]
      if (page === undefined) return (index) => numbers[index]!
      const blocks = new StoredBlocks(texts!, [page])
      return (index) => blocks.numberAt(index, numbers.BYTES_PER_ELEMENT)
    }
    this.#columns = Object.fromEntries(
      storedColumns.map((name) => [name, columnOf(name)]),
    ) as Readonly<Record<ColumnName, NumberReader>>
    this.#endorserCounts = endorserCounts(sections)
    this.#endorserLists = new EndorserLists(sections)
    this.#provenances = copySourceOf(sections['provenance.text'])
    this.#counts = counts
    this.#kinds = allTexts(textsOf({ sections }, 'kind')).map((kind) =>
      pieceOf(`,"kind":${JSON.stringify(kind)},"share":`),
    )
  }

  /** The rank of a member in a topic, 1 being the top; 0 for a person who is no member. O(log members). */
  rankIn(topic: number, ordinal: number): number {
    const starts = this.#sections['topic.member-starts']
    const ordinals = this.#sections['meaning.ordinals']
    const end = starts[topic + 1]!
    const place = lowerBound(ordinals, ordinal, starts[topic]!, end)
    const isMember = place < end && ordinals[place] === ordinal
    return isMember ? this.#sections['meaning.topic-ranks'][place]! : 0
  }

  /** Of some topics the one of which somebody has the largest share, or -1 where it has none of any. */
  topicOf(ordinal: number, topics: readonly number[]): number {
    let best = -1
    let most = -1
    for (const topic of topics) {
      const rank = this.rankIn(topic, ordinal)
      if (rank === 0) continue
      const start = this.#sections['topic.member-starts'][topic]!
      const share = this.#sections['topic.shares'][start + rank - 1]!
      if (share > most) best = topic
      most = Math.max(share, most)
    }
    return best
  }

  coreTopicOf(ordinal: number): number {
    return this.#sections['authority.core-topics'][ordinal]!
  }

  /** The parts of the rank in a topic, or by authority score if it is -1. */
  ofRank(topic: number, ordinal: number): ExplainedRank {
    const sections = this.#sections
    const columns = this.#columns
    const isByScore = topic < 0
    const starts = sections['topic.member-starts']
    const first = isByScore ? 0 : starts[topic]!
    const behind = isByScore ? this.#counts.authorities : starts[topic + 1]!
    const rank = isByScore ? ordinal + 1 : this.rankIn(topic, ordinal)
    const at = first + rank - 1
    const [values, shares] = isByScore
      ? [sections['authority.scores'], sections['authority.shares']]
      : [sections['topic.shares'], sections['topic.shares']]
    // Behind the ranks in topics come those by score.
    const entry = isByScore ? sections['topic.members'].length + at : at
    const ranking = isByScore ? this.#counts.topics : topic
    const start = this.#endorserLists.startOf(entry, ranking)
    return {
      topic,
      ordinal,
      rank,
      of: behind - first,
      margin: values[at]! - (at + 1 < behind ? values[at + 1]! : 0),
      share: shares[at]!,
      ownShare: columns['evidence.own-shares'](entry),
      ownWhole: sections['evidence.own-wholes'][ranking]!,
      endorserCount: countOf(this.#endorserCounts, entry),
      losses: [
        columns['evidence.losses-to-fall-1'](entry),
        columns['evidence.losses-to-fall-10'](entry),
      ],
      start,
      end: start + this.#endorserLists.lengthOf(entry, ranking),
    }
  }

  /** An endorser of a range: the ordinal of an authority, or a node from `authorities` on. */
  endorserAt(index: number): number {
    return this.#columns['evidence.endorsers'](index)
  }

  /** The share that an endorser of a range gives, in parts of 2³². */
  endorserShareAt(index: number): number {
    return this.#columns['evidence.endorser-shares'](index)
  }

  /** The kind of connection of an endorser of a range, as members that its share follows. */
  kindMembers(index: number): TextPiece {
    return this.#kinds[this.#columns['evidence.endorser-kinds'](index)]!
  }

  /** `platform:handle` of a node that nobody owns. O(log handles). */
  unownedName(node: number): string {
    const place = this.#sections['unowned.places'][node - this.#counts.authorities]!
    const handle = lowerBound(this.#sections['handle.node-starts'], place + 1) - 1
    const platform = this.#sections['handle.platforms'][place]!
    const from = { sections: this.#sections }
    return `${textAt(textsOf(from, 'platform'), platform)}:${textAt(textsOf(from, 'handle'), handle)}`
  }

  /** JSON of where the record of an authority is from; an empty piece where it does not say. */
  provenanceOf(ordinal: number): TextPiece {
    const starts = this.#sections['provenance.starts']
    const number = starts.length === 1 ? 0 : this.#sections['authority.provenances'][ordinal]!
    const start = starts[Math.max(0, number - 1)]!
    return { source: this.#provenances, start, end: starts[number]! }
  }
}

/** Chooses the rank of an authority that is explained: the one in a topic, or by authority score if it gives -1. */
export type Explained = (evidence: RankEvidence, ordinal: number) => number

export const inCoreTopic: Explained = (evidence, ordinal) => evidence.coreTopicOf(ordinal)

export const byScore: Explained = () => -1

/** Of some topics the rank in the one of which somebody has most; of none, by authority score. */
export function inTopics(topics: readonly number[]): Explained {
  return (evidence, ordinal) => evidence.topicOf(ordinal, topics)
}
