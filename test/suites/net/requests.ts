/**
 * Requests of every operation that answers queries, and of the paths that need no key: method, path,
 * query string or body, key and other headers, each chosen apart and each wrong at times.
 */
import fc from 'fast-check'
import type { Route } from '../../../src/operation.ts'
import { operations, type RouteName, routeNames } from '../../../src/operations.ts'
import type { Ask } from './asks.ts'
import { typedBody } from './bodies.ts'
import { type Faults, queryString } from './query-strings.ts'
import texts from './texts.json' with { type: 'json' }
import type { Vocabulary } from './vocabulary.ts'

type Header = readonly [name: string, value: string]

export const allowedOrigin = 'https://net.example'

const noHeader = fc.constant(undefined)

/** Mostly the key of the rich account; else other keys, malformed headers and no header. */
export function authorization(faults: Faults): fc.Arbitrary<Header | undefined> {
  const of = (value: string): Header => ['Authorization', value]
  const others = [
    ...['thin', 'broke', 'broke', 'suspended', 'suspended', 'revoked', 'expired'].map((name) =>
      of(`Bearer {key:${name}}`),
    ),
    undefined,
    of(''),
    of('Bearer'),
    of('Bearer {key:rich}x'),
    of('Bearer aik_000000000000000000000000000000000000'),
    of('bearer {key:rich}'),
    of('BEARER  {key:rich}'),
    of('Basic {key:rich}'),
    of('{key:rich}'),
  ]
  return fc.oneof(
    { weight: 40, arbitrary: fc.constant(of('Bearer {key:rich}')) },
    { weight: 2 + faults, arbitrary: fc.constantFrom(...others) },
  )
}

const conditions: fc.Arbitrary<Header | undefined> = fc.oneof(
  { weight: 24, arbitrary: noHeader },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('{etag}', '*', '"x", {etag}', 'W/"x"', '', '{etag}x', ' * ')
      .map((value): Header => ['If-None-Match', value]),
  },
)

const otherHeader: fc.Arbitrary<Header | undefined> = fc.oneof(
  { weight: 16, arbitrary: noHeader },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Header>(
      ['Origin', allowedOrigin],
      ['Origin', 'https://evil.example'],
      ['Origin', 'null'],
      ['Origin', 'http://localhost:3000'],
      ['Accept-Encoding', 'gzip, br'],
      ['Accept', 'text/html'],
      ['Range', 'bytes=0-1'],
      ['X-Forwarded-For', '1.2.3.4'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['X-Tag', 'net'],
      ['Connection', 'keep-alive'],
    ),
  },
)

function isHeader(header: Header | undefined): header is Header {
  return header !== undefined
}

const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'PURGE', 'get']

function methodOf(route: Route, faults: Faults): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...route.methods) },
    { weight: faults, arbitrary: fc.constantFrom(...methods) },
  )
}

function pathOf(route: Route, words: Vocabulary, faults: Faults): fc.Arbitrary<string> {
  const [first] = route.paths
  const wrong = [
    `${first}//`,
    first.toUpperCase(),
    first.replace('v1', 'v2'),
    `/${first}`,
    `${first}/x`,
    `${first};a=b`,
    `${first}%2f`,
    first.replace('a', '%61'),
    `${first}/../index`,
  ]
  const ids = [...words.snapshotIds, ...words.snapshotIds, '0'.repeat(32), 'CURRENT', '%20', '*']
  return fc
    .tuple(
      fc.oneof(
        { weight: 60, arbitrary: fc.constantFrom(...route.paths) },
        { weight: (faults + 1) >> 1, arbitrary: fc.constantFrom(...wrong) },
      ),
      fc.constantFrom(...ids),
    )
    .map(([path, id]) => path.replace('{id}', id))
}

function requestOf(name: RouteName, words: Vocabulary, faults: Faults): fc.Arbitrary<Ask> {
  const route: Route = operations[name]
  const common = fc.tuple(
    methodOf(route, faults),
    pathOf(route, words, faults),
    authorization(faults),
    conditions,
    otherHeader,
  )
  const query = queryString(name, words, faults)
  const posted = fc.tuple(
    typedBody(name, words, faults),
    fc.oneof(
      { weight: 60, arbitrary: fc.constant('') },
      { weight: faults, arbitrary: fc.oneof(fc.constant('x=1'), fc.constant('?'), query) },
    ),
    fc.constantFrom<'length' | 'chunked'>('length', 'length', 'length', 'length', 'chunked'),
  )
  return fc
    .tuple(common, query, posted)
    .map(
      ([[method, path, key, condition, other], asked, [{ type, body }, behind, framing]]): Ask => {
        const headers = [key, condition, other].filter(isHeader)
        const isPost = method === 'POST'
        const search = isPost ? behind : asked
        const target = search === '' ? path : `${path}?${search}`
        if (!isPost && method !== 'PUT') return { method, target, headers }
        const typed = type === undefined ? headers : [...headers, ['Content-Type', type] as const]
        return { method, target, headers: typed, body, framing }
      },
    )
}

/** Paths that need no key, the view of an account, and paths that do not exist. */
export const openTargets = [...texts.openTargets, `/${'a'.repeat(200)}`]

const openRequest: fc.Arbitrary<Ask> = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant('GET') },
      { weight: 3, arbitrary: fc.constantFrom(...methods) },
    ),
    fc.constantFrom(...openTargets),
    fc.option(authorization(20), { freq: 4, nil: undefined }),
    conditions,
    otherHeader,
  )
  .map(([method, target, ...headers]) => ({ method, target, headers: headers.filter(isHeader) }))

const preflight: fc.Arbitrary<Ask> = fc
  .tuple(
    fc.constantFrom('/api/v1/index', '/api/v1/match/', '/mcp', '/healthz', '/api/v1/x'),
    fc.constantFrom(allowedOrigin, 'https://evil.example', 'http://localhost:1', 'null'),
    fc.constantFrom('GET', 'POST', 'PUT', ''),
  )
  .map(([target, origin, method]) => ({
    method: 'OPTIONS',
    target,
    headers: [
      ['Origin', origin],
      ['Access-Control-Request-Method', method],
      ['Access-Control-Request-Headers', 'authorization'],
    ],
  }))

/** How often each route is chosen; 3 where a route is not listed. */
const weights: Readonly<Partial<Record<RouteName, number>>> = {
  search: 10,
  detail: 6,
  peers: 6,
  match: 6,
  rank: 4,
}

/** Requests of every operation, of which most are right and some have several faults. */
export function requests(words: Vocabulary): fc.Arbitrary<Ask> {
  const among = (faults: Faults) =>
    routeNames.map((name) => ({
      weight: weights[name] ?? 3,
      arbitrary: requestOf(name, words, faults),
    }))
  return fc.oneof(
    { weight: 20, arbitrary: fc.oneof(...among(1)) },
    { weight: 10, arbitrary: fc.oneof(...among(24)) },
    { weight: 2, arbitrary: openRequest },
    { weight: 1, arbitrary: preflight },
  )
}

export function fewFaults(name: RouteName, words: Vocabulary): fc.Arbitrary<Ask> {
  return requestOf(name, words, 1)
}
