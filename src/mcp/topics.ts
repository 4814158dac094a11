/**
 * Topics as resources: a list to browse, free of charge, and for each topic its top authorities,
 * which is a search and charged as one.
 */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'
import { type Source, type Topics, topicsUri } from './answer-source.ts'
import { explain } from './refusal-texts.ts'

/** Topics offered to complete what was typed, as many as the protocol takes. */
const completionsMax = 100

const mimeType = 'application/json'

/** Gives a server the topic resources over a source. */
export function registerTopics(server: McpServer, source: Source): void {
  const listed = {
    title: 'Topics',
    description:
      `The topics of the index by number of authorities, the ${limits.topicsListedMax} largest; ` +
      'each with the URI of its top authorities. Reading this list is free.',
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
    description:
      `The top ${limits.resultsDefault} authorities of one topic, with ranks within it. Charged ` +
      'as one search.',
    mimeType,
  }
  server.registerResource('topic', template, ranked, async ({ href }, { topic }) => {
    const text = await rankingOf(source, href, decoded(href, String(topic)))
    return { contents: [{ uri: href, mimeType, text }] }
  })
}

function listOf({ total, topics }: Topics) {
  return {
    total,
    topics: topics.map(({ topic, authorities }) => ({
      topic,
      authorities,
      uri: `${topicsUri}/${encodeURIComponent(topic)}`,
    })),
  }
}

async function completionsOf(source: Source, typed: string): Promise<string[]> {
  const { topics } = (await source.topics()) ?? { topics: [] }
  const start = typed.toLowerCase()
  return topics
    .filter(({ topic }) => topic.toLowerCase().startsWith(start))
    .slice(0, completionsMax)
    .map(({ topic }) => topic)
}

function decoded(uri: string, topic: string): string {
  try {
    return decodeURIComponent(topic)
  } catch {
    // Its only failure: a `%` that begins no character, which no listed URI holds.
    throw new ResourceNotFoundError(uri)
  }
}

async function rankingOf(source: Source, uri: string, topic: string): Promise<string> {
  const answer = await source.ask({
    path: operations.search.paths[0],
    query: `query=${encodeURIComponent(topic)}`,
  })
  if (answer.status !== 200) throw unavailable(explain(answer))
  const { results } = answer.json as { results: readonly unknown[] }
  if (results.length === 0) throw new ResourceNotFoundError(uri)
  return JSON.stringify({ topic, results })
}

/** Reading a resource has no result that is an error, so the reason travels as a protocol error. */
function unavailable(reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, reason)
}
