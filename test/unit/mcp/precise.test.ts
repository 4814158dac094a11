/** Tools that are asked precisely, and what they take of a model's attention: bytes, four a token. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataMark } from '../../../src/mcp/record-texts.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { connectStdio, type Era, eras, textOf } from './served.ts'

const guide = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'mcp.md'), 'utf8')
const bytesPerToken = 4
const listTokensMax = 2_500
const conciseTokensMax = 750

function tokensOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value)) / bytesPerToken
}

interface Answer {
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

async function call(client: Client, name: string, given: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: given })
  return { result, text: textOf(result), answer: result.structuredContent as unknown as Answer }
}

/** A client of each revision of the protocol, for all tests: a session keeps nothing. */
const clients = new Map<Era, Client>()

beforeAll(async () => {
  const words = ['--snapshots', defaultSnapshots]
  for (const era of eras) clients.set(era, await connectStdio(words, era, {}, afterAll))
})

const connect = (era: Era = 'modern') => clients.get(era)!

/** What ten people of the default snapshot are asked for by, tool by tool. */
async function tenPeople(
  client: Client,
): Promise<[name: string, given: Record<string, unknown>][]> {
  const { answer } = await call(client, 'search_authorities', { query: 'US politics' })
  const sdus = answer.results.map(({ sdu }) => sdu)
  const detail = await call(client, 'get_authority_detail', { sdus })
  const socials = detail.answer.results.map((each) => each.socials as Record<string, Social>)
  const handles = socials.map((each) => {
    const [platform, { handle }] = Object.entries(each)[0]!
    return `${platform}:${handle.replace('@', '')}`
  })
  return [
    ['search_authorities', { query: 'US politics' }],
    ['search_authorities', { query: 'research data management', cursor: '*' }],
    ['find_peers', { handles: ['github:davidtwco'] }],
    ['match_handle', { handles }],
    ['rank_sources', { sources: handles, topic: 'US politics' }],
    ['get_authority_detail', { sdus, response_format: 'concise' }],
  ]
}

interface Social {
  readonly handle: string
}

describe('what a model has to read', () => {
  it.each(eras)('says nothing of charges where nothing is charged (%s)', async (era) => {
    const client = connect(era)
    const { tools } = await client.listTools()
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const said = [client.getInstructions(), tools, resources, resourceTemplates]
    expect(JSON.stringify(said)).not.toMatch(/charg|free|price/i)
  })

  it.each(eras)(
    'of the list of tools is less than 2,500 tokens, all of them offered (%s)',
    async (era) => {
      const words = ['--snapshots', defaultSnapshots, '--mcp-search-fetch']
      const { tools: read } = await (await connectStdio(words, era)).listTools()
      expect(read.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['search_authorities', 'search', 'fetch']),
      )
      expect(read).toHaveLength(9)
      const tokens = tokensOf({ tools: read })
      expect(tokens).toBeLessThan(listTokensMax)
      // The guide says how many, with these two and without.
      const fewer = read.filter(({ name }) => name !== 'search' && name !== 'fetch')
      const both = [tokensOf({ tools: fewer }), tokens]
      for (const each of both) expect(guide).toContain(Math.round(each).toLocaleString('en-US'))
      const [, topics = ''] = /here: (.*) \(data from records\)/.exec(read[0]!.description!)!
      const names = JSON.parse(`[${topics}]`) as string[]
      expect(names).toHaveLength(8)
      for (const name of names) expect(guide).toContain(name)
    },
  )

  it('of a concise answer with ten people is less than 750 tokens, whichever tool answers', async () => {
    const client = connect()
    for (const [name, given] of await tenPeople(client)) {
      const { result, text, answer } = await call(client, name, given)
      expect([name, answer.results.length]).toEqual([name, 10])
      expect(text.length).toBeLessThan(JSON.stringify(answer).length)
      expect(tokensOf(result), name).toBeLessThan(conciseTokensMax)
    }
  })

  it('is more where it asks for details: all of the answer, and a link to everybody', async () => {
    const client = connect()
    const given = { query: 'rust', limit: 3 }
    const concise = await call(client, 'search_authorities', given)
    const { result, text, answer } = await call(client, 'search_authorities', {
      ...given,
      response_format: 'detailed',
    })
    expect(text).toBe(concise.text)
    expect(concise.result.content).toHaveLength(1)
    expect(result.content).toHaveLength(4)
    const known = { name: 'David Wood', country_name: '', topic: 'Rust' }
    const query = { way: 'topic' }
    expect(answer).toMatchObject({
      query,
      request_id: expect.any(String),
      results: [known, {}, {}],
    })
    expect(concise.answer).not.toHaveProperty('query')
    const profile = await call(client, 'get_authority_detail', {
      sdus: [answer.results[0]!.sdu],
      response_format: 'concise',
    })
    expect(profile.text).toMatch(/\nDavid Wood, SDU \d+, authority score 100 \(Rust, .*\)$/)
  })
})

describe('a tool', () => {
  it('thins out by what the API filters by, and says of a wrong value which is meant', async () => {
    const client = connect()
    const filters = { country: ['United States'], platform: ['wikidata'], score_min: 30 }
    const { answer } = await call(client, 'search_authorities', {
      query: 'health',
      ...filters,
      topic: ['US politics'],
      followers_min: 0,
      limit: 50,
    })
    expect(answer.results.length).toBeGreaterThan(2)
    const sdus = answer.results.map(({ sdu }) => sdu)
    const profiles = await call(client, 'get_authority_detail', {
      sdus,
      fields: ['country', 'authority_score', 'topics'],
    })
    for (const { country, authority_score: score, topics } of profiles.answer.results) {
      expect([country, topics]).toEqual(['United States', expect.arrayContaining(['US politics'])])
      expect(score).toBeGreaterThanOrEqual(30)
    }
    const wrong = await call(client, 'search_authorities', { query: 'x', country: ['Frannce'] })
    expect(wrong.result.isError).toBe(true)
    expect(wrong.text).toContain("the nearest is 'France'")
    const peers = await call(client, 'find_peers', { handles: ['@davidtwco'], score_min: 60 })
    expect(peers.answer.results.length).toBeGreaterThan(0)
  })

  it('answers the fields that are named, and the SDU, in text and structure', async () => {
    const client = connect()
    const given = { handles: ['github:davidtwco', 'nobody'], fields: ['authority_score'] }
    const { text, answer } = await call(client, 'match_handle', given)
    const handle = 'github:davidtwco'
    expect(answer.results).toEqual([{ sdu: '4893387514556449885', authority_score: 100, handle }])
    expect(text).toBe(
      `${dataMark}\n` +
        'sdu 4893387514556449885, authority_score 100, handle github:davidtwco\n\n' +
        'No authority owns nobody.',
    )
    const found = await call(client, 'search_authorities', {
      query: 'rust',
      limit: 1,
      fields: ['name', 'country'],
      explain: true,
    })
    expect(found.text).toMatch(/\nsdu \d+, name David Wood, country \. Rank 1 of \d+ in Rust/)
    const detail = { sdus: ['4893387514556449885'], fields: ['website'] }
    const profile = await call(client, 'get_authority_detail', detail)
    expect(profile.text).toBe(`${dataMark}\nsdu 4893387514556449885, website null`)
  })
})
