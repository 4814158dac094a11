/**
 * Source records for tests: some by hand, and arbitraries of small sources in which everything that can go
 * together does.
 */

import fc from 'fast-check'
import { connectionKinds } from '../../src/connection-kinds.ts'
import { isClean } from '../../src/source/fields.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from '../../src/source/schema.ts'
import { handleKey } from '../../src/text/handle.ts'

export interface Records {
  readonly authorities: readonly AuthorityRecord[]
  readonly topics: readonly TopicRecord[]
  readonly connections: readonly ConnectionRecord[]
}

/** An authority of whom only some fields matter: one topic, `Rust`, and nothing else. */
export function authority(fields: Partial<AuthorityRecord> & { sdu: string }): AuthorityRecord {
  return {
    name: `Authority ${fields.sdu}`,
    alsoKnownAs: [],
    bio: '',
    countryName: '',
    topics: [topic('Rust')],
    socials: [],
    website: null,
    verified: true,
    authorityScore: undefined,
    identifiers: [],
    attributes: [],
    source: null,
    licence: null,
    updatedAt: null,
    ...fields,
  }
}

export function topic(label: string, weight?: number): AuthorityRecord['topics'][number] {
  return { topic: label, weight }
}

export function social(
  platform: string,
  handle: string,
  followers = 0,
): AuthorityRecord['socials'][number] {
  return { platform, handle, followers, verified: true }
}

/** `from` follows `to`, unless another kind is given. */
export function connection(
  from: string,
  to: string,
  fields: Partial<ConnectionRecord> = {},
): ConnectionRecord {
  return { from, to, weight: 1, kind: 'follows', ...fields }
}

export function recordsOf(records: Partial<Records>): Records {
  return { authorities: [], topics: [], connections: [], ...records }
}

/** The pools are small, so that records meet in them. */
export const sduPool = ['7', '07', '70', '8', '9', '10', '11', '12', '13', '9007199254740993']
  .concat(['9007199254740992', '00000000000000000000000000000001', '14', '15', '16', '17', '18'])
  .concat(['19', '20', '21', '22', '23', '24', '25', '26', '27', '28', '29', '30', '31'])

/** Labels; some have the same key, and the last has none. */
export const labelPool = [
  'Rust',
  'RUST',
  'Go',
  'C#',
  'C++',
  'Machine learning',
  'machine-learning',
].concat(['Économie', '東京 politics', 'Web', 'Data science', 'Data', '!?'])

/** Aliases; some are labels, and one is none. */
export const aliasPool = ['rustlang', 'golang', 'ML', 'economics', 'go', 'web', 'c sharp', '+']

export const platformPool = ['twitter', 'instagram', 'youtube', 'github']

/** Spellings of handles; several have the same key. */
export const handlePool = ['ann', '@Ann', 'ANN', 'bob', '@bob', 'cy', 'dee.dee', 'Éva', 'eve_1']

/** Identifiers: two spellings of one, and another. */
const identifierPool = [
  { scheme: 'wikidata', value: 'Q7259' },
  { scheme: 'wikidata', value: 'https://www.wikidata.org/wiki/Q7259' },
  { scheme: 'isni', value: '0000 0001 2103 2683' },
]

/** Ways to ask for them, and for one that nobody has. */
export const identifierQueries = [
  'wikidata:Q7259',
  'https://www.wikidata.org/entity/Q7259',
  'q7259',
]
  .concat(['isni:0000000121032683', 'https://isni.org/isni/0000000121032683', 'wikidata:Q42'])
  .concat(['wikidata:P7259', 'https://www.wikidata.org/wiki/Help:Q7259'])

const words = ['Ada', 'Lovelace', 'José', 'Rust', 'data', 'engineer', '李明', 'O’Brien', '"quoted"']
const phrase = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 3 }),
  },
)
const text = phrase.map((parts) => parts.join(' ').trim()).filter(isClean)
const weight = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 1, max: 4000 }).map((n) => n / 1000),
)

const topicsOfOne = fc.uniqueArray(
  fc.record({
    topic: fc.constantFrom(...labelPool),
    weight: fc.option(weight, { nil: undefined }),
  }),
  { minLength: 1, maxLength: 5, selector: (each) => each.topic.toLowerCase() },
)

const socialsOfOne = fc.uniqueArray(
  fc.record({
    platform: fc.constantFrom(...platformPool),
    handle: fc.constantFrom(...handlePool),
    followers: fc.oneof(fc.constant(0), fc.nat(5_000_000)),
    verified: fc.nat(4).map((each) => each > 0),
  }),
  { maxLength: 3, selector: (each) => each.platform },
)

/** Facts; two are one but for their spelling. */
export const attributePool = [
  { key: 'party', value: 'Blue' },
  { key: 'party', value: 'blues' },
  { key: 'party', value: 'Green Party' },
  { key: 'region', value: 'Texas' },
  { key: 'region', value: 'Nova Scotia' },
  { key: 'chamber', value: '上院' },
]

/** Names in scripts without spaces, near to each other, some of them written with one. */
export const unspacedNames = [
  '王小明',
  '王明小',
  '小明',
  '김민준',
  '김 민준',
  '김민중',
  '박은정',
].concat(['김준', 'ジョン・スミス', 'スミス ジョン', 'สมชัย ใจดี', 'สมชายใจดี'])

const authorityRecord: fc.Arbitrary<AuthorityRecord> = fc.record({
  sdu: fc.constantFrom(...sduPool),
  name: fc.oneof(
    { weight: 4, arbitrary: text.map((name) => name || 'Nameless') },
    { weight: 1, arbitrary: fc.constantFrom(...unspacedNames) },
  ),
  alsoKnownAs: fc.constantFrom([], ['Ada King']),
  bio: text,
  countryName: fc.constantFrom('', 'France', 'Côte d’Ivoire', 'Ivory Coast', 'UK', 'Congo'),
  topics: topicsOfOne,
  socials: socialsOfOne,
  website: fc.constantFrom(null, 'https://a.example/?q="1"'),
  verified: fc.nat(9).map((each) => each > 0),
  authorityScore: fc.option(
    fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
    {
      freq: 4,
      nil: undefined,
    },
  ),
  identifiers: fc.uniqueArray(fc.constantFrom(...identifierPool), {
    maxLength: 2,
    selector: ({ scheme }) => scheme,
  }),
  attributes: fc.uniqueArray(fc.constantFrom(...attributePool), {
    maxLength: 3,
    selector: ({ key, value }) => `${key}:${value}`,
  }),
  source: fc.constantFrom(null, 'https://example.org/"people"', 'a register'),
  licence: fc.constantFrom(null, 'CC0-1.0'),
  updatedAt: fc.constantFrom(null, '2026-11-01'),
})

const end = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...sduPool) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...platformPool), fc.constantFrom(...handlePool, 'nobody', 'noone'))
      .map(([platform, handle]) => `${platform}:${handleKey(handle)}`),
  },
  { weight: 1, arbitrary: fc.constantFrom('404', '405', 'wikidata:q7259', 'wikidata:q42') },
)

const connectionRecord: fc.Arbitrary<ConnectionRecord> = fc.record({
  from: end,
  to: end,
  weight,
  kind: fc.constantFrom(...connectionKinds),
})

const topicRecord: fc.Arbitrary<TopicRecord> = fc.record({
  topic: fc.constantFrom(...labelPool, 'Nobody has this'),
  aliases: fc.uniqueArray(fc.constantFrom(...aliasPool, ...labelPool), { maxLength: 3 }),
})

/** Small sources: 1 to 25 authorities as written, some of which may not be taken. */
export const smallSources: fc.Arbitrary<Records> = fc.record({
  authorities: fc.array(authorityRecord, { minLength: 1, maxLength: 25 }),
  topics: fc.array(topicRecord, { maxLength: 4 }),
  connections: fc.array(connectionRecord, { maxLength: 60 }),
})
