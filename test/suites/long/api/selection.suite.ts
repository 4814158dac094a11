/**
 * Filters, fields, facets and cursors against the model. Sources are so small that a plain answer lists
 * everybody; that such an answer is right is for `model.test.ts` to say. What is asked for beside it is
 * worked out by loops over the records, which share with the product only what values mean: keys of topics, names of
 * countries.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Api } from '../../../../src/api/api.ts'
import {
  type ChoiceName,
  type FilterName,
  facetNames,
  fieldNames,
  filterNames,
} from '../../../../src/request-parameters.ts'
import { termsOf, topicKey } from '../../../../src/text/analyzer.ts'
import { countryTable } from '../../../../src/text/countries/country-names.made.ts'
import { platformKey, readHandle, readIdentifier } from '../../../../src/text/handle.ts'
import { phraseKey } from '../../../../src/text/number.ts'
import { ask, type Envelope, type Item, newApi } from '../../../support/api-client.ts'
import { servedOf } from '../../../support/built.ts'
import { Oracle, type Person } from '../../../support/oracle.ts'
import {
  aliasPool,
  attributePool,
  handlePool,
  labelPool,
  platformPool,
  smallSources,
} from '../../../support/records.ts'

type Sent<N extends FilterName> = N extends ChoiceName ? readonly string[] : number

type Asked = { readonly [N in FilterName]?: Sent<N> | undefined }

/** Whether a person passes one filter: a filter without a row does not compile. */
type PassesOf = {
  readonly [N in FilterName]: (model: Oracle, person: Person, sent: Sent<N>) => boolean
}

const countries = countryTable()

/** What a country is called: all of it, or of its record alone where no table knows it. */
function calledOf(countryName: string): { names: string[]; codes: readonly string[] } {
  const key = phraseKey(termsOf(countryName))
  const known = countries.find(({ names, codes }) =>
    [...names, ...codes].some((name) => phraseKey(termsOf(name)) === key),
  )
  if (key === '') return { names: [], codes: [] }
  if (known === undefined) return { names: [key], codes: [] }
  const names = [countryName, ...known.names, ...known.adjectives]
  return {
    names: names.map((name) => phraseKey(termsOf(name))),
    codes: known.codes.map((code) => phraseKey(termsOf(code))),
  }
}

/** The platforms that somebody has a handle or an identifier on that is theirs. */
function platformsOf(model: Oracle, person: Person): string[] {
  const { socials, identifiers } = person.record
  const handles = [
    ...socials
      .filter(({ verified }) => verified)
      .map(({ platform, handle }) => readHandle(platform, handle).handle!),
    ...identifiers.map(({ scheme, value }) => readIdentifier(scheme, value).handle!),
  ]
  const own = handles.filter(({ platform, key }) =>
    model.owners(`${platform}:${key}`).includes(person),
  )
  return [...new Set(own.map(({ platform }) => platform))]
}

/** What all spellings of an attribute share. */
function spellingOf(key: string, value: string): string {
  return `${key}:${phraseKey(termsOf(value))}`
}

function spellingsOf({ record }: Person): ReadonlySet<string> {
  return new Set(record.attributes.map(({ key, value }) => spellingOf(key, value)))
}

/** Whether somebody has one of the values that are wanted of each key. */
function hasAttributes(person: Person, wanted: readonly string[] = []): boolean {
  const own = spellingsOf(person)
  const keys = new Set(wanted.map((each) => each.split(':')[0]!))
  return [...keys].every((key) =>
    wanted.some((each) => {
      const [ofKey = '', value = ''] = each.split(':')
      return ofKey === key && own.has(spellingOf(key, value))
    }),
  )
}

const passesOf: PassesOf = {
  country: (model, person, values) => values.some((value) => isOfCountry(model, person, value)),
  platform: (model, person, values) =>
    values.some((value) => platformsOf(model, person).includes(platformKey(value))),
  topic: (model, { topics }, values) =>
    values.some((value) => {
      const key = model.topicOf(topicKey(value))
      return key !== undefined && topics.has(key)
    }),
  attribute: (_model, person, values) => hasAttributes(person, values),
  score_min: (model, person, least) => model.profile(person).authority_score >= least,
  followers_min: (_model, { socials }, least) =>
    socials.reduce((sum, each) => sum + each.followers, 0) >= least,
}

function passes(model: Oracle, person: Person, asked: Asked): boolean {
  return filterNames.every((name) => {
    const sent = asked[name]
    return sent === undefined || passesOf[name](model, person, sent as never)
  })
}

/** A name is meant before a code: of a value that somebody is called by, nobody's code is meant. */
function isOfCountry(model: Oracle, { record }: Person, value: string): boolean {
  const key = phraseKey(termsOf(value))
  const isName = model.people.some((each) => calledOf(each.record.countryName).names.includes(key))
  const { names, codes } = calledOf(record.countryName)
  return isName ? names.includes(key) : codes.includes(key)
}

function facetOf(model: Oracle, people: readonly Person[], name: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of people.flatMap((person) => facetKeysOf(model, person, name))) {
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

/** How each attribute is spelled by the record that came first. */
function spelledFirst(model: Oracle): ReadonlyMap<string, string> {
  const all = model.arrived.flatMap(({ record }) => record.attributes)
  // Of two of one spelling the earlier one stays, which is set last.
  return new Map(
    all.toReversed().map(({ key, value }) => [spellingOf(key, value), `${key}:${value}`]),
  )
}

function facetKeysOf(model: Oracle, person: Person, name: string): readonly string[] {
  if (name === 'platform') return platformsOf(model, person)
  if (name === 'attribute') {
    const spelled = spelledFirst(model)
    return [...spellingsOf(person)].map((each) => spelled.get(each)!)
  }
  const { country, topics } = model.profile(person)
  if (name === 'topic') return topics.map((label) => label!)
  return country === '' ? [] : [country]
}

const runs = { numRuns: 400 }

const text = fc.oneof(
  fc.constantFrom('Rust', 'machine learning', 'data', 'go', 'ml', 'économie'),
  fc.constantFrom('ada', 'lovelace', 'ada lovelace', 'data engineer', 'rust engineer', 'ada data'),
  fc.constantFrom('french rust', 'rust go', 'rust data france', 'ivorians', 'UK', 'who is ada'),
  fc.constantFrom('lovelcae', 'machine learnin', '@ann', 'zzzz', '李', 'rust machine learning'),
)

const country = fc.constantFrom('France', 'french', 'FR', 'fra', 'Ivory Coast', 'ci', 'UK', 'Congo')
const asCountry = fc.oneof(country, fc.constantFrom('Iceland', 'IS', 'CG', 'GB', 'Congolese'))
const platforms = fc.constantFrom(...platformPool, 'x', 'Twitter', 'wikidata', 'isni', 'mastodon')

/** Most filters are not given, so that something is left for those that are. */
function seldom<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
}

function some<T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly T[] | undefined> {
  const list = fc.array(value, { minLength: 1, maxLength: 3 })
  return seldom(list)
}

/** A filter without values to ask for does not compile. */
const filterValues: { readonly [N in FilterName]: fc.Arbitrary<Asked[N]> } = {
  country: some(asCountry),
  platform: some(platforms),
  topic: some(fc.constantFrom(...labelPool.slice(0, -1), ...aliasPool.slice(0, -1))),
  attribute: some(fc.constantFrom(...attributePool.map(({ key, value }) => `${key}:${value}`))),
  score_min: seldom(fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100)),
  followers_min: seldom(fc.integer({ min: 0, max: 3_000_000 })),
}
const filters: fc.Arbitrary<Asked> = fc.record(filterValues)

const request = fc.record({
  filters,
  limit: fc.integer({ min: 1, max: 12 }),
  fields: fc.option(fc.subarray([...fieldNames], { minLength: 1 }), { nil: undefined }),
  facets: fc.option(fc.subarray([...facetNames], { minLength: 1 }), { nil: undefined }),
  isPaged: fc.boolean(),
})

type Request = Omit<typeof request extends fc.Arbitrary<infer T> ? T : never, 'filters'> & {
  readonly filters: Asked
}

function queryOf(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
    .join('&')
}

/** The filters that the source knows: a topic without members is a 400, which other tests check. */
function known(model: Oracle, { topic, attribute, ...others }: Asked): Asked {
  const labels = topic?.filter((each) => model.topicOf(each.toLowerCase()) !== undefined)
  const facts = attribute?.filter((each) =>
    model.people.some((person) => hasAttributes(person, [each])),
  )
  return {
    ...others,
    topic: labels?.length === 0 ? undefined : labels,
    attribute: facts?.length === 0 ? undefined : facts,
  }
}

function pagesOf(api: Api, path: string, values: Readonly<Record<string, unknown>>): Envelope[] {
  const pages: Envelope[] = []
  for (let cursor: unknown = '*'; typeof cursor === 'string'; ) {
    const { status, json } = ask(api, `${path}?${queryOf({ ...values, cursor })}`)
    expect(status).toBe(200)
    pages.push(json)
    cursor = json.next_cursor
  }
  return pages
}

/** An item of which only the fields that are wanted are left, in the order of an answer. */
function chosen(model: Oracle, item: Item, fields: readonly string[] | undefined): object {
  if (fields === undefined) return item
  const whole = { ...model.profile(model.person(item.sdu)!), ...item } as Record<string, unknown>
  const names = fieldNames.filter((name) => fields.includes(name))
  return Object.fromEntries(names.map((name) => [name, whole[name]]))
}

function expectAnswer(
  api: Api,
  model: Oracle,
  path: string,
  of: Readonly<Record<string, string>>,
  listed: readonly Item[],
  { limit, fields, facets, isPaged, filters: asked }: Request,
): void {
  const values = { ...of, ...asked, limit, fields }
  const withFacets = 'query' in of ? { ...values, facets } : values
  const pages = isPaged
    ? pagesOf(api, path, withFacets)
    : [ask(api, `${path}?${queryOf(withFacets)}`).json]
  const items = pages.flatMap(({ results }) => results)
  const expected = listed.map((item) => chosen(model, item, fields))
  expect(JSON.stringify(items)).toBe(JSON.stringify(isPaged ? expected : expected.slice(0, limit)))
  for (const page of pages) {
    expect('total' in page).toBe(isPaged)
    if (isPaged) expect(page).toMatchObject({ total: listed.length, snapshot_changed: false })
    expect('facets' in page).toBe('query' in of && facets !== undefined)
    if ('facets' in page) {
      expectFacets(model, listed, facets!, page.facets as Facets)
    }
  }
}

type Facets = Readonly<Record<string, readonly { key: string; count: number }[]>>

function expectFacets(
  model: Oracle,
  listed: readonly Item[],
  names: readonly string[],
  facets: Facets,
): void {
  expect(Object.keys(facets).sort()).toEqual([...names].sort())
  const people = listed.map(({ sdu }) => model.person(sdu)!)
  for (const [name, keys] of Object.entries(facets)) {
    expect(new Map(keys.map(({ key, count }) => [key, count]))).toEqual(
      facetOf(model, people, name),
    )
    const counts = keys.map(({ count }) => count)
    expect(counts).toEqual([...counts].sort((a, b) => b - a))
  }
}

/** Whose rank is that in the one topic that was understood; everybody's in the topic of a guess. */
function isRanked(model: Oracle, query: string, way: unknown, sdu: string): boolean {
  const expected = model.search(query)
  if ('topic' in expected) return true
  if (expected.way === 'identity') return false
  // A guess by a name that is found in a text shows places, any other ranks.
  if (expected.rankedBy === undefined) return expected.way === 'guess' && way !== 'name'
  return model.person(sdu)!.topics.has(expected.rankedBy)
}

describe('every precise answer is the model’s', () => {
  it('to a search, page by page, with all that can be asked for', () => {
    let filtered = 0
    fc.assert(
      fc.property(
        smallSources,
        fc.array(fc.tuple(text, request), { minLength: 1, maxLength: 20 }),
        (records, requests) => {
          const model = new Oracle(records)
          fc.pre(model.people.length > 0)
          const api = newApi(servedOf(records))
          for (const [query, each] of requests) {
            const of = { query }
            const { headers, json } = ask(api, `/api/v1/index?limit=50&${queryOf(of)}`)
            const { results } = json
            const way = headers['x-search-way']
            const asked = known(model, each.filters)
            const listed = results
              .filter(({ sdu }) => passes(model, model.person(sdu)!, asked))
              .map((item, index) =>
                isRanked(model, query, way, item.sdu) ? item : { ...item, rank: index + 1 },
              )
            if (listed.length > 0 && listed.length < results.length) filtered += 1
            expectAnswer(api, model, '/api/v1/index', of, listed, { ...each, filters: asked })
          }
        },
      ),
      runs,
    )
    expect(filtered).toBeGreaterThan(100)
  })

  it('to a peers request', () => {
    const handles = fc.array(fc.constantFrom(...handlePool, 'nobody', 'noone', 'twitter:ann'), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(
        smallSources,
        fc.array(fc.tuple(handles, request), { minLength: 1, maxLength: 10 }),
        (records, requests) => {
          const model = new Oracle(records)
          fc.pre(model.people.length > 0)
          const api = newApi(servedOf(records))
          for (const [values, each] of requests) {
            const union = new Set(values.flatMap((handle) => model.peers(handle)))
            const asked = known(model, each.filters)
            const listed = model.people
              .filter((person) => union.has(person) && passes(model, person, asked))
              .map((person, index) => model.summary(person, index + 1) as Item)
            const of = { handles: values.join(',') }
            expectAnswer(api, model, '/api/v1/peers', of, listed, { ...each, filters: asked })
          }
        },
      ),
      runs,
    )
  })

  it('to a detail or match request for some fields', () => {
    const fields = fc.subarray([...fieldNames], { minLength: 1 })
    fc.assert(
      fc.property(smallSources, fc.array(fields, { minLength: 1 }), (records, requests) => {
        const model = new Oracle(records)
        fc.pre(model.people.length > 0)
        const api = newApi(servedOf(records))
        const sdus = model.people.map(({ record }) => record.sdu).join(',')
        const ranks = new Map(
          ['twitter', 'github'].flatMap((platform) =>
            ask(api, `/api/v1/match?handles=${platform}:ann`).json.results.map((item) => [
              item.sdu,
              item,
            ]),
          ),
        )
        for (const names of requests) {
          const { results } = ask(api, `/api/v1/detail?${queryOf({ sdus, fields: names })}`).json
          const wanted = results.map((item) => Object.keys(item))
          const inOrder = fieldNames.filter((name) => names.includes(name))
          expect(wanted).toEqual(wanted.map(() => inOrder))
          for (const [index, person] of model.people.entries()) {
            const { rank, ...others } = results[index]!
            const whole = { ...model.profile(person), ...model.summary(person, 0) }
            expect(whole).toMatchObject(others)
            const matched = ranks.get(person.record.sdu)
            if (rank !== undefined && matched !== undefined) expect(rank).toBe(matched.rank)
          }
          for (const [sdu, item] of ranks) {
            const [own] = model
              .person(sdu)!
              .socials.filter(({ platform }) => ['twitter', 'github'].includes(platform))
            const query = queryOf({ handles: `${own?.platform}:ann`, fields: names })
            const { results: items } = ask(api, `/api/v1/match?${query}`).json
            if (items.length === 1 && items[0]!.sdu === sdu) {
              expect(items[0]).toEqual(chosen(model, item, names))
            }
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})
