/** What every session must do, whatever it runs over and however it was opened. */
import type { Client } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { dataMark } from '../../../src/mcp/record-texts.ts'
import { sectionsOf } from '../../support/table-sections.ts'
import { textOf } from './served.ts'

export async function expectWholeSession(client: Client): Promise<void> {
  await expectDiscovery(client)
  await expectTools(client)
  await expectExplanations(client)
  await expectResources(client)
  await expectPrompt(client)
}

async function expectDiscovery(client: Client): Promise<void> {
  expect(client.getServerVersion()).toMatchObject({ name: 'authority-index' })
  expect(client.getInstructions()).toContain('search_authorities')
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'search_authorities',
    'get_authority_detail',
    'find_peers',
    'match_handle',
    'rank_sources',
    'list_changes',
    'get_history',
  ])
  for (const { name } of tools) expect(client.getInstructions()).toContain(name)
  expect(tools[0]!.description).toContain('Largest topics here: "Rust"')
  for (const tool of tools) {
    expect(tool.title).toMatch(/\w/)
    expect(tool.description!.length).toBeGreaterThan(80)
    expect(tool.inputSchema.type).toBe('object')
    expect(tool.outputSchema!.required).toEqual(['results'])
    expect(tool.annotations).toEqual({ readOnlyHint: true, openWorldHint: false })
  }
  const search = tools[0]!.inputSchema.properties as Record<string, Record<string, unknown>>
  expect(search.limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 50, default: 10 })
  const detail = tools[1]!.inputSchema.properties as Record<string, Record<string, unknown>>
  expect(detail.sdus).toMatchObject({ type: 'array', maxItems: 50 })
}

const [answered, refused] = sectionsOf(new URL('session.tsv', import.meta.url))

async function expectTools(client: Client): Promise<void> {
  for (const [name = '', given = '', structured = '', ...lines] of answered!.rows) {
    const result = await client.callTool({ name, arguments: JSON.parse(given) })
    expect([given, result.isError ?? false]).toEqual([given, false])
    expect(result.structuredContent).toMatchObject(JSON.parse(structured))
    if (lines.length > 0) expect(textOf(result)).toBe([dataMark, ...lines].join('\n'))
  }
  for (const [name = '', given = '', ...said] of refused!.rows) {
    const result = await client.callTool({ name, arguments: JSON.parse(given) })
    expect([given, result.isError]).toEqual([given, true])
    for (const each of said) expect(textOf(result)).toContain(each)
  }
}

/** Explained when asked for, in the structured content and in a sentence for each; else not. */
async function expectExplanations(client: Client): Promise<void> {
  for (const [name, given] of [
    ['search_authorities', { query: 'rust' }],
    ['get_authority_detail', { sdus: ['7'] }],
    ['find_peers', { handles: ['ann'] }],
    ['match_handle', { handles: ['@Ann'] }],
  ] as const) {
    const plain = await client.callTool({ name, arguments: given })
    const asked = await client.callTool({ name, arguments: { ...given, explain: true } })
    const { results } = asked.structuredContent as { results: { explanation: object }[] }
    expect(results[0]!.explanation).toMatchObject({
      topic: name === 'find_peers' ? null : 'Rust',
      sentence: expect.stringMatching(/^Rank \d of \d .*\.$/),
    })
    expect(textOf(asked)).toMatch(/Rank \d of \d (in Rust|by authority score)/)
    expect(plain.structuredContent).not.toHaveProperty('results.0.explanation')
    expect(textOf(plain)).not.toMatch(/Rank \d of/)
  }
}

async function expectResources(client: Client): Promise<void> {
  const read = async (uri: string) => {
    const [content] = (await client.readResource({ uri })).contents
    return JSON.parse((content as { text: string }).text)
  }
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toEqual(['authority-index://topics'])
  const { topics } = await read('authority-index://topics')
  expect(topics).toHaveLength(4)
  expect(topics[0]).toEqual({
    topic: 'Rust',
    authorities: 2,
    uri: 'authority-index://topics/Rust',
  })
  for (const { topic, authorities, uri } of topics) {
    const ranking = await read(uri)
    expect(ranking.topic).toBe(topic)
    expect(ranking.results).toHaveLength(authorities)
  }
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    'authority-index://topics/{topic}',
    'authority-index://topics/{topic}/{country}',
    'authority-index://topics{?cursor}',
    'authority-index://authority/{sdu}',
  ])
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'authority-index://topics/{topic}' },
    argument: { name: 'topic', value: 'c' },
  })
  expect(completion.values.toSorted()).toEqual(['C#', 'Compilers'])
  await expectCountries(client, read)
  for (const path of [
    'topics/qzqzqz',
    'topics/%zz',
    'topics/Rust/Nowhere',
    'topics/Rust/Peru',
    'topics?cursor=x',
  ]) {
    const uri = `authority-index://${path}`
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
  }
  await expectPeople(client, read)
}

type ReadJson = (uri: string) => Promise<Record<string, unknown>>

async function expectCountries(client: Client, read: ReadJson): Promise<void> {
  const uri = 'authority-index://topics/{topic}/{country}'
  const complete = async (name: string, value: string) => {
    const ref = { type: 'ref/resource', uri } as const
    return (await client.complete({ ref, argument: { name, value } })).completion.values
  }
  expect(await complete('topic', 'ru')).toEqual(['Rust'])
  expect(await read('authority-index://topics/Rust/french')).toMatchObject({
    topic: 'Rust',
    country: 'french',
    results: [{ sdu: '7', rank: 1 }],
  })
}

/** A detailed answer links to everybody in it, and each link is a profile. */
async function expectPeople(client: Client, read: ReadJson): Promise<void> {
  const { content } = await client.callTool({
    name: 'search_authorities',
    arguments: { query: 'rust', response_format: 'detailed' },
  })
  const links = content.slice(1) as { type: string; uri: string; name: string }[]
  expect(links.map(({ type, uri, name }) => [type, uri, name])).toEqual([
    ['resource_link', 'authority-index://authority/7', 'Ann Other'],
    ['resource_link', 'authority-index://authority/8', 'Bob Builder'],
  ])
  for (const { uri, name } of links) {
    expect(await read(uri)).toMatchObject({ name, sdu: uri.split('/').at(-1) })
  }
  for (const sdu of ['404', 'ann']) {
    const uri = `authority-index://authority/${sdu}`
    await expect(client.readResource({ uri })).rejects.toThrow(/not found/i)
  }
}

async function expectPrompt(client: Client): Promise<void> {
  const { prompts } = await client.listPrompts()
  expect(prompts.map(({ name }) => name)).toEqual(['rank_sources'])
  const { messages } = await client.getPrompt({
    name: 'rank_sources',
    arguments: { sources: 'A post by @ann', topic: 'Rust' },
  })
  const { text } = messages[0]!.content as { text: string }
  expect(text).toContain('A post by @ann')
  for (const tool of ['rank_sources', 'search_authorities', 'get_authority_detail']) {
    expect(text).toContain(tool)
  }
}
