/** The API of DESIGN §7, row by row, without a socket and without money. */
import { describe, expect, it } from 'vitest'
import { ask, newApi, requestId } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { authority, connection, type Records, social, topic } from '../../support/records.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('several-values.tsv', import.meta.url))

/** Scores are given, so that the order is 1, 2, 3; in Rust, 3 is endorsed by the other two. */
const records: Partial<Records> = {
  authorities: [
    authority({
      sdu: '1',
      name: 'Ann "A" Ünal',
      bio: 'Writes.',
      countryName: 'France',
      topics: [topic('Rust'), topic('C#')],
      socials: [social('youtube', '@Ann', 12), social('twitter', 'ann')],
      website: 'https://ann.example',
      authorityScore: 90.5,
    }),
    authority({
      sdu: '2',
      topics: [topic('Machine learning'), topic('Rust')],
      socials: [social('github', 'Ann')],
      authorityScore: 80,
    }),
    authority({ sdu: '3', socials: [social('twitter', 'bob')], authorityScore: 70 }),
  ],
  topics: [{ topic: 'Rust', aliases: ['rustlang'] }],
  connections: [connection('1', '3'), connection('twitter:new', '2'), connection('2', '3')],
}

const served = servedOf(records)

function get(target: string, ifNoneMatch?: string) {
  return ask(newApi(served), target, ifNoneMatch === undefined ? {} : { ifNoneMatch })
}

function sdusOf(target: string): string[] {
  const { status, json } = get(target)
  expect(status).toBe(200)
  return json.results.map(({ sdu }) => sdu)
}

function detailOf(target: string): string {
  const { status, json } = get(target)
  expect(status).toBe(400)
  return String(json.detail)
}

const examples = {
  index: '/api/v1/index?query=rust',
  detail: '/api/v1/detail?sdus=1',
  peers: '/api/v1/peers?handles=bob',
  match: '/api/v1/match?handles=bob',
}

describe('an answer', () => {
  it('tells its duration in seconds, from the reading of the request on', () => {
    expect(get(examples.match).text).toMatch(/^\{"duration":0\.001000,/)
    expect(get('/nowhere').json.duration).toBe(0.001)
  })

  it('carries the request id in a header, whatever the status', () => {
    for (const target of [...Object.values(examples), '/nowhere', '/api/v1/match']) {
      expect(get(target).headers['x-request-id']).toBe(requestId)
    }
  })
})

describe('several values', () => {
  it.each(rowsOf('3 and then 1'))('are read from %s, in the order of the request', (query) => {
    expect(sdusOf(`/api/v1/detail?${query}`)).toEqual(['3', '1'])
  })

  it('may be 50, and are refused beyond', () => {
    const sdus = Array.from({ length: 51 }, (_, index) => index + 1)
    expect(sdusOf(`/api/v1/detail?sdus=${sdus.slice(1).join()}`)).toEqual(['2', '3'])
    expect(detailOf(`/api/v1/detail?sdus=${sdus.join()}`)).toBe('sdus holds more than 50 values')
    expect(detailOf(`/api/v1/match?handle=${sdus.join()}`)).toBe(
      'handles holds more than 50 values',
    )
  })
})

describe('limit', () => {
  const many = servedOf({
    authorities: Array.from({ length: 60 }, (_, index) => authority({ sdu: String(index + 1) })),
    connections: Array.from({ length: 60 }, (_, index) =>
      connection('twitter:hub', String(index + 1)),
    ),
  })

  function count(target: string): number {
    const { results } = ask(newApi(many), target).json
    expect(results.map(({ rank }) => rank)).toEqual(results.map((_, index) => index + 1))
    return results.length
  }

  it.each([
    '/api/v1/index?query=rust',
    '/api/v1/index?query=authority',
    '/api/v1/peers?handle=x:hub',
  ])('bounds %s: 10 without it, 50 at most', (target) => {
    expect(count(target)).toBe(10)
    expect([1, 11, 50, 51, 1000].map((limit) => count(`${target}&limit=${limit}`))).toEqual([
      1, 11, 50, 50, 50,
    ])
    expect(count(`${target}&limit=${'9'.repeat(400)}`)).toBe(50)
  })

  it('means nothing to detail and match', () => {
    expect(get(`${examples.detail}&limit=0`).status).toBe(200)
    expect(get(`${examples.match}&limit=x`).status).toBe(200)
  })
})

describe('the main parameter', () => {
  it('query may have 256 characters, and is refused beyond', () => {
    const characters = '\u{20000}'
    expect(get(`/api/v1/index?query=${encodeURIComponent(characters.repeat(256))}`).status).toBe(
      200,
    )
    expect(get(`/api/v1/index?query=${'a'.repeat(256)}`).status).toBe(200)
    expect(detailOf(`/api/v1/index?query=${encodeURIComponent(characters.repeat(257))}`)).toBe(
      'query is longer than 256 characters',
    )
    expect(detailOf(`/api/v1/index?query=${'a'.repeat(257)}`)).toContain('query is longer')
  })

  it('is refused when a handle is longer than 256 characters', () => {
    expect(get(`/api/v1/match?handle=${'a'.repeat(256)}`).status).toBe(200)
    expect(detailOf(`/api/v1/match?handle=${'a'.repeat(257)}`)).toContain(
      'handles: a handle is longer',
    )
  })
})

describe('handles', () => {
  it('that are echoed are escaped', () => {
    const tricky = 'https://x.com/ann?"\\\u0001é😀'
    const { results } = get(`/api/v1/match?handles=bob,${encodeURIComponent(tricky)}`).json
    expect(results[1]).toMatchObject({ sdu: '1', handle: tricky })
  })
})

describe('a problem', () => {
  it('is 500 when an answer throws, and says nothing of why but to the log', () => {
    const errors: unknown[] = []
    const broken = new Proxy(served, {
      get: () => {
        throw new Error('a secret')
      },
    })
    const { status, json, text } = ask(
      newApi(broken, { onError: (error) => errors.push(error) }),
      examples.index,
    )
    expect([status, json.type]).toEqual([500, 'urn:authority-index:problem:internal-error'])
    expect(text).not.toContain('secret')
    expect(errors).toEqual([new Error('a secret')])
  })
})

describe('an ETag', () => {
  it('is weak, and the same for the same request', () => {
    const { etag } = get(examples.index).headers
    expect(etag).toMatch(/^W\/"[0-9a-f]{16}-[0-9a-z]+"$/)
    expect(get(examples.index.replace('?', '/?')).headers.etag).toBe(etag)
  })

  it('is another for another request, and for another snapshot', () => {
    const targets = [
      ...Object.values(examples),
      `${examples.index}&limit=1`,
      `${examples.index}&limit=2`,
    ]
    expect(new Set(targets.map((target) => get(target).headers.etag)).size).toBe(targets.length)
    const other = newApi(servedOf({ authorities: records.authorities!.slice(1) }))
    expect(ask(other, examples.index).headers.etag).not.toBe(get(examples.index).headers.etag)
  })

  it('does not make a wrong request right', () => {
    expect(get('/api/v1/index', '*').status).toBe(400)
  })
})
