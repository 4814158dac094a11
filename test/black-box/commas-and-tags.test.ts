/**
 * What other programs make of a request on its way: a comma that is percent-encoded is part of a handle or a name, which
 * is one value with one charge; and an entity tag is ours with the coding behind it that a proxy adds.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { sharedShop } from '../support/shared.ts'
import { tableAt } from '../support/table-sections.ts'

const rowsOf = tableAt(new URL('commas-and-tags.tsv', import.meta.url))

const shop = sharedShop(['--price', 'detail=0.001'])
/** Two handles with one owner each, and their SDUs. */
let owned: readonly { readonly handle: string; readonly sdu: string }[]

beforeAll(async () => {
  const { json } = await shop.ask('/api/v1/index?query=climate&limit=50&fields=sdu,socials')
  const people = json.results as readonly {
    readonly sdu: string
    readonly socials: Readonly<Record<string, { readonly handle: string }>>
  }[]
  owned = people
    .flatMap(({ sdu, socials }) =>
      Object.entries(socials)
        .filter(([, { handle }]) => /^@?\w+$/.test(handle))
        .slice(0, 1)
        .map(([platform, { handle }]) => ({ handle: `${platform}:${handle}`, sdu })),
    )
    .slice(0, 2)
  expect(owned).toHaveLength(2)
})

async function sold(target: string): Promise<{ cost: number; sdus: string[] }> {
  const { status, headers, json } = await shop.ask(target)
  expect([target, status]).toEqual([target, 200])
  const sdus = (json.results as readonly { sdu: string }[]).map(({ sdu }) => sdu)
  return { cost: Number(headers.get('x-cost-usd')), sdus }
}

describe('a percent-encoded comma', () => {
  it.each(['match', 'peers'])('is part of one handle of %s, with one charge', async (route) => {
    const price = { match: 0.0005, peers: 0.003 }[route]!
    for (const [query, count] of rowsOf('how many handles')) {
      const { cost } = await sold(`/api/v1/${route}?${query}`)
      expect([query, cost]).toEqual([query, Math.round(price * Number(count) * 1e6) / 1e6])
    }
  })

  it('separates no two handles, whatever stands beside them', async () => {
    const [one, two] = owned as [(typeof owned)[0], (typeof owned)[0]]
    const match = (query: string) => sold(`/api/v1/match?handles=${query}`)
    expect(await match(`${one.handle},${two.handle}`)).toEqual({
      cost: 0.001,
      sdus: [one.sdu, two.sdu],
    })
    const joined = await match(`${one.handle}%2Cx${two.handle}`)
    expect(joined.cost).toBe(0.0005)
    expect(joined.sdus).not.toContain(two.sdu)
    const beside = await match(`${one.handle}%2Cx${two.handle},${two.handle}`)
    expect(beside).toEqual({ cost: 0.001, sdus: [...joined.sdus, two.sdu] })
  })

  it('separates values that hold none', async () => {
    const [one, two] = owned as [(typeof owned)[0], (typeof owned)[0]]
    const target = (comma: string) => `/api/v1/detail?sdus=${one.sdu}${comma}${two.sdu}`
    expect((await sold(target('%2C'))).sdus).toEqual([one.sdu, two.sdu])
    const { json } = await shop.ask(`${target(',')}&fields=sdu%2Cname`)
    expect(Object.keys(json.results[0])).toEqual(['sdu', 'name'])
  })

  it('in a filter makes a name that does not exist a 400 that says how to separate two', async () => {
    const { status, json } = await shop.ask('/api/v1/index?query=climate&platform=github%2Ctwitter')
    expect(status).toBe(400)
    expect(json.detail).toContain('a comma between two values is not percent-encoded')
    const parted = await shop.ask('/api/v1/index?query=climate&platform=github,twitter')
    expect(parted.status).toBe(200)
  })
})

describe('an entity tag', () => {
  const targets = ['/api/v1/index?query=climate', '/api/v1/match?handle=ann', '/openapi.json']

  /** Sends tags made of the one that a target has, where it is known and where it is not; it is open without its last quote. */
  it.each([
    ['is known with a coding behind it', 'tags that are known', 304],
    ['of something else stays another with it', 'tags of something else', 200],
  ])('%s', async (_, title, expected) => {
    for (const target of targets) {
      const etag = (await shop.ask(target)).headers.get('etag')!
      const open = etag.slice(0, -1)
      for (const [row = ''] of rowsOf(title)) {
        const tag = row.replace('OPEN', open).replace('STRONG', open.replace('W/', ''))
        const answered = await shop.ask(target, { headers: { 'if-none-match': tag } })
        expect([target, tag, answered.status]).toEqual([target, tag, expected])
        expect(answered.headers.get('etag')).toBe(etag)
      }
    }
  })
})
