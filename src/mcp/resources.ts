/** The resources: the topics, which are free, the top authorities of one, charged as a search, and people. */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from '@modelcontextprotocol/server'
import type { Item } from '../api/operations/items.ts'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'
import {
  type Answer,
  type AnswerSource,
  type Asker,
  askerOf,
  authorityUri,
  type Question,
  topicsUri,
} from './answer-source.ts'
import { asData, dataMark, fitsIn, resourceText } from './record-texts.ts'
import { explain, unavailable } from './refusal-texts.ts'

const mimeType = 'application/json'

interface Words {
  readonly title: string
  readonly description: string
}

type Completions = Readonly<Record<string, (typed: string) => Promise<string[]>>>

/** Reads the text of a resource. @throws ResourceNotFoundError. */
type Read = (uri: string, given: Variables, asker: Asker) => Promise<string>

export function registerResources(server: McpServer, source: AnswerSource): void {
  const charge = source.isCharged ? ' Charged as one search.' : ''
  const free = source.isCharged ? ' Charged as a page of topics, which usually is free.' : ''
  const topic = async (typed: string) => {
    const query = `query=${encodeURIComponent(typed)}&limit=${limits.resultsMax}`
    const { json } = await source.ask({ ...topicsAsked, query })
    return ((json.results ?? []) as readonly Item<'topics'>[]).map((each) => asData(each.topic))
  }
  const add = (
    name: string,
    template: string,
    words: Words,
    read: Read,
    complete: Completions = {},
  ) => {
    const place = new ResourceTemplate(template, { list: undefined, complete })
    server.registerResource(name, place, { ...words, mimeType }, (uri, given, context) =>
      contentsOf(uri, read(uri.href, given, askerOf(context))),
    )
  }
  const ranked: Read = (uri, given, asker) => rankingOf(source, uri, given, asker)
  const top = {
    title: 'Top authorities of a topic',
    description: `The top ${limits.resultsDefault} authorities of one topic, with ranks within it.${charge}`,
  }
  add('topic', `${topicsUri}/{topic}`, top, ranked, { topic })
  const topOfCountry = {
    title: 'Top authorities of a topic in a country',
    description: `The same, of one country, by name, adjective or ISO code.${charge}`,
  }
  add('topic-country', `${topicsUri}/{topic}/{country}`, topOfCountry, ranked, { topic })
  const listed = {
    title: 'Topics',
    description: `The topics of the index by number of authorities, each with the URI of its top authorities.${free}`,
    mimeType,
  }
  server.registerResource('topics', topicsUri, listed, (uri) =>
    contentsOf(uri, topicsAt(source, uri.href)),
  )
  const more = {
    title: 'More topics',
    description: `The next of these topics, as \`next\` of a page names them.${free}`,
  }
  add('topics-page', `${topicsUri}{?cursor}`, more, (uri, { cursor }) =>
    topicsAt(source, uri, String(cursor)),
  )
  const profile = {
    title: 'Profile of an authority',
    description: `The full profile of the authority with this SDU.${source.isCharged ? ' Charged as one profile.' : ''}`,
  }
  add('authority', `${authorityUri}/{sdu}`, profile, async (uri, { sdu }, asker) => {
    const query = `sdu=${encodeURIComponent(String(sdu))}`
    const question = { path: operations.detail.paths[0], query, ...asker }
    const [found] = await peopleOf(source, uri, question)
    return resourceText(found!)
  })
}

async function contentsOf({ href: uri }: URL, text: Promise<string>) {
  return { contents: [{ uri, mimeType, text: await text }] }
}

/** Without the key of a message: it asks for more than one page. */
const topicsAsked = { path: operations.topics.paths[0], idempotencyKey: '' }

/** Numbers of topics on a page: the first that fits is taken, and of the longest topics the last does. */
const topicsOnPage = [limits.resultsMax, 10, 2]

async function topicsAt(source: AnswerSource, uri: string, cursor = '*'): Promise<string> {
  let text = ''
  for (const limit of topicsOnPage) {
    const query = `limit=${limit}&cursor=${encodeURIComponent(cursor)}`
    const { results, next_cursor: next } = await answerOf(source, uri, { ...topicsAsked, query })
    const topics = (results as readonly Item<'topics'>[]).map(({ topic, authorities }) => ({
      topic: asData(topic),
      authorities,
      uri: `${topicsUri}/${encodeURIComponent(topic)}`,
    }))
    const more = next === undefined ? {} : { next: `${topicsUri}?cursor=${next}` }
    text = JSON.stringify({ note: dataMark, ...more, topics })
    if (fitsIn(text)) break
  }
  return text
}

function decoded(uri: string, text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Its only failure: a `%` that begins no character, which no listed URI holds.
    throw new ResourceNotFoundError(uri)
  }
}

async function rankingOf(
  source: AnswerSource,
  uri: string,
  given: Variables,
  asker: Asker,
): Promise<string> {
  const topic = decoded(uri, String(given.topic))
  const country = given.country === undefined ? undefined : decoded(uri, String(given.country))
  const filter = country === undefined ? '' : `&country=${encodeURIComponent(country)}`
  const query = `query=${encodeURIComponent(topic)}${filter}`
  const question = { path: operations.search.paths[0], query, ...asker }
  const results = await peopleOf(source, uri, question, country !== undefined)
  return resourceText({ topic, ...(country !== undefined && { country }), results })
}

/** @param isNamed whether a 400 can only be about a value that does not exist. */
async function answerOf(
  source: AnswerSource,
  uri: string,
  question: Question,
  isNamed = true,
): Promise<Answer['json']> {
  const answer = await source.ask(question)
  if (answer.status === 400 && isNamed) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw unavailable(explain(answer))
  return answer.json
}

async function peopleOf(...asked: Parameters<typeof answerOf>): Promise<readonly object[]> {
  const results = (await answerOf(...asked)).results as readonly object[]
  if (results.length === 0) throw new ResourceNotFoundError(asked[1])
  return results
}
