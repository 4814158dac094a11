/**
 * Records in, columns out: takes the records of a source one by one, says which cannot be taken,
 * and keeps the rest in flat memory. Order matters: all authorities first, then topics, then
 * connections, because a connection may name a handle that has an owner.
 *
 * Until ranks are known an authority is numbered by arrival; a node is such a number or, from
 * `authorities` on, a handle without an owner.
 */

import { kindNumberOf } from '../connection-kinds.ts'
import { float64Column, Lists, uint8Column, uint32Column } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import { RecordTexts, type Spilling } from '../memory/record-texts.ts'
import type { Values } from '../settings.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from '../source/schema.ts'
import type { ConnectionBatch } from '../source/source.ts'
import { topicKey } from '../text/analyzer.ts'
import { factsOf } from '../text/speech/biography.ts'
import { Attributes } from './attributes.ts'
import { Claims, type OwnerBefore, type RecordOrigin, readClaims } from './claims.ts'
import {
  type ItemFacts,
  identity,
  profileHead,
  profileTail,
  provenance,
  provenanceWithout,
  withoutSocial,
} from './items.ts'
import { type KeywordIndexer, Keywords } from './keywords.ts'
import { backersOf, TopicNames } from './topic-names.ts'

export interface Complaint {
  readonly field: string
  readonly reason: string
  /** True of an end that no record has: the connection is in order, and so was its end once. */
  readonly isDangling?: true
  /** True of what belongs to a removed person: it is reported without the record. */
  readonly isReturn?: true
  /** True of a field that a record was taken without. */
  readonly isLeftOut?: true
}

interface LateComplaint extends Complaint {
  readonly position: string
}

const unknownOrigin: RecordOrigin = { position: '', isCorrected: () => false }

/** Between the texts that the items of a person are made of: identity, head and tail of the profile. JSON has none in it. */
export const partEnd = '\n'

/** In `scores`: the record carries no score of its own. */
export const noScore = 0xffff_ffff

type Beliefs = Values<'trust' | 'vetted' | 'sourceShareMax'>

const usualBeliefs: Beliefs = { trust: [], vetted: [], sourceShareMax: 1 }

/** In nodes, each connection once, in the order of the source. */
class ConnectionColumns {
  readonly from = uint32Column()
  readonly to = uint32Column()
  readonly weights = float64Column()
  readonly kinds = uint8Column()
  /** The number of the source of each; empty where a source may give anything. */
  readonly sources = uint32Column()

  push(from: number, to: number, weight: number, kind: number, source: number | undefined): void {
    this.from.push(from)
    this.to.push(to)
    this.weights.push(weight)
    this.kinds.push(kind)
    if (source !== undefined) this.sources.push(source)
  }

  clear(): void {
    for (const column of [this.from, this.to, this.weights, this.kinds, this.sources])
      column.clear()
  }
}

export class Collector {
  /** Authorities by arrival. */
  readonly sdus = new Interner()
  readonly countries = new Interner()
  readonly authorityCountries = uint32Column()
  readonly followers = float64Column()
  /** Hundredths, or `noScore`. */
  readonly scores = uint32Column()
  /** Three texts each, with `partEnd` between them. */
  readonly items: RecordTexts
  /** Of all first texts together. */
  identityBytes = 0
  /** Distinct provenances of records, and the number of each record's provenance, counted from 1; 0 is none. */
  readonly provenances = new Interner()
  readonly authorityProvenances = uint32Column()

  /** Topics by their key; `topicLists` holds those of each authority, core first. */
  readonly topicKeys = new Interner()
  readonly topicLabels: string[] = []
  readonly topicLists = new Lists()
  readonly topicWeights = float64Column()
  readonly topicNames = new TopicNames(this.topicKeys, () =>
    backersOf(this.topicKeys.length, this.topicLists, this.authoritySources.view()),
  )

  readonly claims = new Claims()

  readonly connections = new ConnectionColumns()

  /** The sources that records and connections name, from 1 on; 0 is that of those that name none. */
  readonly sources = new Interner()
  readonly authoritySources = uint32Column()

  readonly attributes = new Attributes()

  readonly keywords: KeywordIndexer

  readonly beliefs: Beliefs
  /** 1 for each authority who is vetted; undefined where nothing says who is. */
  readonly vetted: ReturnType<typeof uint8Column> | undefined

  readonly #unverified = new Interner()
  readonly #vettedWays: ReadonlySet<string>
  readonly #isLeftOut: (end: string) => boolean
  /** The nodes of the SDUs that connections name, by the numbers that they have in batches. */
  readonly #ends = uint32Column()
  #nodes = 0

  /** @param isLeftOut whether the connections of an end that no record has are left out. */
  constructor(
    keywords: KeywordIndexer = new Keywords(),
    isLeftOut: (end: string) => boolean = () => false,
    spilling?: Spilling,
    beliefs: Beliefs = usualBeliefs,
  ) {
    this.keywords = keywords
    this.items = new RecordTexts(spilling)
    this.#isLeftOut = isLeftOut
    this.beliefs = beliefs
    this.#vettedWays = new Set(beliefs.vetted)
    this.vetted = beliefs.vetted.length > 0 ? uint8Column() : undefined
  }

  get authorities(): number {
    return this.sdus.length
  }

  /** Nodes known so far; the ones above `authorities` are handles without an owner. */
  get nodes(): number {
    return Math.max(this.#nodes, this.authorities)
  }

  /**
   * A complaint about `sdu` or `topics` means that it was not taken, one about a social or an
   * identifier that it was taken without that. An unverified one is left out without complaint.
   */
  addAuthority(record: AuthorityRecord, origin = unknownOrigin): Complaint[] {
    if (this.sdus.find(record.sdu) >= 0 || this.#unverified.find(record.sdu) >= 0) {
      return [{ field: 'sdu', reason: 'was taken by an earlier record' }]
    }
    const blank = record.topics.findIndex(({ topic }) => topicKey(topic) === '')
    if (blank >= 0) return [{ field: `topics.${blank}`, reason: 'has no letters or digits' }]
    if (!record.verified) {
      this.#unverified.intern(record.sdu)
      return []
    }
    // What reads texts comes before the first column grows: a record at which it throws leaves no trace.
    const read = readClaims(record)
    const told = factsOf(record.bio)
    const authority = this.sdus.intern(record.sdu)
    const { socials, complaints } = this.claims.claimAll(authority, read, origin)
    this.#addFacts({ ...record, topics: this.#addTopics(record.topics), socials })
    this.attributes.add(record.attributes, told)
    this.authoritySources.push(this.#sourceOf(record.source ?? undefined))
    this.vetted?.push(Number(this.#vettedWays.has(record.proof?.by ?? '')))
    const names = [record.name, ...record.alsoKnownAs].join('\n')
    // A name that imitates another is found as other words are: behind the people of that name.
    if (origin.isImitation === true) this.keywords.add('', `${names}\n${record.bio}`)
    else this.keywords.add(names, record.bio)
    return complaints
  }

  #addFacts(facts: ItemFacts): void {
    const { countryName, socials, authorityScore } = facts
    this.authorityCountries.push(this.countries.intern(countryName))
    this.followers.push(socials.reduce((sum, { followers }) => sum + followers, 0))
    this.scores.push(authorityScore === undefined ? noScore : Math.round(authorityScore * 100))
    const first = identity(facts)
    this.identityBytes += Buffer.byteLength(first)
    this.items.push([first, profileHead(facts), profileTail(facts)].join(partEnd))
    const from = provenance(facts)
    this.authorityProvenances.push(from === '' ? 0 : this.provenances.intern(from) + 1)
  }

  /** Returns labels, core first. Weights are scaled to 1 at most unless they are trusted. */
  #addTopics(topics: AuthorityRecord['topics']): string[] {
    const taken = new Map<number, number>()
    topics.forEach(({ topic: label, weight }, position) => {
      const topic = this.topicKeys.intern(topicKey(label))
      // The spelling seen first is the topic's label. Copied, because the record's text may be a
      // slice that keeps the whole chunk of the file it was read from.
      if (topic === this.topicLabels.length) this.topicLabels.push(Buffer.from(label).toString())
      if (!taken.has(topic)) taken.set(topic, weight ?? 1 / (1 + position))
    })
    const scale = this.beliefs.trust.includes('weights') ? 1 : Math.max(1, ...taken.values())
    for (const [topic, weight] of taken) {
      this.topicLists.values.push(topic)
      this.topicWeights.push(weight / scale)
    }
    this.topicLists.end()
    return [...taken.keys()].map((topic) => this.topicLabels[topic]!)
  }

  /** Decides as `Claims.settle` does, after the last authority; complains about all who lose. */
  settleClaims(ownerBefore: OwnerBefore = () => undefined): LateComplaint[] {
    const contests = this.claims.settle(ownerBefore, () => this.#newNode())
    return contests.flatMap(({ end, claimants, winner }) => {
      const places = placesOf(claimants)
      const keeper = claimants.find(({ authority }) => authority === winner)
      const verdict =
        keeper === undefined
          ? 'nobody has it until a correction decides'
          : `${keeper.position} has it`
      return claimants
        .filter(({ authority }) => authority !== winner)
        .map(({ authority, field, position }) => {
          if (field.startsWith('socials.')) this.#takeSocial(authority, field.slice(8))
          return { position, field, reason: `${end} is claimed by ${places}; ${verdict}` }
        })
    })
  }

  #takeSocial(authority: number, platform: string): void {
    const [first, before = '', tail] = Buffer.from(this.items.bytesOf(authority))
      .toString()
      .split(partEnd)
    const { head, followers } = withoutSocial(before, platform)
    this.followers.view()[authority]! -= followers
    this.items.replace(authority, [first, head, tail].join(partEnd))
    const from = this.authorityProvenances.view()[authority]!
    if (from === 0) return
    const others = provenanceWithout(this.provenances.textAt(from - 1), platform)
    this.authorityProvenances.view()[authority] = this.provenances.intern(others) + 1
  }

  addTopic(record: TopicRecord): Complaint[] {
    return this.topicNames.add(record)
  }

  /** `onReject` gets the number of each that is none or cannot be taken, in order. */
  addConnections(batch: ConnectionBatch, onReject: (number: number) => void): void {
    const { text, starts } = batch.sdus
    for (let entry = 0; entry + 1 < starts.length; entry += 1) {
      this.#ends.push(this.#findSdu(text, starts[entry]!, starts[entry + 1]!))
    }
    const nodes = this.#ends.view()
    const addPlain = (first: number, end: number): void => {
      for (let at = first; at < end; at += 1) {
        const source = nodes[batch.from[at]!]!
        const target = nodes[batch.to[at]!]!
        if (source === leftOut || target === leftOut) continue
        if (source === unknown || target === unknown) onReject(batch.numbers[at]!)
        else if (source !== target) {
          this.#push(source, target, batch.weights[at]!, batch.kinds[at]!)
        }
      }
    }
    let next = 0
    for (const { place, number, record } of batch.others) {
      addPlain(next, place)
      next = place
      if (record === undefined || this.addConnection(record).length > 0) onReject(number)
    }
    addPlain(next, batch.from.length)
  }

  /** One with two equal ends, or an end that is unverified or left out, is dropped silently. */
  addConnection(connection: ConnectionRecord): Complaint[] {
    const { from, to, weight, kind, source: origin } = connection
    const source = this.#find(from)
    const target = this.#find(to)
    if (source === leftOut || target === leftOut) return []
    if (source === unknown) return [unknownEnd('from', connection)]
    if (target === unknown) return [unknownEnd('to', connection)]
    const isSame = source === unclaimed ? from === to : true
    if (source === target && isSame) return []
    // Only now, because a connection that is left out must leave no node behind.
    this.#push(
      source === unclaimed ? this.#addHandle(from) : source,
      target === unclaimed ? this.#addHandle(to) : target,
      weight,
      kindNumberOf(kind),
      origin,
    )
    return []
  }

  isOwned(end: string): boolean {
    const node = this.claims.nodeOf(end)
    return node >= 0 && node < this.authorities
  }

  connectionComplaints(connection: ConnectionRecord): Complaint[] {
    const field = (['from', 'to'] as const).find((end) => this.#find(connection[end]) === unknown)
    return field === undefined ? [] : [unknownEnd(field, connection)]
  }

  /** Gives back what only further records need; none can be added any more. */
  end(): void {
    this.settleClaims()
    this.claims.end()
    this.#unverified.release()
    this.#ends.clear()
  }

  #push(source: number, target: number, weight: number, kind: number, origin?: string): void {
    this.connections.push(source, target, weight, kind, this.#originOf(source, origin))
  }

  /** The number of the source that a connection is from; undefined where a source may give anything. */
  #originOf(source: number, origin: string | undefined): number | undefined {
    if (this.beliefs.sourceShareMax === 1) return undefined
    if (origin !== undefined) return this.#sourceOf(origin)
    return source < this.authorities ? this.authoritySources.at(source) : 0
  }

  #sourceOf(name: string | undefined): number {
    return name === undefined ? 0 : this.sources.intern(name) + 1
  }

  #find(end: string): number {
    if (end.includes(':')) {
      const node = this.claims.nodeOf(end)
      if (node >= 0) return node
      return this.#isLeftOut(end) ? leftOut : unclaimed
    }
    const sdu = Buffer.from(end)
    return this.#findSdu(sdu, 0, sdu.length)
  }

  #findSdu(bytes: Uint8Array, start: number, end: number): number {
    const authority = this.sdus.findBytes(bytes, start, end)
    if (authority >= 0) return authority
    if (this.#unverified.findBytes(bytes, start, end) >= 0) return leftOut
    return this.#isLeftOut(Buffer.from(bytes.subarray(start, end)).toString()) ? leftOut : unknown
  }

  #addHandle(end: string): number {
    const node = this.#newNode()
    const colon = end.indexOf(':')
    this.claims.addUnowned(end.slice(0, colon), end.slice(colon + 1), node)
    return node
  }

  #newNode(): number {
    const node = this.nodes
    this.#nodes = node + 1
    return node
  }
}

/** A claim of more records names the first of them: else each of n complaints would name n. */
const placesMax = 10

function placesOf(claimants: readonly { readonly position: string }[]): string {
  const named = claimants.slice(0, placesMax).map(({ position }) => position)
  const more = claimants.length - named.length
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(' and ')
}

function unknownEnd(field: 'from' | 'to', connection: ConnectionRecord): Complaint {
  const reason = `no authority has the SDU ${connection[field]}`
  return { field, reason, isDangling: true }
}

/** Why an end has no node: numbers that no node has. */
const unknown = 0xffff_ffff
const leftOut = 0xffff_fffe
const unclaimed = 0xffff_fffd
