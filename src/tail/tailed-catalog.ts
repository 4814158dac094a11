/**
 * The catalog of a head together with its tail: people of the tail have the ordinals that they have in the whole
 * snapshot, so that what finds, orders and writes people need not know where one stands.
 */
import { CatalogBatch, type HandleKeys, type OwnerLists } from '../engine/batch.ts'
import { Catalog, type PeerList, type SentQuery } from '../engine/catalog.ts'
import type { NewCatalog } from '../engine/open.ts'
import { SummaryRows } from '../engine/summary-rows.ts'
import { nameOfHandle, nameOfPeers, nameOfSdu } from '../indexer/head/names-behind.ts'
import { Profiles } from '../snapshot/people/profiles.ts'
import { tableOf } from '../snapshot/text-tables.ts'
import type { HandleQuery } from '../text/handle.ts'
import type { BlockFetcher } from './block-fetcher.ts'
import { TailReader } from './tail-reader.ts'
import type { TailFacts } from './tail-store.ts'
import { TailedEvidence } from './tailed-evidence.ts'
import { TailedTexts } from './tailed-texts.ts'

/** The numbers of summaries of a head and of its tail. */
class TailedRows extends SummaryRows {
  readonly #head: number
  readonly #tail: TailReader

  constructor(numbers: Uint32Array, tail: TailReader) {
    super(numbers)
    this.#head = tail.facts.head
    this.#tail = tail
  }

  /** Any place for people who have no row: it is only read ahead. */
  override placeOf(ordinal: number): number {
    return ordinal < this.#head ? super.placeOf(ordinal) : 0
  }

  override startOf(ordinal: number): number {
    return ordinal < this.#head ? super.startOf(ordinal) : 0
  }

  override endOf(ordinal: number): number {
    return ordinal < this.#head
      ? super.endOf(ordinal)
      : this.#tail.summaryAt(ordinal).identity.length
  }

  override rankOf(ordinal: number): number {
    return ordinal < this.#head ? super.rankOf(ordinal) : this.#tail.summaryAt(ordinal).coreRank
  }

  override countryOf(ordinal: number): number {
    return ordinal < this.#head ? super.countryOf(ordinal) : this.#tail.summaryAt(ordinal).country
  }

  override topicOf(ordinal: number): number {
    return ordinal < this.#head ? super.topicOf(ordinal) : this.#tail.summaryAt(ordinal).coreTopic
  }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] }

class TailedCatalog extends Catalog {
  readonly #tail: TailReader

  constructor(tail: TailReader, ...from: ConstructorParameters<typeof Catalog>) {
    super(...from)
    const [snapshot, cache] = from
    this.#tail = tail
    const own = this as Changing<
      Pick<Catalog, 'profiles' | 'identities' | 'evidence' | 'batch' | 'summaryRows'>
    >
    own.identities = new TailedTexts('identity', this.identities, tail)
    const rests = new TailedTexts('profile', this.profiles.rests, tail)
    own.profiles = new Profiles(this.identities, rests)
    own.evidence = new TailedEvidence(snapshot, tail, cache)
    const handles = tableOf(snapshot, 'handle')
    own.summaryRows = new TailedRows(this.summaryRows.numbers, tail)
    const { identities, platforms, summaryRows } = this
    own.batch = new TailedBatch(tail, snapshot, identities, handles, platforms, summaryRows)
  }

  override findSdu(sdu: string): number {
    const ordinal = super.findSdu(sdu)
    return ordinal >= 0 ? ordinal : (this.#tail.numbersOf(nameOfSdu(sdu))[0] ?? -1)
  }

  override findSdus(sdus: readonly string[]): number[] {
    this.#tail.wantNames(sdus.filter((sdu) => super.findSdu(sdu) < 0).map(nameOfSdu))
    return super.findSdus(sdus)
  }

  override ownersOf(query: HandleQuery, into?: number[]): number[] {
    const handle = this.handleOf(query)
    const owners = this.ownersOfHandle(handle, query, into)
    // A head has all nodes of its handles, those behind it under other numbers.
    if (this.isOfPeopleOnly(handle)) return owners
    const numbers = this.#tail.numbersOf(nameOfHandle(query.key))
    return numbers.length === 0
      ? owners
      : [...owners, ...ownersIn(numbers, this.platforms, query.platform)]
  }

  override wantOwners(handles: readonly SentQuery[]): void {
    this.#tail.wantNames(handles.map(({ query }) => nameOfHandle(query.key)))
  }

  override wantRanks(ordinals: readonly number[]): void {
    this.#tail.wantPeople(ordinals)
  }

  override scoreOf(ordinal: number): number {
    return ordinal < this.#tail.facts.head
      ? super.scoreOf(ordinal)
      : this.#tail.summaryAt(ordinal).score
  }

  override peersOf(query: HandleQuery): PeerList {
    const ordinals = this.#tail.numbersOf(nameOfPeers(query.key, query.platform))
    return ordinals.length === 0 ? super.peersOf(query) : ordinals
  }

  override wantPeers(handles: readonly SentQuery[]): void {
    const names = handles.map(({ query: { key, platform } }) => nameOfPeers(key, platform))
    this.#tail.wantNames(names)
  }
}

/** Look-ups of many values at once, in the head and in its tail. */
class TailedBatch extends CatalogBatch {
  readonly #tail: TailReader
  readonly #platformKeys: readonly string[]

  constructor(tail: TailReader, ...parts: ConstructorParameters<typeof CatalogBatch>) {
    super(...parts)
    this.#tail = tail
    this.#platformKeys = parts[3]
  }

  override ownersOf(handles: HandleKeys): OwnerLists {
    const names = namesIn(handles)
    this.#tail.wantNames(names)
    const behind = names.map((name) => this.#tail.numbersOf(name))
    const { ends, ordinals } = super.ownersOf(handles)
    if (behind.every(({ length }) => length === 0)) return { ends, ordinals }
    const all: number[] = []
    const allEnds = behind.map((numbers, index) => {
      for (let at = ends[index - 1] ?? 0; at < ends[index]!; at += 1) all.push(ordinals[at]!)
      all.push(...ownersIn(numbers, this.#platformKeys, handles.platforms[index]))
      return all.length
    })
    return { ends: Uint32Array.from(allEnds), ordinals: Uint32Array.from(all) }
  }
}

/** The names of some handles. */
function namesIn({ bytes, ends, count }: HandleKeys): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: count }, (_, index) =>
    nameOfHandle(text.toString('utf8', index === 0 ? 0 : ends[index - 1]!, ends[index])),
  )
}

/** The owners among the numbers of a handle, each once: on one platform, or on all of them. */
function ownersIn(
  numbers: readonly number[],
  platforms: readonly string[],
  platform: string | undefined,
): number[] {
  const owners = new Set<number>()
  for (let at = 0; at < numbers.length; at += 2) {
    if (platform === undefined || platforms[numbers[at + 1]!] === platform) owners.add(numbers[at]!)
  }
  return [...owners]
}

/** Opens catalogs of heads together with their tails. @param facts of the tail of the head that is opened. */
export function tailedBy(fetcher: BlockFetcher, facts: TailFacts): NewCatalog {
  return (...from) => {
    const [{ header, sections }] = from
    const tail = new TailReader(header.id, facts, fetcher, sections['head.names-behind']!)
    return new TailedCatalog(tail, ...from)
  }
}
