/** The values of parameters, members and arguments, by the tables of the operations: each as texts, and as JSON. */
import fc from 'fast-check'
import type { Field } from '../../../src/api/schemas/inputs.ts'
import {
  type ChoiceName,
  changeTypes,
  facetNames,
  fieldNames,
  suggestionKinds,
} from '../../../src/request-parameters.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Handles and sources that nobody has, or that are not plain. */
const texts = [
  ...['@unheard-of', ' ann ', 'é"\\\u2028x', 'https://example.org/a'],
  'https://x.com/SenCapito/status/1',
]

const some = (most: number, of: readonly string[]) =>
  fc.array(fc.constantFrom(...of), { minLength: 1, maxLength: most })

/** The values of a field, before they are spelled. One value where it has no list. */
export function goodValues(
  words: Vocabulary,
  { name, commas }: Field,
): fc.Arbitrary<readonly string[]> {
  const one = (of: readonly string[]) => fc.constantFrom(...of).map((value) => [value])
  const number = (max: number) => fc.integer({ min: 0, max }).map((value) => [String(value)])
  const text = fc.oneof(
    { weight: 3, arbitrary: one(words.texts) },
    { weight: 2, arbitrary: some(4, words.words).map((parts) => [parts.join(' ')]) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...words.words), fc.nat(6))
        .map(([word, length]) => [[...word].slice(0, length + 1).join('')]),
    },
  )
  if (commas === 'choice') return some(3, choicesOf(words)[name as ChoiceName])
  const byName: Readonly<Record<string, fc.Arbitrary<readonly string[]>>> = {
    query: text,
    topic: fc.oneof(text, one(words.topics)),
    limit: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }).map((n) => [String(n)]) },
      { weight: 2, arbitrary: one(['1', '2', '49', '50', '51', '60', '999', '9999', '10000']) },
    ),
    explain: one(['true', 'query', 'false']),
    related: one(['true', 'false']),
    sdus: fc.oneof(
      { weight: 5, arbitrary: some(4, [...words.sdus, '404']) },
      { weight: 1, arbitrary: some(40, words.sdus) },
    ),
    handles: fc.oneof(
      { weight: 5, arbitrary: some(4, [...words.handles, 'nobody', ...texts]) },
      { weight: 1, arbitrary: some(40, words.handles) },
    ),
    sources: some(5, [...words.handles, ...texts]),
    aligned: one(['true', 'false']),
    lenient: one(['true', 'false']),
    score_min: fc.oneof(number(100), one(['0.5', '99.99', '100', '12.345'])),
    followers_min: fc.oneof(number(10), number(5_000_000), one(['4294967295'])),
    fields: some(5, fieldNames),
    facets: some(3, facetNames),
    cursor: one(['*']),
    since: one(words.snapshotIds),
    types: some(3, changeTypes),
    kinds: some(2, suggestionKinds),
  }
  return byName[name]!
}

function choicesOf({
  countries,
  platforms,
  topics,
}: Vocabulary): Readonly<Record<ChoiceName, readonly string[]>> {
  const attributes = ['party:Republican', 'region:texas']
  return { country: countries, platform: platforms, topic: topics, attribute: attributes }
}

export function jsonValue({ type }: Field, values: readonly string[]): unknown {
  const [first = ''] = values
  if (type === 'array') return values
  if (type === 'boolean') return first === 'true'
  return type === 'string' ? first : Number(first)
}
