/**
 * The owners of handles as objects, made straight from the texts of the snapshot: a match is the call that is made
 * most, and writing its JSON only to parse it takes three times as long. Invariant: the objects that the JSON of
 * `renderMatch` gives.
 */
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import { eachOwner, isOfOne, type MatchQuery, type MatchResult } from '../api/operations/match.ts'
import type { Schemas } from '../client/contract.ts'
import { BoundedCache } from '../engine/bounded-cache.ts'
import type { Catalog } from '../engine/catalog.ts'
import type { MemberTexts } from '../engine/member-texts.ts'

/** An identity without escapes. Nearly all are such. */
const plainIdentity = /^\{"sdu":"([^"\\]*)","name":"([^"\\]*)"$/
/** The same in ASCII: most are, and reading them so takes half as long. */
const asciiIdentity = new RegExp(plainIdentity.source.replaceAll('[^"\\\\]', '[^"\\\\\\x80-\\xff]'))

/** Countries, and labels of topics, that are kept as texts. */
const textsMax = 2_048

export class OwnerObjects {
  /** Pages of identities as Buffers, which read short texts fastest. */
  readonly #pages = new WeakMap<Uint8Array, Buffer>()
  /** The page that was read last: nearly always that of the next. */
  #lastText: Uint8Array | undefined
  #lastPage: Buffer = Buffer.alloc(0)
  /** Countries and labels of topics by their numbers, of the snapshot of these members: a catalog would hold more memory. */
  #members: MemberTexts | undefined
  #countries = new BoundedCache<number, string>(textsMax)
  #topics = new BoundedCache<number, string>(textsMax)

  /** The items of an answer; undefined if the request chooses fields or explanations. */
  itemsOf(
    { catalog }: ActiveSnapshot,
    query: MatchQuery,
    result: MatchResult,
  ): (Schemas['Match'] | null)[] | undefined {
    if (query.fields !== undefined || query.explain === true) return undefined
    const items: (Schemas['Match'] | null)[] = []
    if (isOfOne(result)) {
      for (const ordinal of result) items.push(this.#ownerOf(catalog, ordinal))
      return items
    }
    catalog.fetchSummaries(result.ordinals)
    eachOwner(query, result, (ordinal, handle) => {
      items.push(ordinal === undefined ? null : this.#ownerOf(catalog, ordinal, handle))
    })
    return items
  }

  #ownerOf(catalog: Catalog, ordinal: number, handle?: string) {
    if (catalog.topicMembers !== this.#members) this.#begin(catalog)
    const page = this.#pageOf(catalog.identities.pageOf(ordinal).text)
    const [start, end] = [catalog.identityStart(ordinal), catalog.identityEnd(ordinal)]
    const parts =
      asciiIdentity.exec(page.toString('latin1', start, end)) ??
      plainIdentity.exec(page.toString('utf8', start, end)) ??
      parsedIdentity(page.toString('utf8', start, end))
    const country = catalog.countryNumberOf(ordinal)
    const topic = catalog.coreTopicOf(ordinal)
    const owner: Schemas['Match'] = {
      sdu: parts[1]!,
      name: parts[2]!,
      rank: catalog.coreRankOf(ordinal),
      country_name: this.#countries.get(country, () => catalog.countryOf(country)),
      topic: this.#topics.get(topic, () => catalog.labelOf(topic)),
    }
    if (handle !== undefined) owner.handle = handle
    return owner
  }

  #begin(catalog: Catalog): void {
    this.#members = catalog.topicMembers
    this.#countries = new BoundedCache(textsMax)
    this.#topics = new BoundedCache(textsMax)
  }

  #pageOf(text: Uint8Array): Buffer {
    if (text === this.#lastText) return this.#lastPage
    let page = this.#pages.get(text)
    if (page === undefined) {
      page = Buffer.from(text.buffer, text.byteOffset, text.byteLength)
      this.#pages.set(text, page)
    }
    this.#lastText = text
    this.#lastPage = page
    return page
  }
}

/** The same parts of an identity with escapes. */
function parsedIdentity(json: string): readonly string[] {
  const { sdu, name } = JSON.parse(`${json}}`)
  return [json, sdu, name]
}
