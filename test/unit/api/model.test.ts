/** The API against the model: random sources, random requests, and no answer that differs. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import type { Api } from '../../../src/api/api.ts'
import { ladder } from '../../../src/engine/interpret/ways/ladder.ts'
import { parseHandle } from '../../../src/text/handle.ts'
import { ask, type Item, newApi } from '../../support/api-client.ts'
import { snapshotOf } from '../../support/built.ts'
import { type Expected, Oracle, type Person, type Ranked } from '../../support/oracle.ts'
import {
  aliasPool,
  authority,
  handlePool,
  identifierQueries,
  labelPool,
  platformPool,
  sduPool,
  smallSources,
  social,
  topic,
  unspacedNames,
} from '../../support/records.ts'

const slash = fc.constantFrom('', '/')
/** Also such as cut most answers: sources are small. */
const limit = fc.oneof(
  fc.constant(undefined),
  fc.integer({ min: 1, max: 3 }),
  fc.integer({ min: 1, max: 60 }),
)
const encoding = fc.constantFrom(encodeURIComponent, (text: string) =>
  encodeURIComponent(text).replaceAll('%20', '+'),
)

const among = (texts: string) => fc.constantFrom(...texts.split(','))

/** Words of names, topics and countries in both numbers, half written and misspelled; and glue. */
const queryWord = fc.oneof(
  { weight: 3, arbitrary: among('Ada,Lovelace,engineer,data,rust,go,web,ml,李') },
  { weight: 2, arbitrary: among('France,French,fr,ivorians,Congolese,UK') },
  { weight: 2, arbitrary: among('engineers,sciences,learning,machines,datas') },
  { weight: 2, arbitrary: among('lovelcae,enginer,frnch,politisc,jsoe,adb') },
  { weight: 2, arbitrary: among('who is,the best,in,experts,from,of') },
  { weight: 1, arbitrary: among('eng,lov,e,李明,明李,"rust","data"') },
)

/** The same names with slips, other spaces, and the family name at the other end. */
const unspacedQuery = fc.constantFrom(
  ...unspacedNames,
  ...'王小李,王李小明,明,小明王,小明 王,김민즌,민준 김,민쥰 김,김민,바근정'.split(','),
  ...'ジョンスミス,スミス・ジョン,ジヨンスミス,สมชัยใจดี,สมชยัใจดี,who is 김 민준?,김준 data'.split(
    ',',
  ),
)

const query = fc.oneof(
  { weight: 3, arbitrary: unspacedQuery },
  { weight: 2, arbitrary: fc.constantFrom(...labelPool, ...aliasPool) },
  { weight: 2, arbitrary: among('rust engineer,ada lovel,jose data,politics,?!,zzzz') },
  { weight: 2, arbitrary: among('machine learnin,econ,brien,machinelearning') },
  {
    weight: 6,
    arbitrary: fc.array(queryWord, { minLength: 1, maxLength: 4 }).map((each) => each.join(' ')),
  },
  { weight: 1, arbitrary: among('@ann,twitter:bob,who is @ann?,https://x.com/Ann,7,07') },
)

const sdu = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...sduPool) },
  { weight: 1, arbitrary: fc.constant('404') },
)

const socialHandle = fc
  .tuple(
    fc.constantFrom(...handlePool, 'nobody', 'noone', 'unheard-of'),
    fc.constantFrom('', ...platformPool.map((name) => `${name}:`), 'X:', 'https://x.com/'),
  )
  .map(([name, platform]) => `${platform}${name}`)
const handle = fc.oneof(
  { weight: 4, arbitrary: socialHandle },
  { weight: 1, arbitrary: fc.constantFrom(...identifierQueries) },
)

/** One request of a list of values: how they are cut into parameters and how each is spelled. */
function listRequests(value: fc.Arbitrary<string>, names: readonly [string, string]) {
  const parameter = fc.tuple(
    fc.constantFrom(...names),
    fc.array(value, { minLength: 1, maxLength: 3 }),
  )
  return fc.array(parameter, { minLength: 1, maxLength: 3 }).map((parameters) => ({
    values: parameters.flatMap(([, values]) => values),
    query: parameters
      .map(([name, values]) => `${name}=${values.map(encodeURIComponent).join(',')}`)
      .join('&'),
  }))
}

/** `many` requests to one source, so that building it pays. */
function many<T>(request: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> {
  return fc.array(request, { minLength: 1, maxLength: 20 })
}

/** Shares are as exact as the rounds that settle them. */
function near(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-8
}

/** Whether items are the first of a ranking; those of one value may change places. */
function isRanking(items: readonly Item[], ranking: readonly Ranked[], most: number): boolean {
  const values = new Map(ranking.map(({ person, value }) => [person.record.sdu, value]))
  const distinct = new Set(items.map((item) => item.sdu)).size === items.length
  const ordered = items.every(({ sdu }, index) =>
    near(values.get(sdu) ?? -1, ranking[index]?.value ?? -1),
  )
  return distinct && ordered && items.length === Math.min(most, ranking.length)
}

function expectSearch(
  api: Api,
  items: readonly Item[],
  model: Oracle,
  text: string,
  most: number,
): void {
  const summaries = items.map(({ sdu, rank }) => model.summary(model.person(sdu)!, rank))
  expect(items).toEqual(summaries)
  const expected = model.search(text)
  if (expected.way === 'guess') {
    // Behind them may stand the members of a topic whose name the text is, too.
    const isAny = model.topics.some((key) => {
      const ranking = model.ranking(key)
      return isRanking(items.slice(0, ranking.length), ranking, most)
    })
    expect(items.length === 0 || isAny).toBe(true)
    expectPositions(items)
  } else if ('topic' in expected) {
    expect(isRanking(items, model.ranking(expected.topic), most)).toBe(true)
    expectPositions(items)
  } else if (expected.way === 'identity') {
    const sdus = expected.people.slice(0, most).map(({ record }) => record.sdu)
    expect(items.map(({ sdu }) => sdu)).toEqual(sdus)
    expectPositions(items)
  } else {
    expectPeople(api, items, model, expected, most, isLatin.test(text))
  }
}

function expectPositions(items: readonly Item[]): void {
  expect(items.map(({ rank }) => rank)).toEqual(items.map((_, index) => index + 1))
}

type People = Extract<Expected, { people: readonly { value: number }[] }>

/** Those with values by value, of which near ones may change places; the others as they stand. */
function expectPeople(
  api: Api,
  items: readonly Item[],
  model: Oracle,
  { people, rankedBy }: People,
  most: number,
  isSpaced: boolean,
): void {
  const values = new Map(people.map(({ person, value }) => [person.record.sdu, value]))
  expect(items.length).toBe(Math.min(most, people.length))
  expect(new Set(items.map(({ sdu }) => sdu)).size).toBe(items.length)
  items.forEach(({ sdu, rank }, index) => {
    const { person, value } = people[index]!
    const scores = [model.person(sdu)!, person].map((each) => model.profile(each).authority_score)
    // Of one score whose name is said best comes first: see asked/equals.tsv.
    const isEqual = value === values.get(sdu) && scores[0] === scores[1]
    if (value === Number.POSITIVE_INFINITY && isSpaced) expect(isEqual).toBe(true)
    else if (value === Number.POSITIVE_INFINITY || value === 0) expect(sdu).toBe(person.record.sdu)
    else expect(near(values.get(sdu)!, value)).toBe(true)
    if (rankedBy === undefined || values.get(sdu) === 0) expect(rank).toBe(index + 1)
    else expectRank(api, model, rankedBy, sdu, rank)
  })
}

/** A rank in a topic must be one that its value allows, and the one that the topic's search tells. */
function expectRank(api: Api, model: Oracle, topic: string, sdu: string, rank: number): void {
  const ranking = model.ranking(topic)
  const own = ranking.find(({ person }) => person.record.sdu === sdu)
  expect(near(ranking[rank - 1]!.value, own!.value)).toBe(true)
  const meant = model.search(topic)
  // Somebody may be called like the topic.
  if (!('topic' in meant && meant.topic === topic)) return
  const inTopic = ask(api, `/api/v1/index?limit=50&query=${encodeURIComponent(topic)}`)
  expect(inTopic.json.results[rank - 1]!.sdu).toBe(sdu)
}

function expectCoreRank(api: Api, model: Oracle, person: Person, rank: number): void {
  const [core = ''] = person.topics.keys()
  expectRank(api, model, core, person.record.sdu, rank)
}

/** The handles that are asked for, each once, as it was spelled first. */
function distinct(handles: readonly string[]): string[] {
  const identities = handles.map((handle) => JSON.stringify(parseHandle(handle)))
  return handles.filter((_, index) => identities.indexOf(identities[index]!) === index)
}

/** The ways that the model knows; each of the others has a test of its own. */
const modelled = ['topic', 'people', 'corrected', 'likely']
const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]*$/u

const searches = many(fc.record({ text: query, limit, slash, encode: encoding }))
const details = many(fc.tuple(listRequests(sdu, ['sdus', 'sdu']), slash))
const lists = many(fc.tuple(listRequests(handle, ['handles', 'handle']), slash, limit))

it('every answer is the model’s: to searches, details, peers and matches', () => {
  fc.assert(
    fc.property(smallSources, searches, details, lists, (records, texts, sdus, handles) => {
      const model = new Oracle(records)
      fc.pre(model.people.length > 0)
      const snapshot = snapshotOf(records)
      const api = newApi(activate(snapshot))
      const some = ladder.filter(({ name }) => modelled.includes(name))
      const searched = newApi(activate(snapshot, { ways: some }))
      for (const { text, limit: most, slash: end, encode } of texts) {
        const target = `/api/v1/index${end}?query=${encode(text)}${suffixOf(most)}`
        const { results } = ask(searched, target).json
        expectSearch(searched, results, model, text, Math.min(most ?? 10, 50))
      }
      for (const [{ values, query: text }, end] of sdus) {
        const expected = [...new Set(values)].flatMap((each) => model.person(each) ?? [])
        const { results } = ask(api, `/api/v1/detail${end}?${text}`).json
        expect(results).toEqual(expected.map((person) => model.profile(person)))
      }
      for (const [{ values, query: text }, end, most] of handles) {
        const union = new Set(values.flatMap((each) => model.peers(each)))
        const people = model.people.filter((each) => union.has(each)).slice(0, most ?? 10)
        const peers = ask(api, `/api/v1/peers${end}?${text}${suffixOf(most)}`).json.results
        expect(peers).toEqual(people.map((person, index) => model.summary(person, index + 1)))
        expectMatch(
          api,
          model,
          distinct(values),
          ask(api, `/api/v1/match${end}?${text}`).json.results,
        )
      }
    }),
    { numRuns: 40 },
  )
})

function suffixOf(most: number | undefined): string {
  return most === undefined ? '' : `&limit=${most}`
}

function expectMatch(
  api: Api,
  model: Oracle,
  handles: readonly string[],
  results: readonly Item[],
): void {
  const expected = handles.flatMap((sent) => model.owners(sent).map((person) => ({ sent, person })))
  expect(results.length).toBe(expected.length)
  expected.forEach(({ sent, person }, index) => {
    const item = results[index]!
    const echo = handles.length > 1 ? { handle: sent } : {}
    expect(item).toEqual({ ...model.summary(person, item.rank), ...echo })
    expectCoreRank(api, model, person, item.rank)
  })
}

it('the model ranks by hand-made numbers too, so that it is not only the product a second time', () => {
  // Nobody follows anybody: shares are weight times 1 + ln(1 + followers), 2 against 1 and ½.
  const model = new Oracle({
    authorities: [
      authority({ sdu: '1' }),
      authority({ sdu: '2', socials: [social('twitter', 'b', Math.E - 1)] }),
      authority({ sdu: '3', topics: [topic('Rust', 0.5)] }),
    ],
  })
  const values = model.ranking('rust').map(({ person, value }) => [person.record.sdu, value])
  expect(values).toEqual([
    ['2', expect.closeTo(4 / 7, 9)],
    ['1', expect.closeTo(2 / 7, 9)],
    ['3', expect.closeTo(1 / 7, 9)],
  ])
})
