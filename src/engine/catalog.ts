/**
 * A snapshot in memory, asked by topic, SDU and handle: read from its sections, nothing kept per
 * person. Read-only, so that any number of threads share its memory.
 */

import { limits } from '../limits.ts'
import { BatchLookup } from '../memory/batch-lookup.ts'
import { firstNot, lowerBound } from '../memory/bounds.ts'
import { uint32Column } from '../memory/columns.ts'
import type { PlaceRange } from '../memory/text-order.ts'
import { allTexts, findText, Scratch, type TextTable, textAt } from '../memory/text-table.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { readGaps } from '../snapshot/gaps.ts'
import { Identities, nameStart } from '../snapshot/people/identities.ts'
import { Profiles } from '../snapshot/people/profiles.ts'
import { summaryNumbers } from '../snapshot/people/summaries.ts'
import type { Counts, References, Sections, TableName } from '../snapshot/sections.ts'
import { labelsOf, tableOf, textsOf } from '../snapshot/text-tables.ts'
import { type PagedTexts, storedEntries } from '../snapshot/texts/paged-texts.ts'
import type { HandleQuery } from '../text/handle.ts'
import { RankEvidence } from './explain/rank-evidence.ts'
import type { HandleKeyReader } from './handle-keys.ts'
import { MemberTexts } from './member-texts.ts'

const decoder = new TextDecoder()
const backslash = 0x5c
const none: readonly number[] = []

/** Owners: those of handle i are `ordinals` from `starts[i]` to `starts[i + 1]`. */
export interface OwnerLists {
  readonly starts: Uint32Array
  /** By descending authority score, each once for a handle. */
  readonly ordinals: Uint32Array
}

export class Catalog {
  readonly id: string
  readonly counts: Counts
  readonly sections: Sections
  /** The first members of every item by ordinal: `{"sdu":"1","name":"A"`. */
  readonly identities: PagedTexts
  /** The ready-made JSON of every profile by ordinal: the identity and the rest. */
  readonly profiles: Profiles
  /** `,"country_name":"B"` of every country. */
  readonly countryMembers: MemberTexts
  /** `,"topic":"C"}` of every topic: the end of summaries. */
  readonly topicMembers: MemberTexts
  /** The first items of each topic's ranking as JSON; all but its first begin with a comma. */
  readonly rankedItems: PagedTexts
  readonly evidence: RankEvidence
  /** The keys of the platforms that anybody has a handle on, by their numbers. */
  readonly platforms: readonly string[]
  /** Lists of peers, as `src/snapshot/gaps.ts` writes them. */
  readonly #peerGaps: PagedTexts
  readonly #peers = new Uint32Array(limits.peersPerHandleMax)
  readonly #peerViews: Uint32Array[] = []
  readonly #summaries: Uint32Array
  readonly #nodeStarts: Uint32Array
  readonly #nodes: Uint32Array
  readonly #nodePlatforms: References
  readonly #people: Identities
  readonly #topicKeys: TextTable
  readonly #handles: TextTable
  readonly #scratch = new Scratch()
  readonly #lookup = new BatchLookup(limits.batchValuesMax)
  readonly #places = new Uint32Array(limits.batchValuesMax)
  readonly #starts = new Uint32Array(limits.batchValuesMax + 1)
  readonly #owners = new Int32Array(limits.batchValuesMax)
  readonly #ordinals = uint32Column()
  /** A sum of all that was read ahead: reading for nothing would be left out by the compiler. */
  #read = 0

  /** @param snapshot verified by `loadSnapshot`; an unverified one may answer nonsense. O(platforms). */
  constructor(snapshot: Snapshot) {
    const { header, sections } = snapshot
    this.evidence = new RankEvidence(snapshot)
    this.id = header.id
    this.counts = header.counts
    this.sections = sections
    this.profiles = new Profiles(snapshot)
    this.identities = this.profiles.identities
    const countryStarts = sections['summary.country-starts']
    const countries = { text: sections['summary.countries'], starts: countryStarts }
    this.countryMembers = new MemberTexts(countries, ',"country_name":')
    const topics = { text: sections['summary.topics'], starts: sections['summary.topic-starts'] }
    this.topicMembers = new MemberTexts(topics, ',"topic":', '}')
    this.#summaries = sections['authority.summaries']
    this.rankedItems = storedEntries(snapshot, 'topic.json', 'topic.json-starts')
    this.#peerGaps = storedEntries(snapshot, 'peer.gaps', 'peer.starts')
    this.#nodeStarts = sections['handle.node-starts']
    this.#nodes = sections['handle.nodes']
    this.#nodePlatforms = sections['handle.platforms']
    this.#people = new Identities(snapshot, this.profiles.rests)
    this.#topicKeys = tableOf(snapshot, 'topic-key')
    this.#handles = tableOf(snapshot, 'handle')
    this.platforms = allTexts(textsOf(snapshot, 'platform'))
  }

  /** Reads ahead the texts of the summaries of some people. */
  fetchSummaries(ordinals: ArrayLike<number>): void {
    const count = Math.min(ordinals.length, limits.batchValuesMax)
    let read = 0
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      read ^= this.identityStart(ordinal) ^ this.identityEnd(ordinal)
    }
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      const { text } = this.identities.pageOf(ordinal)
      read ^= text[this.identityStart(ordinal)]! ^ text[this.identityEnd(ordinal) - 1]!
    }
    this.#read ^= read
  }

  /** The ordinal of the authority with this SDU, or -1. */
  findSdu(sdu: string): number {
    return this.#people.find(sdu)
  }

  /** Where the identity of an authority lies: from the row that has all numbers of a summary in one line of memory. */
  identityStart(ordinal: number): number {
    return ordinal === 0 ? 0 : this.#summaries[summaryNumbers * (ordinal - 1)]!
  }

  identityEnd(ordinal: number): number {
    return this.#summaries[summaryNumbers * ordinal]!
  }

  coreRankOf(ordinal: number): number {
    return this.#summaries[summaryNumbers * ordinal + 1]!
  }

  /** The score of an authority in hundredths. */
  scoreOf(ordinal: number): number {
    return this.sections['authority.scores'][ordinal]!
  }

  countryNumberOf(ordinal: number): number {
    return this.#summaries[summaryNumbers * ordinal + 2]!
  }

  coreTopicOf(ordinal: number): number {
    return this.#summaries[summaryNumbers * ordinal + 3]!
  }

  /** The topic whose label or alias has this key (see `topicKey`), or -1. */
  findTopic(key: string): number {
    const entry = findText(this.#topicKeys, key, this.#scratch)
    return entry < 0 ? -1 : this.sections['topic-key.topics'][entry]!
  }

  /** The first `limit` items of a topic's ranking, as a range of `rankedItems`; at least one. */
  itemsOfTopic(topic: number, limit: number): PlaceRange {
    const starts = this.sections['topic.item-starts']
    const start = starts[topic]!
    return { start, end: Math.min(start + limit, starts[topic + 1]!) }
  }

  /** The members of a topic in rank order, as a range of `topic.members`. */
  membersOf(topic: number): PlaceRange {
    const starts = this.sections['topic.member-starts']
    return { start: starts[topic]!, end: starts[topic + 1]! }
  }

  sizeOf(topic: number): number {
    const starts = this.sections['topic.member-starts']
    return starts[topic + 1]! - starts[topic]!
  }

  /** By descending authority score, each once; only owners on the platform where one is named. */
  ownersOf({ platform, key }: HandleQuery): number[] {
    const handle = findText(this.#handles, key, this.#scratch)
    return handle < 0 ? [] : this.#nodesOf(handle, platform, this.counts.authorities)
  }

  /**
   * The owners of each of many handles, as `ownersOf` lists them; good until the next call. Each step runs for all
   * handles before the next step, so the processor waits for uncached memory once for all instead of once for each.
   */
  ownersOfAll(handles: HandleKeyReader): OwnerLists {
    const { count, platforms } = handles
    const { authorities } = this.counts
    const found = this.#findAll(handles)
    const ordinals = this.#ordinals
    ordinals.length = 0
    for (let index = 0; index < count; index += 1) {
      const handle = found[index]!
      const owners = handle < 0 ? none : this.#nodesOf(handle, platforms[index], authorities)
      for (let at = 0; at < owners.length; at += 1) ordinals.push(owners[at]!)
      this.#starts[index + 1] = ordinals.length
    }
    return { starts: this.#starts, ordinals: ordinals.view() }
  }

  /** The top owner of each, or -1, with its score read ahead; good until the next call. */
  topOwnersOf(handles: HandleKeyReader): Int32Array {
    const { starts, ordinals } = this.ownersOfAll(handles)
    const [owners, places] = [this.#owners, this.#places]
    for (let index = 0; index < handles.count; index += 1) {
      const start = starts[index]!
      owners[index] = start < starts[index + 1]! ? ordinals[start]! : -1
      places[index] = Math.max(0, owners[index]!)
    }
    this.#lookup.fetchShort(this.sections['authority.scores'], places, handles.count)
    return owners
  }

  /** The entry of each handle, or -1, with its nodes read ahead. */
  #findAll(handles: HandleKeyReader): Int32Array {
    const { count } = handles
    const [lookup, places, nodeStarts] = [this.#lookup, this.#places, this.#nodeStarts]
    const found = lookup.find(this.#handles, handles)
    for (let index = 0; index < count; index += 1) places[index] = Math.max(0, found[index]!)
    lookup.fetch(nodeStarts, places, count)
    for (let index = 0; index < count; index += 1) places[index] = nodeStarts[places[index]!]!
    lookup.fetch(this.#nodes, places, count)
    return found
  }

  tableOf(name: TableName): TextTable {
    return tableOf(this, name)
  }

  sduOf(ordinal: number): string {
    return this.#people.sduOf(ordinal)
  }

  /** The name of a person as their record writes it. */
  nameOf(ordinal: number): string {
    const { text } = this.identities.pageOf(ordinal)
    // Between its quotation marks.
    const start = nameStart(text, this.identities.startOf(ordinal))
    const bytes = text.subarray(start, this.identities.endOf(ordinal) - 1)
    const written = decoder.decode(bytes)
    return bytes.includes(backslash) ? JSON.parse(`"${written}"`) : written
  }

  /** The number of authorities with a score above this, or the same and an SDU up to this one. O(log authorities). */
  countUpTo(score: number, sdu: string): number {
    const scores = this.sections['authority.scores']
    return firstNot(scores.length, (ordinal) =>
      scores[ordinal] === score
        ? compareSdus(this.sduOf(ordinal), sdu) <= 0
        : scores[ordinal]! > score,
    )
  }

  countryOf(country: number): string {
    return textAt(textsOf(this, 'country'), country)
  }

  labelOf(topic: number): string {
    return textAt(labelsOf(this), topic)
  }

  /** An attribute as `key:value`. */
  attributeOf(attribute: number): string {
    return textAt(textsOf(this, 'attribute'), attribute)
  }

  attributesOf(ordinal: number): Uint32Array {
    const { sections } = this
    const starts = sections['attribute-set.starts']
    const set = sections['authority.attribute-sets'][ordinal]!
    return sections['attribute-set.attributes'].subarray(starts[set], starts[set + 1])
  }

  countriesOf(place: number): string[] {
    const { sections } = this
    const [start, end] = [sections['place.starts'][place], sections['place.starts'][place + 1]]
    const countries = sections['place.countries'].subarray(start, end)
    return Array.from(countries, (country) => this.countryOf(country))
  }

  /** Its list for `peersIn`, or -1; a handle with several nodes has a list of its own. */
  peersOf({ platform, key }: HandleQuery): number {
    const handle = findText(this.#handles, key, this.#scratch)
    if (handle < 0) return -1
    if (platform === undefined) return this.#peersOnAll(handle)
    const [node, another] = this.#nodesOf(handle, platform, Number.POSITIVE_INFINITY)
    if (node === undefined) return -1
    return another === undefined ? node : this.#peersOnAll(handle)
  }

  /** The list of a handle on all its platforms: those of handles with several nodes stand behind those of all nodes. */
  #peersOnAll(handle: number): number {
    const first = this.#nodes[this.#nodeStarts[handle]!]!
    // They ascend, so that the first and the last are one only when all are.
    if (first === this.#nodes[this.#nodeStarts[handle + 1]! - 1]) return first
    return this.counts.nodes + lowerBound(this.sections['handle.shared'], handle)
  }

  /** The first so many of a list of peers, all where it is not said; good until the next call. */
  peersIn(list: number, most?: number): Uint32Array {
    const gaps = this.#peerGaps
    const peers = this.#peers
    const count =
      list < 0 || gaps.lengthOf(list) === 0
        ? 0
        : readGaps(gaps.pageOf(list).text, gaps.startOf(list), gaps.endOf(list), peers, most)
    this.#peerViews[count] ??= peers.subarray(0, count)
    return this.#peerViews[count]
  }

  /** The nodes of a handle below a number, on one platform or all, each once: they are ascending, its owners first. */
  #nodesOf(handle: number, platform: string | undefined, below: number): number[] {
    const end = this.#nodeStarts[handle + 1]!
    let nodes: number[] | undefined
    for (let at = this.#nodeStarts[handle]!; at < end; at += 1) {
      const node = this.#nodes[at]!
      if (node >= below) break
      if (platform !== undefined && this.#platformAt(at) !== platform) continue
      // An empty array that grows has room for 17: most handles have one owner.
      if (nodes === undefined) nodes = [node]
      else if (node !== nodes[nodes.length - 1]) nodes.push(node)
    }
    return nodes ?? []
  }

  #platformAt(at: number): string {
    return this.platforms[this.#nodePlatforms[at]!]!
  }
}

/** As authorities of one score are ordered: by value, then by length. */
function compareSdus(a: string, b: string): number {
  const [first, second] = [BigInt(a), BigInt(b)]
  return first < second ? -1 : first > second ? 1 : a.length - b.length
}
