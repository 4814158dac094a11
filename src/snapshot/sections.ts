/**
 * The sections of a snapshot: the one list of them with their element types, and how they refer to each other. The
 * build makes them, the file carries them, `verify.ts` checks what is declared here, and the catalog views them.
 *
 * An ordinal numbers an authority by descending authority score, so every ascending list of
 * ordinals is ranked. A node is an authority (its ordinal) or, from `authorities` on, a handle
 * without an owner. A `…starts` section holds where each list of values, or each entry of a text, begins; it has one
 * more element, the length of the values.
 *
 * Texts of everybody are cut into pages, because all of them together may be longer than a section can
 * be: the section of the plain name holds those of the first ordinals, `/1`, `/2` and so on those of the
 * next. Starts are counted from where the page begins, and each page has its own last one.
 */
import type { SmallCounts } from './small-counts.ts'

/** What `verify.ts` proves of a section by itself. */
export interface Declared {
  /** A reference is a number below a count, as wide as that takes. */
  readonly type: ElementType | 'reference'
  /** It has one element for each of something, or for each of another section. */
  readonly count?: CountName | DottedName
  /** It says where each of so many lists or texts begins. */
  readonly lists?: CountName
  /** It is cut into lists or texts by another section. */
  readonly cut?: DottedName
  /** Each number is smaller than a count. */
  readonly below?: CountName
  /** Each number is a count at most. */
  readonly upTo?: CountName
  /** Each list ascends strictly, and its numbers are smaller than a count. */
  readonly ascend?: CountName
  /** It finds the least of another section's numbers, as `leastLevels` does. */
  readonly levelsOf?: DottedName
}

type DottedName = `${string}.${string}`

/** The sections, in the order of the file. */
export const declarations = {
  // Authorities, by ordinal. Scores are in hundredths: 0 to 10,000.
  'authority.scores': { type: 'uint16', count: 'authorities' },
  'authority.core-topics': { type: 'reference', count: 'authorities', below: 'topics' },
  'authority.core-ranks': { type: 'uint32', count: 'authorities' },
  'authority.countries': { type: 'reference', count: 'authorities', below: 'countries' },
  // Of all verified handles together; 4,294,967,295 is that many or more.
  'authority.followers': { type: 'uint32', count: 'authorities' },
  'authority.topic-starts': { type: 'uint32', lists: 'authorities' },
  'authority.topics': { type: 'reference', cut: 'authority.topic-starts', below: 'topics' },
  // Provenance of each record as JSON, counted from 1; 0 for none; empty if no record states it.
  'authority.provenances': { type: 'uint32', upTo: 'provenances' },
  'provenance.text': { type: 'uint8', cut: 'provenance.starts' },
  'provenance.starts': { type: 'uint32', lists: 'provenances' },
  'country.text': { type: 'uint8', cut: 'country.starts' },
  'country.starts': { type: 'uint32', lists: 'countries' },
  // The first members of every item of a person, `{"sdu":"1","name":"A"`, found by the SDU
  // (`src/snapshot/people/identities.ts`).
  'identity.json': { type: 'uint8', cut: 'identity.starts' },
  'identity.starts': { type: 'uint32', lists: 'authorities' },
  'identity.slots': { type: 'uint32' },
  // Behind the rank of a summary: `,"country_name":"B"` of each country, `,"topic":"C"}` of each topic.
  'summary.countries': { type: 'uint8', cut: 'summary.country-starts' },
  'summary.country-starts': { type: 'uint32', lists: 'countries' },
  'summary.topics': { type: 'uint8', cut: 'summary.topic-starts' },
  'summary.topic-starts': { type: 'uint32', lists: 'topics' },
  // Profile items behind the identity: `,"bio":` and so on.
  'profile.json': { type: 'uint8' },
  'profile.starts': { type: 'uint32' },
  // Topics: members in rank order, and the JSON of the first summary items, `resultsMax` at most,
  // a comma between items.
  'topic.labels': { type: 'uint8', cut: 'topic.label-starts' },
  'topic.label-starts': { type: 'uint32', lists: 'topics' },
  'topic.member-starts': { type: 'uint32', lists: 'topics' },
  'topic.members': { type: 'uint32', cut: 'topic.member-starts', below: 'authorities' },
  // Share of each member in its topic, in parts of 2³²; the shares of a topic add up to one. Share of
  // each authority in all mass, likewise; 0 if the record gives the score.
  'topic.shares': { type: 'uint32', cut: 'topic.member-starts' },
  'authority.shares': { type: 'uint32', count: 'authorities' },
  // Evidence of every rank: ranks of `topic.members`, then ranks of the authorities among all. The part
  // of the share that is its own, the number of endorsers (split as `src/snapshot/small-counts.ts`
  // does), and the strongest endorsers, found by `src/snapshot/endorser-lists.ts`: nodes with
  // the share they give and the kind of the connection. For each topic, and for all authorities, the
  // sum of the own parts.
  'evidence.own-shares': { type: 'uint32', count: 'ranks' },
  'evidence.endorser-counts': { type: 'uint8', count: 'ranks', upTo: 'nodes' },
  'evidence.many-ranks': { type: 'uint32' },
  'evidence.many-counts': { type: 'uint32', upTo: 'nodes' },
  'evidence.starts': { type: 'uint32' },
  'evidence.endorsers': { type: 'uint32', below: 'nodes' },
  'evidence.endorser-shares': { type: 'uint32', count: 'evidence.endorsers' },
  'evidence.endorser-kinds': { type: 'uint8', count: 'evidence.endorsers', below: 'kinds' },
  'evidence.own-wholes': { type: 'uint32' },
  // Number of its strongest endorsers that each rank can lose before it falls by `fallSteps`: 0 if it never
  // falls so far, `lossesMax` for that many or more.
  'evidence.losses-to-fall-1': { type: 'uint8', count: 'ranks' },
  'evidence.losses-to-fall-10': { type: 'uint8', count: 'ranks' },
  'kind.text': { type: 'uint8', cut: 'kind.starts' },
  'kind.starts': { type: 'uint32', lists: 'kinds' },
  'topic.json': { type: 'uint8', cut: 'topic.json-starts' },
  'topic.item-starts': { type: 'uint32' },
  'topic.json-starts': { type: 'uint32' },
  // Keys of labels and aliases, as the analyzer spells them, each with its topic.
  'topic-key.text': { type: 'uint8', cut: 'topic-key.starts' },
  'topic-key.starts': { type: 'uint32', lists: 'topicKeys' },
  'topic-key.slots': { type: 'uint32' },
  'topic-key.topics': { type: 'uint32', count: 'topicKeys', below: 'topics' },
  // Handles by key; a handle has one node a platform it is used on, by ascending node, and one list
  // of peers. The first lists are those of the nodes, then come those of handles with several nodes, the shared ones.
  'platform.text': { type: 'uint8', cut: 'platform.starts' },
  'platform.starts': { type: 'uint32', lists: 'platforms' },
  // The platforms that a person has handles on, as the number of a set: each combination is stored once.
  'authority.platform-sets': { type: 'reference', count: 'authorities', below: 'platformSets' },
  'platform-set.starts': { type: 'uint32', lists: 'platformSets' },
  'platform-set.platforms': { type: 'uint32', cut: 'platform-set.starts', ascend: 'platforms' },
  // The attributes of a person (`party:Independent`) as the number of a set: each combination is stored once.
  'attribute.text': { type: 'uint8', cut: 'attribute.starts' },
  'attribute.starts': { type: 'uint32', lists: 'attributes' },
  'authority.attribute-sets': { type: 'reference', count: 'authorities', below: 'attributeSets' },
  'attribute-set.starts': { type: 'uint32', lists: 'attributeSets' },
  'attribute-set.attributes': { type: 'uint32', cut: 'attribute-set.starts', ascend: 'attributes' },
  'handle.text': { type: 'uint8', cut: 'handle.starts' },
  'handle.starts': { type: 'uint32', lists: 'handles' },
  'handle.slots': { type: 'uint32' },
  'handle.node-starts': { type: 'uint32', lists: 'handles' },
  'handle.nodes': { type: 'uint32', cut: 'handle.node-starts', below: 'nodes' },
  'handle.platforms': { type: 'reference', cut: 'handle.node-starts', below: 'platforms' },
  'handle.shared': { type: 'uint32' },
  // Position in `handle.nodes` of each node without an owner.
  'unowned.places': { type: 'uint32' },
  // Ordinals of peers, as `src/snapshot/gaps.ts` writes ascending lists.
  'peer.starts': { type: 'uint32', lists: 'peerLists' },
  'peer.gaps': { type: 'uint8', cut: 'peer.starts' },
  // Keywords: terms in the order of their bytes; for each the authorities whose name holds it, and
  // those whose name, topics (with aliases) or bio hold it, each with a row of a filter: bits, then
  // ranks.
  'term.text': { type: 'uint8', cut: 'term.starts' },
  'term.starts': { type: 'uint32', lists: 'terms' },
  'term.slots': { type: 'uint32' },
  'name.starts': { type: 'uint32', lists: 'terms' },
  'name.ordinals': { type: 'uint32', cut: 'name.starts', ascend: 'authorities' },
  'name.filter-starts': { type: 'uint32', lists: 'terms' },
  'name.filters': { type: 'uint32', cut: 'name.filter-starts' },
  // As `src/snapshot/packed-lists.ts` packs lists: `starts` counts all of them, wherever they stand.
  'word.starts': { type: 'uint32' },
  'word.places': { type: 'uint32', count: 'terms' },
  'word.ordinals': { type: 'uint32', below: 'authorities' },
  'word.halves': { type: 'uint16' },
  'word.filter-starts': { type: 'uint32', lists: 'terms' },
  'word.filters': { type: 'uint32', cut: 'word.filter-starts' },
  // Pieces of terms, which find those that a misspelled word is near to, and the letters of those.
  'piece.starts': { type: 'uint32', lists: 'pieceBuckets' },
  'piece.terms': { type: 'uint32', cut: 'piece.starts' },
  'piece.letters': { type: 'uint32', cut: 'piece.starts' },
  // Meanings: who is meant by a topic, by a place, which is one country or several of one name, and by
  // an attribute. Those of topics come first; for each of their people its rank, in the same order.
  'place.starts': { type: 'uint32', lists: 'places' },
  'place.countries': { type: 'uint32', cut: 'place.starts', below: 'countries' },
  'meaning.starts': { type: 'uint32', lists: 'meanings' },
  'meaning.ordinals': { type: 'uint32', cut: 'meaning.starts', ascend: 'authorities' },
  'meaning.filter-starts': { type: 'uint32', lists: 'meanings' },
  'meaning.filters': { type: 'uint32', cut: 'meaning.filter-starts' },
  'meaning.topic-ranks': { type: 'uint32', count: 'topic.members' },
  // Phrases without spaces and number that mean a topic, a place or an attribute, and codes of places and
  // of attributes; each column holds what is meant, counted from 1, or 0.
  'phrase.text': { type: 'uint8', cut: 'phrase.starts' },
  'phrase.starts': { type: 'uint32', lists: 'phrases' },
  'phrase.slots': { type: 'uint32' },
  'phrase.topics': { type: 'uint32', count: 'phrases', upTo: 'topics' },
  // The topic whose members stand behind the people, or the other topic, that a phrase means.
  'phrase.topics-behind': { type: 'uint32', count: 'phrases', upTo: 'topics' },
  'phrase.places': { type: 'uint32', count: 'phrases', upTo: 'places' },
  'phrase.codes': { type: 'uint32', count: 'phrases', upTo: 'places' },
  'phrase.attributes': { type: 'uint32', count: 'phrases', upTo: 'attributes' },
  'phrase.attribute-codes': { type: 'uint32', count: 'phrases', upTo: 'attributes' },
  // The topic that a phrase is another word for, where it means none itself.
  'phrase.related': { type: 'uint32', count: 'phrases', upTo: 'topics' },
  // The same phrases and codes of the countries that no person is of, one a line.
  'absent-country.keys': { type: 'uint8' },
  // What follows says in another order what the sections above say, so that a request finds it soon.
  // One row a person with all numbers of a summary (`people/summaries.ts`).
  'authority.summaries': { type: 'uint32' },
  // Large topics, ascending; for each of them a row: by topic, how many of its members have it.
  'topic-count.topics': { type: 'uint32', below: 'topics' },
  'topic-count.counts': { type: 'uint32' },
  // Bucket tables (`src/memory/hash-buckets.ts`): people by their websites, as `people/websites.ts` reads them; terms of
  // names by the keys of their sounds, as `src/text/sound/sound-keys.ts` has them; keys of topics by the beginnings of their
  // terms, and by their terms with slips, as a value the key times 16, and the slot of the term.
  'website.starts': { type: 'uint32' },
  'website.hashes': { type: 'uint32', cut: 'website.starts' },
  'website.values': { type: 'uint32', count: 'website.hashes', below: 'authorities' },
  'sound.starts': { type: 'uint32' },
  'sound.hashes': { type: 'uint32', cut: 'sound.starts' },
  'sound.values': { type: 'uint32', count: 'sound.hashes', below: 'terms' },
  'topic-beginning.starts': { type: 'uint32' },
  'topic-beginning.hashes': { type: 'uint32', cut: 'topic-beginning.starts' },
  'topic-beginning.values': { type: 'uint32', count: 'topic-beginning.hashes' },
  'topic-slip.starts': { type: 'uint32' },
  'topic-slip.hashes': { type: 'uint32', cut: 'topic-slip.starts' },
  'topic-slip.values': { type: 'uint32', count: 'topic-slip.hashes' },
  // Suggestions: owned handles in byte order, each with its top owner; topics by size, the largest first and of equals by
  // their labels; where each word begins in the text of the topic keys, in byte order from there on, each with the place of
  // its topic by size; the terms of the name of each person. `…levels` find the least numbers of a range
  // (`src/memory/least-in-range.ts`): of the owners, of the places, and of `name.ordinals`.
  'suggest.handles': { type: 'uint32', below: 'handles' },
  'suggest.handle-owners': { type: 'uint32', count: 'suggest.handles', below: 'authorities' },
  'suggest.handle-levels': { type: 'uint32', levelsOf: 'suggest.handle-owners' },
  'suggest.topics': { type: 'uint32', count: 'topics', below: 'topics' },
  'suggest.topic-words': { type: 'uint32' },
  'suggest.topic-places': { type: 'uint32', count: 'suggest.topic-words', below: 'topics' },
  'suggest.topic-levels': { type: 'uint32', levelsOf: 'suggest.topic-places' },
  'suggest.name-starts': { type: 'uint32', lists: 'authorities' },
  'suggest.name-terms': {
    type: 'uint32',
    count: 'name.ordinals',
    cut: 'suggest.name-starts',
    ascend: 'terms',
  },
  'suggest.name-levels': { type: 'uint32', levelsOf: 'name.ordinals' },
  // CRC-32 of each block of the sections that may stay in the file (`texts/stored-texts.ts`), in the order of the file.
  'block.checksums': { type: 'uint32' },
} as const satisfies Readonly<Record<DottedName, Declared>>

export type PlainName = keyof typeof declarations

/** A page of the profiles behind the first. */
export type PageName = `profile.json/${number}`

export type SectionName = PlainName | PageName

/** The arrays of sections, by the types of their elements. */
export const arrays = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array }

export type ElementType = keyof typeof arrays

export type References = Uint8Array | Uint16Array | Uint32Array

interface Views {
  uint8: Uint8Array
  uint16: Uint16Array
  uint32: Uint32Array
  reference: References
}

/** All sections, each as the typed array of its element type. */
export type Sections = { readonly [N in PlainName]: Views[(typeof declarations)[N]['type']] } & {
  readonly [N in PageName]: Uint8Array
}

export type SectionOf<T extends keyof Views> = {
  [N in PlainName]: (typeof declarations)[N]['type'] extends T ? N : never
}[PlainName]

export const sectionNames = Object.keys(declarations) as PlainName[]

export function pageName(page: number): 'profile.json' | PageName {
  return page === 0 ? 'profile.json' : `profile.json/${page}`
}

export function sectionNamesOf({ authorities, authoritiesPerPage }: Counts): SectionName[] {
  const pages = Math.max(1, Math.ceil(authorities / authoritiesPerPage))
  return sectionNames.flatMap<SectionName>((name) =>
    name === 'profile.json' ? Array.from({ length: pages }, (_, page) => pageName(page)) : [name],
  )
}

const bytesMax = 0x100
/** References below so many take two bytes; four of them together are then never NaN as a double (`copyText`). */
const halvesMax = 0x7ff0

export function typeOf(name: SectionName, counts: Counts): ElementType {
  const { type, below }: Declared = declarations[name.split('/')[0] as PlainName]
  if (type !== 'reference') return type
  const count = counts[below!]
  if (count <= bytesMax) return 'uint8'
  return count <= halvesMax ? 'uint16' : 'uint32'
}

export function withReferences<S extends Pick<Sections, SectionOf<'reference'>>>(
  sections: S,
  counts: Counts,
): S {
  const isReference = (name: PlainName): name is SectionOf<'reference'> =>
    declarations[name].type === 'reference'
  const names = sectionNames.filter(isReference)
  const narrow = names.map((name) => [name, new arrays[typeOf(name, counts)](sections[name])])
  return { ...sections, ...Object.fromEntries(narrow) }
}

/** A typed array of the given type over some memory, from its first byte, which lies at a multiple of four. */
export function viewOf(type: ElementType, { buffer, byteOffset }: Uint8Array, length: number) {
  if (type === 'uint8') return new Uint8Array(buffer, byteOffset, length)
  if (type === 'uint16') return new Uint16Array(buffer, byteOffset, length)
  return new Uint32Array(buffer, byteOffset, length)
}

export type CountName =
  | 'authorities'
  | 'authoritiesPerPage'
  | 'topics'
  | 'topicKeys'
  | 'countries'
  | 'platforms'
  | 'platformSets'
  | 'attributes'
  | 'attributeSets'
  | 'handles'
  | 'nodes'
  | 'peerLists'
  | 'terms'
  | 'pieceBuckets'
  | 'places'
  | 'meanings'
  | 'phrases'
  | 'ranks'
  | 'kinds'
  | 'provenances'

/** Number of things under each name, as the header has it. */
export type Counts = Readonly<Record<CountName, number>>

/** Slots of the terms of a topic key, in the lowest bits of a value of its tokens; terms of longer keys share some. */
export const [tokenSlots, tokenSlotBits] = [9, 4]

/** Bucket tables: numbers by the hash of a text. */
export const bucketTables = ['website', 'sound', 'topic-beginning', 'topic-slip'] as const

export type BucketName = (typeof bucketTables)[number]

/** Texts that are found by their bytes. */
export const textTables = ['topic-key', 'handle', 'term', 'phrase'] as const

export type TableName = (typeof textTables)[number]

export function endorserCounts(sections: Sections): SmallCounts {
  return {
    small: sections['evidence.endorser-counts'],
    entries: sections['evidence.many-ranks'],
    counts: sections['evidence.many-counts'],
  }
}

export const wholeShare = 0xffff_ffff

/** Shares together; parts that were rounded may be a few more than the whole. */
export function wholeOf(shares: Uint32Array): number {
  let sum = 0
  for (let index = 0; index < shares.length; index += 1) sum += shares[index]!
  return Math.min(wholeShare, sum)
}

/** The fields that have postings with filters, and what has a list there. */
export const fields = { name: 'terms', word: 'terms', meaning: 'meanings' } as const

/** A field with postings: words of names; words of names, topics and bios together; meanings of phrases. */
export type Field = keyof typeof fields
