/**
 * People of an earlier sync, taken again into a collector: everything that reading their records would add, in the
 * same order, or nothing. One who would be the first to name a topic, a country, an attribute or a source, or whose
 * topics have another label by now, is not taken: what depends on other records is made of the record itself.
 */
import { DigestTable } from '../../memory/known/digests.ts'
import { Renumbered } from '../../memory/known/renumbered.ts'
import { chunkBytes } from '../../memory/record-texts.ts'
import type { Texts } from '../../memory/text-table.ts'
import type { KnownClaim } from '../claims.ts'
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

/** The numbers of a person that are others in each sync. */
interface Numbers {
  readonly country: number
  readonly source: number
  readonly topics: readonly number[]
  readonly attributes: number[]
}

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
  readonly #claims: ListView
  readonly #claimEnds: Texts
  readonly #claimPlatforms: Uint32Array
  readonly #claimHandles: Uint32Array
  readonly #claimFields: Uint32Array
  readonly #countryOf: Uint32Array
  readonly #followers: Float64Array
  readonly #scores: Uint32Array
  readonly #provenanceOf: Uint32Array
  readonly #sourceOf: Uint32Array
  readonly #vetted: Uint8Array
  readonly #items: { readonly starts: Float64Array; readonly ends: Uint32Array }
  readonly #chunks: readonly Uint8Array[]

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
    this.#claims = listsIn(columns, 'claims')
    this.#claimEnds = textsIn(columns, 'claim-end')
    this.#claimPlatforms = numbers('claim-platforms')
    this.#claimHandles = numbers('claim-handles')
    this.#claimFields = numbers('claim-fields')
    this.#countryOf = numbers('country-of')
    this.#followers = doublesIn(columns, 'followers')
    this.#scores = numbers('scores')
    this.#provenanceOf = numbers('provenance-of')
    this.#sourceOf = numbers('source-of')
    this.#vetted = bytesIn(columns, 'vetted')
    this.#items = { starts: doublesIn(columns, 'item-starts'), ends: numbers('item-ends') }
    this.#chunks = chunksIn(columns)
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
    const { sdus, authoritySources, vetted, keywords } = this.#collector
    const numbers = this.#numbersOf(person)
    if (numbers === undefined) return false
    const [start, end] = this.#renumbered.sdu.placeOf(person)
    const authority = sdus.internBytes(this.#sdus.text, start, end)
    this.#collector.claims.claimAgain(authority, this.#claimsOf(person), position)
    this.#takeTopics(person, numbers.topics)
    this.#takeFacts(person, numbers.country)
    this.#collector.attributes.addKnown(numbers.attributes)
    authoritySources.push(numbers.source)
    vetted?.push(this.#vetted[person]!)
    keywords.addAgain(person)
    return true
  }

  get #parts(): number {
    return this.#items.ends.length / this.#items.starts.length
  }

  /** Undefined where one of them cannot be known before the record is read. */
  #numbersOf(person: number): Numbers | undefined {
    const { country: countries, source: sources } = this.#renumbered
    const [start, end] = this.#renumbered.sdu.placeOf(person)
    if (this.#collector.hasMet(this.#sdus.text, start, end)) return undefined
    const country = countries.find(this.#countryOf[person]!)
    // A source is counted from 1; 0 is none.
    const said = this.#sourceOf[person]!
    const source = said === 0 ? 0 : sources.find(said - 1) + 1
    if (country < 0 || (said > 0 && source === 0)) return undefined
    const topics = listOf(this.#topics, person, (topic) => this.#topicOf(topic))
    const attributes = listOf(this.#attributes, person, (each) =>
      this.#renumbered['attribute-key'].find(each),
    )
    return topics && attributes && { country, source, topics, attributes }
  }

  /** The number of a topic here, or -1 if it has none yet, or another label. */
  #topicOf(earlier: number): number {
    const topic = this.#renumbered['topic-key'].find(earlier)
    const isSame = this.#collector.topicLabels[topic] === this.#topicLabels[earlier]
    return isSame ? topic : -1
  }

  #claimsOf(person: number): KnownClaim[] {
    const { platform, handle, 'claim-field': field, 'claim-end': ends } = this.#renumbered
    const { text } = this.#claimEnds
    const claims: KnownClaim[] = []
    const last = this.#claims.starts[person + 1]!
    for (let at = this.#claims.starts[person]!; at < last; at += 1) {
      const claim = this.#claims.values[at]!
      const [start, end] = ends.placeOf(claim)
      claims.push({
        ...{ text, start, end },
        platform: platform.intern(this.#claimPlatforms[claim]!),
        handle: handle.intern(this.#claimHandles[claim]!),
        field: field.intern(this.#claimFields[claim]!),
      })
    }
    return claims
  }

  #takeTopics(person: number, topics: readonly number[]): void {
    const { topicLists, topicWeights } = this.#collector
    const first = this.#topics.starts[person]!
    topics.forEach((topic, index) => {
      topicLists.values.push(topic)
      topicWeights.push(this.#topicWeights[first + index]!)
    })
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

/** The numbers of a list here; undefined where one of them is unknown. */
function listOf(
  { starts, values }: ListView,
  list: number,
  numberOf: (earlier: number) => number,
): number[] | undefined {
  const numbers: number[] = []
  for (let at = starts[list]!; at < starts[list + 1]!; at += 1) {
    const number = numberOf(values[at]!)
    if (number < 0) return undefined
    numbers.push(number)
  }
  return numbers
}
