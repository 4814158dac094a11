/**
 * The table of requests: plain answers, what a door adds, filters, fields, pages, facets, explanations
 * and suggestions, each with the kind that it is compared with and what is wanted of it.
 */

import type { Catalog } from '../../src/engine/catalog.ts'
import { nameOf } from '../../src/engine/person-names.ts'
import { textAt } from '../../src/memory/text-table.ts'
import { Random } from '../../test/support/random.ts'
import type { Door } from './doors.ts'

/** One kind of request. */
export interface RequestKind {
  readonly name: string
  readonly door: Door
  /** The n-th request; it holds the turn, which no two requests share, where answers are kept. */
  readonly target: (n: number, turn: number) => string
  /** Asked in one of so many rounds; in each when absent. */
  readonly every?: number
  /** The name of the kind that it is compared with. */
  readonly by?: string
  /** What is wanted of its figures. */
  readonly wanted?: string
}

/** How much to draw: topics to ask for, the largest first, and texts of each kind. */
interface Draw {
  readonly topics: number
  readonly texts: number
}

/** An answer on the wire takes 11 µs of a core (wire bench): so much is 5 % of it, and 3 %. */
const chargedWanted = 'at most 0.60 µs more'
const watchedWanted = 'at most 0.35 µs more'
const heavyEvery = 40

/** All kinds over a catalog. */
export function requestKinds(catalog: Catalog, { topics, texts }: Draw): RequestKind[] {
  const labels = catalog.largestTopics(topics).map(({ topic }) => topic)
  const random = new Random(23, texts)
  const drawn = <T>(count: number, of: (at: number) => T): T[] =>
    Array.from(random.permutation(count).subarray(0, texts), of)
  const handles = catalog.tableOf('handle')
  const owned = drawn(handles.ends.length, (at) => textAt(handles, at)).filter(
    (key) => catalog.ownersOf({ platform: undefined, key }).length > 0,
  )
  const { authorities } = catalog.counts
  const sdus = drawn(authorities, (ordinal) => catalog.sduOf(ordinal))
  const names = drawn(authorities, (ordinal) => nameOf(catalog, ordinal))
  // Another pair for each turn: those before the first, those that are timed and those whose bytes are counted.
  const pairs = Array.from(random.permutation(authorities).subarray(0, 3 * texts), (ordinal) =>
    twoWordsOf(catalog, ordinal, random),
  )
  return [
    ...routeKinds(labels, sdus, owned),
    ...countedKinds(owned, sdus, pairs),
    ...preciseKinds(catalog, labels),
    ...largestKinds(labels),
    ...typedKinds({ names, handles: owned, topics: labels }),
  ]
}

const pick = (list: readonly string[], n: number) => encodeURIComponent(list[n % list.length]!)

/** Each route plain, explained, and behind each door. */
function routeKinds(
  labels: readonly string[],
  sdus: readonly string[],
  handles: readonly string[],
): RequestKind[] {
  const targets: Readonly<Record<string, (n: number) => string>> = {
    search: (n) => `/api/v1/index?query=${pick(labels, n)}`,
    detail: (n) => `/api/v1/detail?sdus=${pick(sdus, n)}`,
    peers: (n) => `/api/v1/peers?handles=${pick(handles, n)}`,
    match: (n) => `/api/v1/match?handles=${pick(handles, n)}`,
  }
  const ofRoutes = Object.entries(targets).flatMap(([route, target]): RequestKind[] => [
    { name: route, door: 'open', target },
    {
      name: `${route}, explain=true`,
      door: 'open',
      target: (n) => `${target(n)}&explain=true`,
      by: route,
      wanted: 'at most 90 µs more',
    },
  ])
  // The two cheapest requests, where a door weighs most: a topic's first ten, and an owner.
  const behindDoors = ['search', 'match'].flatMap((route): RequestKind[] => {
    const target = () => targets[route]!(0)
    const charged = `${route} again, key and charge`
    const limited = `${route} again, rate limit too`
    return [
      { name: `${route} again`, door: 'open', target },
      { name: charged, door: 'charged', target, by: `${route} again`, wanted: chargedWanted },
      { name: limited, door: 'limited', target, by: charged, wanted: watchedWanted },
      {
        name: `${route} again, metrics too`,
        door: 'counted',
        target,
        by: limited,
        wanted: watchedWanted,
      },
    ]
  })
  return [...ofRoutes, ...behindDoors]
}

/** Requests that were never asked before, behind all doors: what they leave to the garbage collector. */
function countedKinds(
  handles: readonly string[],
  sdus: readonly string[],
  pairs: readonly string[],
): RequestKind[] {
  const kind = (name: string, wanted: string, target: RequestKind['target']): RequestKind => ({
    name: `${name}, all doors`,
    door: 'counted',
    target,
    wanted,
  })
  return [
    kind('match', '200 bytes', (n) => `/api/v1/match?handles=${pick(handles, n)}`),
    kind('detail', '200 bytes', (n) => `/api/v1/detail?sdus=${pick(sdus, n)}`),
    kind('peers', '200 bytes', (n) => `/api/v1/peers?handles=${pick(handles, n)}`),
    kind('two words', '1,000 bytes', (_, turn) => {
      return `/api/v1/index?query=${pick(pairs, turn + pairs.length)}`
    }),
  ]
}

const plainTopic = 'topic'

/** What a search for a topic can ask besides, each request for the first time. */
function preciseKinds(catalog: Catalog, labels: readonly string[]): RequestKind[] {
  const countries = Array.from({ length: catalog.counts.countries }, (_, each) =>
    catalog.countryOf(each),
  ).filter((name) => name !== '')
  const { platforms } = catalog
  const filters: Readonly<Record<string, (n: number) => string>> = {
    'a country': (n) => `country=${pick(countries, n)}`,
    'a platform': (n) => `platform=${pick(platforms, n)}`,
    'another topic': (n) => `topic=${pick(labels, n * 7 + 1)}`,
    'a score': (n) => `score_min=${n % 90}`,
    followers: (n) => `followers_min=${10 ** (n % 7)}`,
    'two countries, a platform and a score': (n) =>
      `country=${pick(countries, n)},${pick(countries, n + 3)}&platform=${pick(platforms, n)}&score_min=${n % 50}`,
  }
  const kind = (
    name: string,
    more: (n: number) => string,
    wanted?: Pick<RequestKind, 'by' | 'wanted'>,
  ): RequestKind => ({
    name,
    door: 'open',
    target: (n, turn) => `/api/v1/index?query=${pick(labels, n)}&${more(n)}&_=${turn}`,
    ...wanted,
  })
  return [
    kind(plainTopic, () => ''),
    kind(`${plainTopic}, fields=sdu,authority_score`, () => 'fields=sdu,authority_score', {
      by: plainTopic,
      wanted: 'ratio at most 1',
    }),
    kind(`${plainTopic}, the first page`, () => 'cursor=*', { by: plainTopic }),
    ...Object.entries(filters).map(([name, more]) =>
      kind(`${plainTopic} and ${name}`, more, { by: plainTopic, wanted: 'p99 at most 500 µs' }),
    ),
  ]
}

/** Everybody of the largest topic is counted. */
function largestKinds(labels: readonly string[]): RequestKind[] {
  const fifty = labels.slice(0, 50).map(encodeURIComponent).join(',')
  const kind = (more: string, wanted?: string): RequestKind => ({
    name: `largest topic: ${more.replace(fifty, 'FIFTY')}`,
    door: 'open',
    every: heavyEvery,
    target: (_, turn) => `/api/v1/index?query=${pick(labels, 0)}&${more}&_=${turn}`,
    ...(wanted !== undefined && { wanted }),
  })
  return [
    ...['country', 'platform', 'topic'].map((facet) =>
      kind(`facets=${facet}`, 'p99 at most 3,000 µs'),
    ),
    kind(`facets=country,topic,platform&cursor=*&followers_min=1&topic=${fifty}`),
  ]
}

/** Texts as people type them letter by letter. */
function typedKinds(drawn: Readonly<Record<'names' | 'handles' | 'topics', readonly string[]>>) {
  const first = (texts: readonly string[], most: number) =>
    texts.map((text) => [...text].slice(0, most).join(''))
  const second = (most: number) =>
    drawn.names.map((name) => {
      const [given = '', ...rest] = name.split(' ')
      return `${given} ${[...rest.join(' ')].slice(0, most).join('')}`
    })
  const texts: Readonly<Record<string, readonly string[]>> = {
    'a letter of a name': first(drawn.names, 1),
    'two letters of a name': first(drawn.names, 2),
    'four letters of a name': first(drawn.names, 4),
    'a name and a letter': second(1),
    'a name and three letters': second(3),
    'four letters of a handle': first(drawn.handles, 4),
    'four letters of a topic': first(drawn.topics, 4),
  }
  return Object.entries(texts).map(
    ([name, list]): RequestKind => ({
      name: `autocomplete: ${name}`,
      door: 'open',
      target: (n) => `/api/v1/autocomplete?query=${pick(list, n)}`,
      wanted: 'p99 at most 200 µs',
    }),
  )
}

/** Two words of what a person's record says, from three letters on. */
export function twoWordsOf(catalog: Catalog, ordinal: number, random: Random): string {
  const { profiles } = catalog
  const { name, bio, topics } = JSON.parse(profiles.textAt(ordinal)) as {
    readonly name: string
    readonly bio: string
    readonly topics: readonly string[]
  }
  const words = [bio, name, ...topics].join(' ').split(/[^\p{L}\p{M}\p{N}]+/u)
  const long = words.filter(({ length }) => length > 2)
  return `${random.pick(long)} ${random.pick(long)}`
}
