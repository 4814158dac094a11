/** Topics as resources: the list is free of charge, the top authorities of a topic are a search and charged as one. */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'
import { type AnswerSource, type Asker, askerOf, type Topics, topicsUri } from './answer-source.ts'
import { asData, dataMark, resourceText } from './record-texts.ts'
import { explain, unavailable } from './refusal-texts.ts'

/** The protocol takes no more. */
const completionsMax = 100

const mimeType = 'application/json'

export function registerTopics(server: McpServer, source: AnswerSource): void {
  const charge = source.isCharged ? ' Charged as one search.' : ''
  const template = new ResourceTemplate(`${topicsUri}/{topic}`, {
    list: undefined,
    complete: { topic: (typed) => completionsOf(source, typed) },
  })
  const ranked = {
    title: 'Top authorities of a topic',
    description: `The top ${limits.resultsDefault} authorities of one topic, with ranks within it.${charge}`,
    mimeType,
  }
  server.registerResource('topic', template, ranked, async ({ href }, { topic }, context) => {
    const asked = { topic: decoded(href, String(topic)), asker: askerOf(context) }
    const text = await rankingOf(source, href, asked)
    return { contents: [{ uri: href, mimeType, text }] }
  })
  registerCountries(server, source, charge)
  registerList(server, source)
}

function registerList(server: McpServer, source: AnswerSource): void {
  const free = source.isCharged ? ' Reading this list is free.' : ''
  const listed = {
    title: 'Topics',
    description:
      `The topics of the index by number of authorities, of the ${limits.topicsListedMax} largest as many as fit into ` +
      `4,000 tokens; each with the URI of its top authorities; countries.${free}`,
    mimeType,
  }
  const page = async ({ href }: URL, from: number) => {
    const topics = await source.topics()
    if (topics === undefined) throw unavailable('the topics cannot be read at the moment')
    return { contents: [{ uri: href, mimeType, text: pageOf(topics, from) }] }
  }
  server.registerResource('topics', topicsUri, listed, (uri) => page(uri, 0))
  const template = new ResourceTemplate(`${topicsUri}{?from}`, { list: undefined })
  const more = {
    title: 'More topics',
    description: `The next of these topics, as \`next\` of a page names them.${free}`,
    mimeType,
  }
  server.registerResource('topics-page', template, more, (uri, { from }) => {
    if (!/^\d{1,9}$/.test(String(from))) throw new ResourceNotFoundError(uri.href)
    return page(uri, Number(from))
  })
}

function registerCountries(server: McpServer, source: AnswerSource, charge: string): void {
  const template = new ResourceTemplate(`${topicsUri}/{topic}/{country}`, {
    list: undefined,
    complete: {
      topic: (typed) => completionsOf(source, typed),
      country: async (typed) => beginning((await source.topics())?.countries ?? [], typed),
    },
  })
  const ranked = {
    title: 'Top authorities of a topic in a country',
    description: `The same, of one country, by name, adjective or ISO code.${charge}`,
    mimeType,
  }
  server.registerResource('topic-country', template, ranked, async ({ href }, given, context) => {
    const topic = decoded(href, String(given.topic))
    const country = decoded(href, String(given.country))
    const asked = { topic, country, asker: askerOf(context) }
    const text = await rankingOf(source, href, asked)
    return { contents: [{ uri: href, mimeType, text }] }
  })
}

/** Maximum bytes of the countries on a page, and bytes of its frame. */
const countriesBytesMax = 4_000
const frameBytes = 400

/** The first page has the countries, too. */
function pageOf({ total, topics, countries }: Topics, from: number): string {
  const named =
    from === 0 ? { countries: firstThatFit(countries.map(asData), countriesBytesMax) } : {}
  const behind = topics.slice(from).map(({ topic, authorities }) => ({
    topic: asData(topic),
    authorities,
    uri: `${topicsUri}/${encodeURIComponent(topic)}`,
  }))
  const room = limits.mcpResultBytesMax - frameBytes - bytesOf(named)
  const shown = firstThatFit(behind, room)
  const left = behind.length - shown.length
  const next = `${topicsUri}?from=${from + shown.length}`
  const more = left === 0 ? {} : { left_out: `${left} topics follow at \`next\`.`, next }
  return JSON.stringify({ note: dataMark, total, ...more, topics: shown, ...named })
}

/** One at least, so that pages come to an end. */
function firstThatFit<V>(values: readonly V[], bytesMax: number): readonly V[] {
  let bytes = 0
  const end = values.findIndex((value, index) => {
    bytes += bytesOf(value) + 1
    return index > 0 && bytes > bytesMax
  })
  return end < 0 ? values : values.slice(0, end)
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

async function completionsOf(source: AnswerSource, typed: string): Promise<string[]> {
  const { topics } = (await source.topics()) ?? { topics: [] }
  return beginning(
    topics.map(({ topic }) => topic),
    typed,
  )
}

function beginning(names: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase()
  const found = names.filter((name) => name.toLowerCase().startsWith(start))
  return found.slice(0, completionsMax).map(asData)
}

function decoded(uri: string, topic: string): string {
  try {
    return decodeURIComponent(topic)
  } catch {
    // Its only failure: a `%` that begins no character, which no listed URI holds.
    throw new ResourceNotFoundError(uri)
  }
}

interface AskedRanking {
  readonly topic: string
  readonly country?: string
  readonly asker: Asker
}

async function rankingOf(
  source: AnswerSource,
  uri: string,
  { topic, country, asker }: AskedRanking,
): Promise<string> {
  const filter = country === undefined ? '' : `&country=${encodeURIComponent(country)}`
  const query = `query=${encodeURIComponent(topic)}${filter}`
  const answer = await source.ask({ path: operations.search.paths[0], query, ...asker })
  // The only possible fault: a country that does not exist.
  if (answer.status === 400 && country !== undefined) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw unavailable(explain(answer))
  const { results } = answer.json as { results: readonly unknown[] }
  if (results.length === 0) throw new ResourceNotFoundError(uri)
  return resourceText({ topic, ...(country !== undefined && { country }), results })
}
