/**
 * Topics as resources: a list to browse, free of charge, and for each topic its top authorities, of all
 * countries or of one, which is a search and charged as one.
 */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'
import { type AnswerSource, idempotencyKeyOf, type Topics, topicsUri } from './answer-source.ts'
import { asData, dataMark } from './record-texts.ts'
import { explain, unavailable } from './refusal-texts.ts'

/** Topics offered to complete what was typed, as many as the protocol takes. */
const completionsMax = 100

const mimeType = 'application/json'

/** Gives a server the topic resources over a source. */
export function registerTopics(server: McpServer, source: AnswerSource): void {
  const charge = source.isCharged ? ' Charged as one search.' : ''
  const listed = {
    title: 'Topics',
    description:
      `The topics of the index by number of authorities, the ${limits.topicsListedMax} largest; ` +
      `each with the URI of its top authorities; and all countries.${source.isCharged ? ' Reading this list is free.' : ''}`,
    mimeType,
  }
  server.registerResource('topics', topicsUri, listed, async ({ href }) => {
    const topics = await source.topics()
    if (topics === undefined) throw unavailable('the topics cannot be read at the moment')
    return { contents: [{ uri: href, mimeType, text: JSON.stringify(listOf(topics)) }] }
  })
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
    const asked = { topic: decoded(href, String(topic)), idempotencyKey: idempotencyKeyOf(context) }
    const text = await rankingOf(source, href, asked)
    return { contents: [{ uri: href, mimeType, text }] }
  })
  registerCountries(server, source, charge)
}

/** A topic's ranking, thinned out to a country. */
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
    const asked = { topic, country, idempotencyKey: idempotencyKeyOf(context) }
    const text = await rankingOf(source, href, asked)
    return { contents: [{ uri: href, mimeType, text }] }
  })
}

function listOf({ total, topics, countries }: Topics) {
  return {
    note: dataMark,
    total,
    topics: topics.map(({ topic, authorities }) => ({
      topic: asData(topic),
      authorities,
      uri: `${topicsUri}/${encodeURIComponent(topic)}`,
    })),
    countries,
  }
}

async function completionsOf(source: AnswerSource, typed: string): Promise<string[]> {
  const { topics } = (await source.topics()) ?? { topics: [] }
  return beginning(
    topics.map(({ topic }) => topic),
    typed,
  )
}

/** The first of some names that begin with what was typed. */
function beginning(names: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase()
  return names.filter((name) => name.toLowerCase().startsWith(start)).slice(0, completionsMax)
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
  readonly idempotencyKey: string | undefined
}

async function rankingOf(
  source: AnswerSource,
  uri: string,
  { topic, country, idempotencyKey }: AskedRanking,
): Promise<string> {
  const filter = country === undefined ? '' : `&country=${encodeURIComponent(country)}`
  const query = `query=${encodeURIComponent(topic)}${filter}`
  const answer = await source.ask({ path: operations.search.paths[0], query, idempotencyKey })
  // The one thing that can be wrong: a country that there is not.
  if (answer.status === 400 && country !== undefined) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw unavailable(explain(answer))
  const { results } = answer.json as { results: readonly unknown[] }
  if (results.length === 0) throw new ResourceNotFoundError(uri)
  const asked = { topic, ...(country !== undefined && { country }) }
  return JSON.stringify({ note: dataMark, ...asked, results: asData(results) })
}
