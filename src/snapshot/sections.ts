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

/** Section name → element type, in the order of the file; a reference is as wide as `references.ts` says. */
export const sectionTypes = {
  // Authorities, by ordinal. Scores are in hundredths: 0 to 10,000.
  'authority.scores': 'uint16',
  'authority.core-topics': 'reference',
  'authority.core-ranks': 'uint32',
  'authority.countries': 'reference',
  // Of all verified handles together; 4,294,967,295 is that many or more.
  'authority.followers': 'uint32',
  'authority.topic-starts': 'uint32',
  'authority.topics': 'reference',
  // Provenance of each record as JSON, counted from 1; 0 for none; empty if no record states it.
  'authority.provenances': 'uint32',
  'provenance.text': 'uint8',
  'provenance.starts': 'uint32',
  'country.text': 'uint8',
  'country.starts': 'uint32',
  // The first members of every item of a person, `{"sdu":"1","name":"A"`, found by the SDU
  // (`src/snapshot/people/identities.ts`).
  'identity.json': 'uint8',
  'identity.starts': 'uint32',
  'identity.slots': 'uint32',
  // Behind the rank of a summary: `,"country_name":"B"` of each country, `,"topic":"C"}` of each topic.
  'summary.countries': 'uint8',
  'summary.country-starts': 'uint32',
  'summary.topics': 'uint8',
  'summary.topic-starts': 'uint32',
  // Profile items behind the identity: `,"bio":` and so on.
  'profile.json': 'uint8',
  'profile.starts': 'uint32',
  // Topics: members in rank order, and the JSON of the first summary items, `resultsMax` at most,
  // a comma between items.
  'topic.labels': 'uint8',
  'topic.label-starts': 'uint32',
  'topic.member-starts': 'uint32',
  'topic.members': 'uint32',
  // Share of each member in its topic, in parts of 2³²; the shares of a topic add up to one. Share of
  // each authority in all mass, likewise; 0 if the record gives the score.
  'topic.shares': 'uint32',
  'authority.shares': 'uint32',
  // Evidence of every rank: ranks of `topic.members`, then ranks of the authorities among all. The part
  // of the share that is its own, the number of endorsers (split as `src/snapshot/small-counts.ts`
  // does), and the strongest endorsers, found by `src/snapshot/endorser-lists.ts`: nodes with
  // the share they give and the kind of the connection. For each topic, and for all authorities, the
  // sum of the own parts.
  'evidence.own-shares': 'uint32',
  'evidence.endorser-counts': 'uint8',
  'evidence.many-ranks': 'uint32',
  'evidence.many-counts': 'uint32',
  'evidence.starts': 'uint32',
  'evidence.endorsers': 'uint32',
  'evidence.endorser-shares': 'uint32',
  'evidence.endorser-kinds': 'uint8',
  'evidence.own-wholes': 'uint32',
  // Number of its strongest endorsers that each rank can lose before it falls by `fallSteps`: 0 if it never
  // falls so far, `lossesMax` for that many or more.
  'evidence.losses-to-fall-1': 'uint8',
  'evidence.losses-to-fall-10': 'uint8',
  'kind.text': 'uint8',
  'kind.starts': 'uint32',
  'topic.json': 'uint8',
  'topic.item-starts': 'uint32',
  'topic.json-starts': 'uint32',
  // Keys of labels and aliases, as the analyzer spells them, each with its topic.
  'topic-key.text': 'uint8',
  'topic-key.starts': 'uint32',
  'topic-key.slots': 'uint32',
  'topic-key.topics': 'uint32',
  // Handles by key; a handle has one node a platform it is used on, by ascending node, and one list
  // of peers. The first lists are those of the nodes, then come those of handles with several nodes, the shared ones.
  'platform.text': 'uint8',
  'platform.starts': 'uint32',
  // The platforms that a person has handles on, as the number of a set: each combination is stored once.
  'authority.platform-sets': 'reference',
  'platform-set.starts': 'uint32',
  'platform-set.platforms': 'uint32',
  // The attributes of a person (`party:Independent`) as the number of a set: each combination is stored once.
  'attribute.text': 'uint8',
  'attribute.starts': 'uint32',
  'authority.attribute-sets': 'reference',
  'attribute-set.starts': 'uint32',
  'attribute-set.attributes': 'uint32',
  'handle.text': 'uint8',
  'handle.starts': 'uint32',
  'handle.slots': 'uint32',
  'handle.node-starts': 'uint32',
  'handle.nodes': 'uint32',
  'handle.platforms': 'reference',
  'handle.shared': 'uint32',
  // Position in `handle.nodes` of each node without an owner.
  'unowned.places': 'uint32',
  // Ordinals of peers, as `src/snapshot/gaps.ts` writes ascending lists.
  'peer.starts': 'uint32',
  'peer.gaps': 'uint8',
  // Keywords: terms in the order of their bytes; for each the authorities whose name holds it, and
  // those whose name, topics (with aliases) or bio hold it, each with a row of a filter: bits, then
  // ranks.
  'term.text': 'uint8',
  'term.starts': 'uint32',
  'term.slots': 'uint32',
  'name.starts': 'uint32',
  'name.ordinals': 'uint32',
  'name.filter-starts': 'uint32',
  'name.filters': 'uint32',
  // As `src/snapshot/packed-lists.ts` packs lists: `starts` counts all of them, wherever they stand.
  'word.starts': 'uint32',
  'word.places': 'uint32',
  'word.ordinals': 'uint32',
  'word.halves': 'uint16',
  'word.filter-starts': 'uint32',
  'word.filters': 'uint32',
  // Pieces of terms, which find those that a misspelled word is near to, and the letters of those.
  'piece.starts': 'uint32',
  'piece.terms': 'uint32',
  'piece.letters': 'uint32',
  // Meanings: who is meant by a topic, by a place, which is one country or several of one name, and by
  // an attribute. Those of topics come first; for each of their people its rank, in the same order.
  'place.starts': 'uint32',
  'place.countries': 'uint32',
  'meaning.starts': 'uint32',
  'meaning.ordinals': 'uint32',
  'meaning.filter-starts': 'uint32',
  'meaning.filters': 'uint32',
  'meaning.topic-ranks': 'uint32',
  // Phrases without spaces and number that mean a topic, a place or an attribute, and codes of places and
  // of attributes; each column holds what is meant, counted from 1, or 0.
  'phrase.text': 'uint8',
  'phrase.starts': 'uint32',
  'phrase.slots': 'uint32',
  'phrase.topics': 'uint32',
  // The topic whose members stand behind the people, or the other topic, that a phrase means.
  'phrase.topics-behind': 'uint32',
  'phrase.places': 'uint32',
  'phrase.codes': 'uint32',
  'phrase.attributes': 'uint32',
  'phrase.attribute-codes': 'uint32',
  // The topic that a phrase is another word for, where it means none itself.
  'phrase.related': 'uint32',
  // The same phrases and codes of the countries that no person is of, one a line.
  'absent-country.keys': 'uint8',
  // What follows says in another order what the sections above say, so that a request finds it soon.
  // One row a person with all numbers of a summary: the end of the identity, the rank in the core topic, the country, the
  // core topic.
  'authority.summaries': 'uint32',
  // Large topics, ascending; for each of them a row: by topic, how many of its members have it.
  'topic-count.topics': 'uint32',
  'topic-count.counts': 'uint32',
  // Bucket tables (`src/memory/hash-buckets.ts`): people by their websites, as `people/websites.ts` reads them; terms of
  // names by the keys of their sounds, as `src/text/sound/sound-keys.ts` has them; keys of topics by the beginnings of their
  // terms, and by their terms with slips, as a value the key times 16, and the slot of the term.
  'website.starts': 'uint32',
  'website.hashes': 'uint32',
  'website.values': 'uint32',
  'sound.starts': 'uint32',
  'sound.hashes': 'uint32',
  'sound.values': 'uint32',
  'topic-beginning.starts': 'uint32',
  'topic-beginning.hashes': 'uint32',
  'topic-beginning.values': 'uint32',
  'topic-slip.starts': 'uint32',
  'topic-slip.hashes': 'uint32',
  'topic-slip.values': 'uint32',
  // Suggestions: owned handles in byte order, each with its top owner; topics by size, the largest first and of equals by
  // their labels; where each word begins in the text of the topic keys, in byte order from there on, each with the place of
  // its topic by size; the terms of the name of each person. `…levels` find the least numbers of a range
  // (`src/memory/least-in-range.ts`): of the owners, of the places, and of `name.ordinals`.
  'suggest.handles': 'uint32',
  'suggest.handle-owners': 'uint32',
  'suggest.handle-levels': 'uint32',
  'suggest.topics': 'uint32',
  'suggest.topic-words': 'uint32',
  'suggest.topic-places': 'uint32',
  'suggest.topic-levels': 'uint32',
  'suggest.name-starts': 'uint32',
  'suggest.name-terms': 'uint32',
  'suggest.name-levels': 'uint32',
  // CRC-32 of each block of the sections that may stay in the file (`texts/stored-texts.ts`), in the order of the file.
  'block.checksums': 'uint32',
} as const

export type PlainName = keyof typeof sectionTypes

/** A page of the profiles behind the first. */
export type PageName = `profile.json/${number}`

export type SectionName = PlainName | PageName

export type ElementType = 'uint8' | 'uint16' | 'uint32'

export type References = Uint8Array | Uint16Array | Uint32Array

interface Views {
  uint8: Uint8Array
  uint16: Uint16Array
  uint32: Uint32Array
  reference: References
}

/** All sections, each as the typed array of its element type. */
export type Sections = { readonly [N in PlainName]: Views[(typeof sectionTypes)[N]] } & {
  readonly [N in PageName]: Uint8Array
}

export type SectionOf<T extends keyof Views> = {
  [N in PlainName]: (typeof sectionTypes)[N] extends T ? N : never
}[PlainName]

export const sectionNames = Object.keys(sectionTypes) as PlainName[]

export function pageName(page: number): 'profile.json' | PageName {
  return page === 0 ? 'profile.json' : `profile.json/${page}`
}

export function sectionNamesOf({ authorities, authoritiesPerPage }: Counts): SectionName[] {
  const pages = Math.max(1, Math.ceil(authorities / authoritiesPerPage))
  return sectionNames.flatMap<SectionName>((name) =>
    name === 'profile.json' ? Array.from({ length: pages }, (_, page) => pageName(page)) : [name],
  )
}

export const elementBytes: Readonly<Record<ElementType, number>> = {
  uint8: 1,
  uint16: 2,
  uint32: 4,
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

export const summaryNumbers = 4

/** Slots of the terms of a topic key, in the lowest bits of a value of its tokens; terms of longer keys share some. */
export const [tokenSlots, tokenSlotBits] = [9, 4]

/** Bucket tables: numbers below a count by the hash of a text. */
export const bucketTables = [
  { name: 'website', below: 'authorities', times: 1 },
  { name: 'sound', below: 'terms', times: 1 },
  { name: 'topic-beginning', below: 'topicKeys', times: 1 << tokenSlotBits },
  { name: 'topic-slip', below: 'topicKeys', times: 1 << tokenSlotBits },
] as const

export type BucketName = (typeof bucketTables)[number]['name']

/** Texts that are found by their bytes. */
export const textTables = ['topic-key', 'handle', 'term', 'phrase'] as const

export type TableName = (typeof textTables)[number]

/** One element for each of something; with `below`, each is smaller than that count. */
export const columns: readonly (
  | { values: SectionOf<'uint32' | 'reference'>; count: CountName; below?: CountName }
  | { values: SectionOf<'uint16' | 'uint8'>; count: CountName; below?: never }
)[] = [
  { values: 'authority.scores', count: 'authorities' },
  { values: 'authority.core-topics', count: 'authorities', below: 'topics' },
  { values: 'authority.core-ranks', count: 'authorities' },
  { values: 'authority.countries', count: 'authorities', below: 'countries' },
  { values: 'authority.followers', count: 'authorities' },
  { values: 'authority.platform-sets', count: 'authorities', below: 'platformSets' },
  { values: 'authority.attribute-sets', count: 'authorities', below: 'attributeSets' },
  { values: 'authority.shares', count: 'authorities' },
  { values: 'evidence.own-shares', count: 'ranks' },
  { values: 'evidence.endorser-counts', count: 'ranks' },
  { values: 'evidence.losses-to-fall-1', count: 'ranks' },
  { values: 'evidence.losses-to-fall-10', count: 'ranks' },
  { values: 'topic-key.topics', count: 'topicKeys', below: 'topics' },
  { values: 'word.places', count: 'terms' },
  { values: 'phrase.topics', count: 'phrases' },
  { values: 'phrase.topics-behind', count: 'phrases' },
  { values: 'phrase.places', count: 'phrases' },
  { values: 'phrase.codes', count: 'phrases' },
  { values: 'phrase.attributes', count: 'phrases' },
  { values: 'phrase.attribute-codes', count: 'phrases' },
  { values: 'phrase.related', count: 'phrases' },
]

/** Lists and texts cut by starts; values are below a count, strictly ascending where it says so. */
export const lists: readonly {
  starts: SectionOf<'uint32'>
  values: SectionOf<'uint32' | 'uint8' | 'reference'>
  count: CountName
  below?: CountName
  ascending?: boolean
}[] = [
  { starts: 'country.starts', values: 'country.text', count: 'countries' },
  { starts: 'identity.starts', values: 'identity.json', count: 'authorities' },
  { starts: 'topic.label-starts', values: 'topic.labels', count: 'topics' },
  { starts: 'topic-key.starts', values: 'topic-key.text', count: 'topicKeys' },
  { starts: 'platform.starts', values: 'platform.text', count: 'platforms' },
  { starts: 'attribute.starts', values: 'attribute.text', count: 'attributes' },
  { starts: 'handle.starts', values: 'handle.text', count: 'handles' },
  { starts: 'term.starts', values: 'term.text', count: 'terms' },
  { starts: 'provenance.starts', values: 'provenance.text', count: 'provenances' },
  { starts: 'kind.starts', values: 'kind.text', count: 'kinds' },
  { starts: 'phrase.starts', values: 'phrase.text', count: 'phrases' },
  { starts: 'summary.country-starts', values: 'summary.countries', count: 'countries' },
  { starts: 'summary.topic-starts', values: 'summary.topics', count: 'topics' },
  {
    starts: 'authority.topic-starts',
    values: 'authority.topics',
    count: 'authorities',
    below: 'topics',
  },
  {
    starts: 'platform-set.starts',
    values: 'platform-set.platforms',
    count: 'platformSets',
    below: 'platforms',
    ascending: true,
  },
  {
    starts: 'attribute-set.starts',
    values: 'attribute-set.attributes',
    count: 'attributeSets',
    below: 'attributes',
    ascending: true,
  },
  { starts: 'topic.member-starts', values: 'topic.members', count: 'topics', below: 'authorities' },
  { starts: 'topic.member-starts', values: 'topic.shares', count: 'topics' },
  { starts: 'handle.node-starts', values: 'handle.nodes', count: 'handles', below: 'nodes' },
  {
    starts: 'handle.node-starts',
    values: 'handle.platforms',
    count: 'handles',
    below: 'platforms',
  },
  { starts: 'peer.starts', values: 'peer.gaps', count: 'peerLists' },
  {
    starts: 'name.starts',
    values: 'name.ordinals',
    count: 'terms',
    below: 'authorities',
    ascending: true,
  },
  { starts: 'name.filter-starts', values: 'name.filters', count: 'terms' },
  { starts: 'word.filter-starts', values: 'word.filters', count: 'terms' },
  { starts: 'piece.starts', values: 'piece.terms', count: 'pieceBuckets' },
  { starts: 'piece.starts', values: 'piece.letters', count: 'pieceBuckets' },
  { starts: 'place.starts', values: 'place.countries', count: 'places', below: 'countries' },
  {
    starts: 'meaning.starts',
    values: 'meaning.ordinals',
    count: 'meanings',
    below: 'authorities',
    ascending: true,
  },
  { starts: 'meaning.filter-starts', values: 'meaning.filters', count: 'meanings' },
  {
    starts: 'suggest.name-starts',
    values: 'suggest.name-terms',
    count: 'authorities',
    below: 'terms',
    ascending: true,
  },
]

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
