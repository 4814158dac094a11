/**
 * Query strings of every operation, made from the table of operations, so that a new parameter is
 * asked as soon as it stands there. `faults` says how often something is wrong: each part is chosen
 * apart, so that a request has several faults at once and the order of refusals shows.
 */
import fc from 'fast-check'
import { type Field, parametersOf } from '../../../src/api/schemas/inputs.ts'
import type { RouteName } from '../../../src/operations.ts'
import {
  type ChoiceName,
  changeTypes,
  facetNames,
  suggestionKinds,
} from '../../../src/request-parameters.ts'
import { encoding, nameSpelling, wrongValues } from './spellings.ts'
import { freeFields, type Vocabulary } from './vocabulary.ts'

/** How often a part of a request is wrong: weight of the wrong beside 40 of the right. */
export type Faults = number

const some = (most: number, of: readonly string[]) =>
  fc.array(fc.constantFrom(...of), { minLength: 1, maxLength: most })

/** The values of a parameter, before they are spelled. One value where it has no list. */
function goodValues(words: Vocabulary, { name, commas }: Field): fc.Arbitrary<readonly string[]> {
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
    topic: text,
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
      { weight: 5, arbitrary: some(4, [...words.handles, 'nobody', '@unheard-of']) },
      { weight: 1, arbitrary: some(40, words.handles) },
    ),
    score_min: fc.oneof(number(100), one(['0.5', '99.99', '100', '12.345'])),
    followers_min: fc.oneof(number(10), number(5_000_000), one(['4294967295'])),
    fields: some(5, freeFields),
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

/** Separators of the values of a list; `&` repeats the parameter. */
const separators = [',', ',', ',', ',', '&', '&', ',+', ',,', '%20,']

function parameterText(field: Field, words: Vocabulary, faults: Faults): fc.Arbitrary<string> {
  const { spellings } = field
  const values = fc
    .tuple(goodValues(words, field), encoding, fc.constantFrom(...separators))
    .map(([list, encode, separator]) => ({ list: list.map(encode), separator }))
  const text = fc
    .tuple(values, nameSpelling(spellings, faults), fc.constantFrom(...spellings))
    .map(([{ list, separator }, spelling, other]) =>
      separator === '&'
        ? list.map((value, index) => `${index === 0 ? spelling : other}=${value}`).join('&')
        : `${spelling}=${list.join(separator)}`,
    )
  const wrong = fc
    .tuple(nameSpelling(spellings, faults), fc.constantFrom(...wrongValues), fc.nat(9))
    .map(([spelling, value, bare]) => (bare === 0 ? spelling : `${spelling}=${value}`))
  const twice = fc.tuple(text, text).map((both) => both.join('&'))
  return fc.oneof(
    { weight: 40, arbitrary: text },
    { weight: faults, arbitrary: wrong },
    { weight: (faults + 3) >> 2, arbitrary: twice },
  )
}

/** Parts that belong to no parameter of the operation. */
const strangers = [
  'x=1',
  'utm_source=net',
  'page=2',
  '=',
  '=a',
  '',
  '&',
  '__proto__=1',
  'querry=a',
  'limits=3',
  'a;b=c',
  '%zz=1',
  '%F0%9F%92%A9=1',
  'api_key={key:rich}',
  'sdus=1',
  'handle=ann',
  'query=rust',
  'cursor={cursor}',
  '?',
]

/** The query strings of a route, of which most have few of the optional parameters. */
export function queryString(
  route: RouteName,
  words: Vocabulary,
  faults: Faults,
): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 1, arbitrary: queryStringWith(80, route, words, faults) },
    { weight: 1, arbitrary: queryStringWith(600, route, words, faults) },
  )
}

/** @param absent weight of an optional parameter's absence beside 40 of its presence. */
function queryStringWith(
  absent: number,
  route: RouteName,
  words: Vocabulary,
  faults: Faults,
): fc.Arbitrary<string> {
  const asked = parametersOf(route).filter(({ name }) => name !== 'id')
  const parts = asked.map((field) => {
    const rare = field.name === 'limit' ? 40 : absent
    const missing = field.isRequired ? (faults + 1) >> 1 : rare
    return fc.oneof(
      { weight: missing, arbitrary: fc.constant(undefined) },
      { weight: 40, arbitrary: parameterText(field, words, faults) },
    )
  })
  const stranger = fc.oneof(
    { weight: 60, arbitrary: fc.constant(undefined) },
    { weight: faults, arbitrary: fc.constantFrom(...strangers) },
  )
  return fc.tuple(fc.tuple(...parts), stranger, fc.nat(11)).map(([given, extra, turn]) => {
    const texts = given.filter((text) => text !== undefined)
    // The order of parameters is seldom that of the table.
    if (turn < 4 && texts.length > 1) texts.push(...texts.splice(0, 1 + (turn % texts.length)))
    if (extra !== undefined) texts.splice(turn % (texts.length + 1), 0, extra)
    return texts.join('&')
  })
}
