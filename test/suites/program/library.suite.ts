/**
 * The library against the service: requests in many spellings go to a server and, as calls, to an index of
 * the same snapshot; items, members and problems are the same.
 */
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parsePairs } from '../../../src/api/parameters/query-reader.ts'
import { type Field, membersOf, parametersOf } from '../../../src/api/schemas/inputs.ts'
import type { AuthorityIndex } from '../../../src/library/types.ts'
import { type GetRouteName, operations, type PostRouteName } from '../../../src/operations.ts'
import { library } from '../../support/library.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { sharedService } from '../../support/shared.ts'
import { typedBody } from '../net/bodies.ts'
import { queryString } from '../net/query-strings.ts'
import { type Vocabulary, vocabularyOf } from '../net/vocabulary.ts'

/** `SEED=7 npx vitest run …` draws others. */
const seed = Number(process.env.SEED ?? 30)

const getRoutes = ['match', 'detail', 'peers', 'search', 'topics', 'autocomplete'] as const
const postRoutes = ['match', 'detail', 'rank'] as const

type Answer = Readonly<Record<string, unknown>>
type Call = (main: unknown, options: object) => Answer

const free = getRoutes.flatMap((route) => ['--price', `${route}=0`]).concat('--price', 'rank=0')
const service = sharedService(['--lookup-rate-limit', '0', ...free])
let index: AuthorityIndex
let words: Vocabulary

beforeAll(async () => {
  index = await library.openIndex(defaultSnapshots)
  words = vocabularyOf([join(defaultSnapshots, 'source')], [service.snapshotId])
})

afterAll(() => index?.close())

/** The same request as a call; undefined where the query string is not percent-encoded UTF-8. */
function callOf(route: GetRouteName, query: string) {
  const pairs = parsePairs(query)
  if (pairs.problem !== undefined) return undefined
  const [{ spellings }] = parametersOf(route) as [Field]
  const options = new Map<string, string[]>()
  const values: string[] = []
  for (const [name, value] of pairs.value) {
    if (spellings.includes(name)) values.push(value)
    else options.set(name, [...(options.get(name) ?? []), value])
  }
  // A text may be a list by commas, an entry of a list is one value.
  const given = Object.fromEntries(
    [...options].map(([name, [only = '', ...more]]) => [
      name,
      more.length === 0 ? only : [only, ...more].flatMap((text) => text.split(',')),
    ]),
  )
  const call = index[route as 'search'].bind(index) as unknown as Call
  if (route === 'topics') {
    const asCall = index.topics.bind(index) as unknown as (options: object) => Answer
    return () => asCall({ ...given, ...(values.length > 0 && { query: values }) })
  }
  const isOneText = route !== 'search'
  return () => call(isOneText ? values.join() : values, given)
}

describe('get', () => {
  it('gives the owner of one handle, null without one, and takes a comma as part of it', () => {
    const [owner] = index.match('@SenCapito').results
    expect(owner).toMatchObject({ name: 'Shelley Moore Capito' })
    expect(index.get('@SenCapito')).toEqual(owner)
    expect(index.get('nobody-at-all')).toBeNull()
    expect(index.get('SenCapito,nobody-at-all')).toBeNull()
    const others = ['twitter:sencapito', ' SenCapito ', 'https://x.com/SenCapito', '\u{1F600}', 'Ü']
    for (const handle of [...words.handles, ...others].filter((each) => !each.includes(','))) {
      expect(index.get(handle)).toEqual(index.match(handle).results[0] ?? null)
    }
    for (const wrong of ['', ' \n', 'a'.repeat(10_000), '\ud800']) {
      expect(() => index.get(wrong)).toThrow(library.RequestProblem)
    }
    expect(() => index.get('')).toThrow(library.InvalidParameter)
  })
})

describe('openIndex', () => {
  it('opens the example where nothing is asked for', async () => {
    const example = await library.openIndex()
    expect(example.snapshot).toEqual(index.snapshot)
    await example.close()
  })
})

async function said(response: Response): Promise<Answer> {
  const { duration, request_id, ...answer } = await jsonOf(response)
  if (response.status !== 200) return problemOf(answer.type.split(':').at(-1), answer.detail)
  const way = response.headers.get('x-search-way')
  return withoutCursor(way === null ? answer : { ...answer, way })
}

function called(call: () => Answer): Answer {
  try {
    return withoutCursor(call())
  } catch (error) {
    if (!(error instanceof library.RequestProblem)) throw error
    return problemOf(error.code, error.message)
  }
}

/** Of several names that are wrong, the one that comes first is named: options have another order. */
function problemOf(problem: string, detail: string): Answer {
  return { problem, detail: detail.replace(/^there is no parameter .*/, 'a slip') }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are compared as they come.
async function jsonOf(response: Response): Promise<any> {
  return response.json()
}

/** Cursors are written with a secret of the service: only whether there is one can be compared. */
function withoutCursor(answer: Answer): Answer {
  const { next_cursor: next } = answer
  return typeof next === 'string' ? { ...answer, next_cursor: '…' } : answer
}

describe('an index in the own process', () => {
  it('answers as the service does, item for item, whatever a GET asks and however it is spelled', async () => {
    const request = (faults: number) =>
      fc
        .constantFrom(...getRoutes)
        .chain((route) => fc.tuple(fc.constant(route), queryString(route, words, faults)))
    const seen = new Map<string, number>()
    const compare = async ([route, query]: readonly [GetRouteName, string]) => {
      const call = callOf(route, query)
      if (call === undefined) return
      const target = `${service.address}${operations[route].paths[0]}?${query}`
      const expected = await said(await fetch(target, { headers: service.headers }))
      expect(called(call)).toEqual(expected)
      const kind = 'problem' in expected ? 'problem' : route
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
    }
    await fc.assert(fc.asyncProperty(request(0), compare), { seed, numRuns: 250 })
    await fc.assert(fc.asyncProperty(request(2), compare), { seed, numRuns: 120 })
    expect([...seen.keys()].sort()).toEqual([...getRoutes, 'problem'].sort())
  })

  it('answers lists as the service answers bodies', async () => {
    const request = fc
      .constantFrom(...postRoutes)
      .chain((route) => fc.tuple(fc.constant(route), typedBody(route, words, 0)))
    const compare = async ([route, { body: latin1 }]: readonly [
      PostRouteName,
      { body: string },
    ]) => {
      const body = Buffer.from(latin1, 'latin1')
      const { [membersOf(route)[0]!.name]: main, ...options } = JSON.parse(body.toString())
      const headers = { ...service.headers, 'content-type': 'application/json' }
      const target = `${service.address}${operations[route].paths[0]}`
      const response = await fetch(target, { method: 'POST', headers, body })
      const call = index[route as 'match'].bind(index) as unknown as Call
      expect(called(() => call(main, options))).toEqual(await said(response))
    }
    await fc.assert(fc.asyncProperty(request, compare), { seed, numRuns: 120 })
  })

  it('goes on behind its own cursors as the service does behind its', async () => {
    let [cursor, there] = ['*', '*']
    for (let page = 0; page < 4; page += 1) {
      const options = { cursor, limit: 20, country: 'US' }
      const query = new URLSearchParams({
        query: 'politics',
        ...options,
        limit: '20',
        cursor: there,
      })
      const target = `${service.address}/api/v1/index?${query}`
      const expected = await jsonOf(await fetch(target, { headers: service.headers }))
      const answer = index.search('politics', options)
      expect(answer.results).toEqual(expected.results)
      expect(answer.results.length).toBeGreaterThan(0)
      expect(answer.total).toBe(expected.total)
      cursor = answer.next_cursor!
      there = expected.next_cursor
    }
  })

  it('explains ranks as detail does', async () => {
    const sdus = words.sdus.slice(0, 20)
    const target = `${service.address}/api/v1/detail?sdus=${sdus.join()}&explain=true&fields=sdu`
    const expected = await jsonOf(await fetch(target, { headers: service.headers }))
    expect(index.explain(sdus).results).toEqual(expected.results)
    expect(expected.results.length).toBe(20)
  })
})
