/**
 * People of an earlier sync, taken again into a collector: everything that reading their records would add, in the
 * same order, or nothing. One who would be the first to name a topic, a country, an attribute or a source, or whose
 * topics have another label by now, is not taken: what depends on other records is made of the record itself.
 */
import { DigestTable } from '../../memory/known/digests.ts'
import { Renumbered } from '../../memory/known/renumbered.ts'
import { chunkBytes } from '../../memory/record-texts.ts'
import type { Texts } from '../../memory/text-table.ts'
import type { KnownClaims } from '../claims.ts'
import type { Collector } from '../collector.ts'
import type { ListView } from '../posting-sections.ts'
import {
  bytesIn,
  digestColumn,
  doublesIn,
  internersOf,
  itemChunkName,
  type KeptColumns,
  listsIn,
  looksColumn,
  numbersIn,
  textsIn,
} from './columns.ts'

type RenumberedTexts = Readonly<Record<keyof ReturnType<typeof internersOf>, Renumbered>>

export class KeptPeople {
  readonly #collector: Collector
  readonly #digests: DigestTable
  readonly #renumbered: RenumberedTexts
  readonly #looks: Uint32Array
  readonly #sdus: Texts
  readonly #topics: ListView
  readonly #topicLabels: readonly string[]
  readonly #topicWeights: Float64Array
  readonly #attributes: ListView
  readonly #claims: KnownClaims
  readonly #countryOf: Uint32Array
  readonly #followers: Float64Array
  readonly #scores: Uint32Array
  readonly #provenanceOf: Uint32Array
  readonly #sourceOf: Uint32Array
  readonly #vetted: Uint8Array
  readonly #items: { readonly starts: Float64Array; readonly ends: Uint32Array }
  readonly #chunks: readonly Uint8Array[]
  /** By number of an earlier topic 1 when it was found here under the same label, which it then keeps. */
  readonly #isTopicKnown: Uint8Array
  /** Topics and attributes here of the person who is being taken. */
  readonly #ownTopics: number[] = []
  readonly #ownAttributes: number[] = []

  /** @param columns as `peopleColumns` and the digests have them. O(people). */
  constructor(columns: KeptColumns, collector: Collector) {
    const numbers = (name: string) => numbersIn(columns, name)
    const interners = Object.entries(internersOf(collector))
    this.#collector = collector
    this.#digests = new DigestTable(numbers(digestColumn))
    this.#renumbered = Object.fromEntries(
      interners.map(([name, interner]) => [name, new Renumbered(textsIn(columns, name), interner)]),
    ) as unknown as RenumberedTexts
    this.#looks = numbers(looksColumn)
    this.#sdus = textsIn(columns, 'sdu')
    this.#topics = listsIn(columns, 'topics')
    this.#topicLabels = JSON.parse(Buffer.from(bytesIn(columns, 'topic-labels')).toString())
    this.#topicWeights = doublesIn(columns, 'topic-weights')
    this.#attributes = listsIn(columns, 'attributes')
    this.#claims = claimsIn(columns, this.#renumbered)
    this.#countryOf = numbers('country-of')
    this.#followers = doublesIn(columns, 'followers')
    this.#scores = numbers('scores')
    this.#provenanceOf = numbers('provenance-of')
    this.#sourceOf = numbers('source-of')
    this.#vetted = bytesIn(columns, 'vetted')
    this.#items = { starts: doublesIn(columns, 'item-starts'), ends: numbers('item-ends') }
    this.#chunks = chunksIn(columns)
    this.#isTopicKnown = new Uint8Array(this.#topicLabels.length)
  }

  /** The person whose record has a digest, or -1. */
  find(digest: string): number {
    return this.#digests.find(digest)
  }

  /** The looks of the name of a person, as they were kept. */
  looksOf(person: number): number {
    return this.#looks[person]!
  }

  /** SDU and name of a person. */
  identityOf(person: number): { readonly sdu: string; readonly name: string } {
    const { chunk, start } = this.#itemOf(person)
    // The identity is the first of the parts of an item, without its last brace.
    const end = start + this.#items.ends[person * this.#parts]!
    return JSON.parse(`${Buffer.from(chunk.subarray(start, end)).toString()}}`)
  }

  /** Takes a person; false where the record has to be read, and then nothing was added. */
  take(person: number, position: string): boolean {
    const { sdus, authoritySources, vetted, keywords, claims } = this.#collector
    const country = this.#renumbered.country.find(this.#countryOf[person]!)
    const source = this.#sourceNumber(this.#sourceOf[person]!)
    if (country < 0 || source < 0 || !this.#findLists(person)) return false
    const [start, end] = [this.#renumbered.sdu.startOf(person), this.#renumbered.sdu.endOf(person)]
    if (this.#collector.isUnverified(this.#sdus.text, start, end)) return false
    const authority = sdus.length
    // An SDU that was met adds nothing.
    if (sdus.internBytes(this.#sdus.text, start, end) < authority) return false
    claims.claimAgain(authority, person, this.#claims, position)
    this.#takeTopics(person)
    this.#takeFacts(person, country)
    this.#collector.attributes.addKnown(this.#ownAttributes)
    authoritySources.push(source)
    vetted?.push(this.#vetted[person]!)
    keywords.addAgain(person)
    return true
  }

  get #parts(): number {
    return this.#items.ends.length / this.#items.starts.length
  }

  /** The number of a source here, or -1 if it has none yet. It is counted from 1; 0 is none. */
  #sourceNumber(earlier: number): number {
    return earlier === 0 ? 0 : this.#renumbered.source.find(earlier - 1) + 1 || -1
  }

  /** Finds the topics and attributes of a person; false where one of them has no number yet. */
  #findLists(person: number): boolean {
    const [topics, attributes] = [this.#topics, this.#attributes]
    this.#ownTopics.length = 0
    for (let at = topics.starts[person]!; at < topics.starts[person + 1]!; at += 1) {
      const topic = this.#topicOf(topics.values[at]!)
      if (topic < 0) return false
      this.#ownTopics.push(topic)
    }
    this.#ownAttributes.length = 0
    for (let at = attributes.starts[person]!; at < attributes.starts[person + 1]!; at += 1) {
      const attribute = this.#renumbered['attribute-key'].find(attributes.values[at]!)
      if (attribute < 0) return false
      this.#ownAttributes.push(attribute)
    }
    return true
  }

  /** The number of a topic here, or -1 if it has none yet, or another label. */
  #topicOf(earlier: number): number {
    const topic = this.#renumbered['topic-key'].find(earlier)
    if (topic < 0 || this.#isTopicKnown[earlier] === 1) return topic
    if (this.#collector.topicLabels[topic] !== this.#topicLabels[earlier]) return -1
    this.#isTopicKnown[earlier] = 1
    return topic
  }

  #takeTopics(person: number): void {
    const { topicLists, topicWeights } = this.#collector
    let at = this.#topics.starts[person]!
    for (const topic of this.#ownTopics) {
      topicLists.values.push(topic)
      topicWeights.push(this.#topicWeights[at]!)
      at += 1
    }
    topicLists.end()
  }

  #takeFacts(person: number, country: number): void {
    const { authorityCountries, followers, scores, items, authorityProvenances } = this.#collector
    const { chunk, start } = this.#itemOf(person)
    authorityCountries.push(country)
    followers.push(this.#followers[person]!)
    scores.push(this.#scores[person]!)
    items.pushBytes(chunk, start, this.#items.ends, person * this.#parts)
    const from = this.#provenanceOf[person]!
    authorityProvenances.push(from === 0 ? 0 : this.#renumbered.provenance.intern(from - 1) + 1)
  }

  #itemOf(person: number): { readonly chunk: Uint8Array; readonly start: number } {
    const place = this.#items.starts[person]!
    const start = place % chunkBytes
    return { chunk: this.#chunks[(place - start) / chunkBytes]!, start }
  }
}

function chunksIn(columns: KeptColumns): Uint8Array[] {
  const chunks: Uint8Array[] = []
  while (columns.has(itemChunkName(chunks.length))) {
    chunks.push(bytesIn(columns, itemChunkName(chunks.length)))
  }
  return chunks
}

/** The claims in columns; parts get a number here when a claim is new. */
function claimsIn(columns: KeptColumns, renumbered: RenumberedTexts): KnownClaims {
  const platforms = numbersIn(columns, 'claim-platforms')
  const handles = numbersIn(columns, 'claim-handles')
  const fields = numbersIn(columns, 'claim-fields')
  return {
    lists: listsIn(columns, 'claims'),
    ends: textsIn(columns, 'claim-end'),
    platformOf: (claim) => renumbered.platform.intern(platforms[claim]!),
    handleOf: (claim) => renumbered.handle.intern(handles[claim]!),
    fieldOf: (claim) => renumbered['claim-field'].intern(fields[claim]!),
  }
}
