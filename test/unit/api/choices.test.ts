/** What is wrong with what asks precisely, and that nothing of it is passed over. */
import { describe, expect, it } from 'vitest'
import { passedOverNames } from '../../../src/request-parameters.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, connection, type Records, social, topic } from '../../support/records.ts'
import { sectionsOf, tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('chosen.tsv', import.meta.url))

const records: Partial<Records> = {
  authorities: [
    authority({
      sdu: '1',
      name: 'Ann',
      countryName: 'France',
      topics: [topic('Rust', 1), topic('Oil, gas', 0.01), topic('Oil', 0.01)],
      socials: [social('twitter', 'ann', 100)],
      authorityScore: 90,
      attributes: [
        { key: 'party', value: 'Blue' },
        { key: 'state', value: 'New Mexico' },
      ],
    }),
    authority({
      sdu: '2',
      name: 'Bob',
      countryName: 'Peru',
      socials: [social('github', 'bob', 5)],
      authorityScore: 50.5,
      bio: 'Senator for New Mexico (Green).',
      attributes: [{ key: 'state', value: 'new mexico' }],
    }),
    authority({
      sdu: '3',
      name: 'Cy',
      topics: [topic('Rust', 0.1), topic('Oil sands', 0.01)],
      authorityScore: 10.05,
    }),
  ],
  connections: [connection('2', '1'), connection('3', '1')],
}
const api = newApi(servedOf(records))

function refusal(query: string, path = 'index'): string {
  const { status, json } = ask(api, `/api/v1/${path}?${query}`)
  expect(status).toBe(400)
  return String(json.detail)
}

function sdus(query: string): string[] {
  const { status, json } = ask(api, `/api/v1/index?query=rust&${query}`)
  expect(status).toBe(200)
  return json.results.map(({ sdu }) => sdu)
}

describe('a request is refused for', () => {
  it.each(sectionsOf(new URL('refused.tsv', import.meta.url)))('$title', ({ rows }) => {
    const found = rows.map(([target = '']) => {
      const [path, query = ''] = target.split(/\?(.*)/s)
      return [target, refusal(query, path)]
    })
    expect(found).toEqual(rows)
  })
})

describe('what exists', () => {
  it.each(rowsOf('filters and who is left'))('is chosen by %s', (query, expected) => {
    expect(sdus(query)).toEqual(JSON.parse(expected))
  })

  it('keeps its rank in the topic where others are left out', () => {
    const { results } = ask(api, '/api/v1/index?query=rust&country=peru').json
    expect(results).toMatchObject([{ sdu: '2', rank: 2 }])
  })
})

describe('a parameter that the operation does not take', () => {
  it.each([...passedOverNames, 'utm_source', 'utm_any'])(
    'is passed over where clients are known to send it: %s',
    (name) => {
      const { status, json } = ask(api, `/api/v1/match?${name}=1&handles=ann`)
      expect([status, json.results.length]).toEqual([200, 1])
    },
  )

  it('is passed over by a service that is set to, unless it is one slip away from one', () => {
    const lenient = newApi({ ...servedOf(records), ignoresUnknown: true })
    const { json } = ask(lenient, '/api/v1/match?handles=ann&country=nowhere&page=2')
    expect(json.results).toHaveLength(1)
    expect(ask(lenient, '/api/v1/index?query=rust&contry=France')).toMatchObject({ status: 400 })
  })
})

describe('a cursor', () => {
  const first = ask(api, '/api/v1/index?query=rust&cursor=*&limit=1').json

  it('is refused with other parameters than it came from', () => {
    const detail = 'cursor is of another list: send it with the parameters that it came from'
    const cursor = String(first.next_cursor)
    for (const query of ['query=ann', 'query=rust&country=fr', 'query=rust&score_min=0']) {
      expect(refusal(`${query}&cursor=${cursor}`)).toBe(detail)
    }
    expect(refusal(`handles=ann&cursor=${cursor}`, 'peers')).toBe(detail)
  })

  it('goes on with another limit, other fields and facets', () => {
    const more = `limit=50&fields=sdu&facets=country&cursor=${first.next_cursor}`
    const { json } = ask(api, `/api/v1/index?query=rust&${more}`)
    expect(json.results).toEqual([{ sdu: '2' }, { sdu: '3' }])
    expect(json).toMatchObject({ total: 3, next_cursor: null, snapshot_changed: false })
  })
})

describe('fields', () => {
  it('stand beside an explanation and the handle that an item answers', () => {
    const target = '/api/v1/match?handles=ann,bob&fields=sdu,authority_score&explain=true'
    const { results } = ask(api, target).json
    expect(results.map((item) => Object.keys(item))).toEqual(
      results.map(() => ['sdu', 'authority_score', 'handle', 'explanation']),
    )
    expect(results.map(({ authority_score }) => authority_score)).toEqual([90, 50.5])
  })
})
