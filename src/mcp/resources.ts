/** The resources: the topics, which are free, the top authorities of one, charged as a search, and people. */
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type Variables,
} from '@modelcontextprotocol/server'
import { limits } from '../limits.ts'
import { operations } from '../operations.ts'
import {
  type AnswerSource,
  type Asker,
  askerOf,
  authorityUri,
  type Question,
  type Topics,
  topicsUri,
} from './answer-source.ts'
import { asData, dataMark, resourceText } from './record-texts.ts'
import { explain, unavailable } from './refusal-texts.ts'

/** The protocol takes no more. */
const completionsMax = 100

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
  const free = source.isCharged ? ' Reading this list is free.' : ''
  const topic = async (typed: string) => {
    const { topics } = (await source.topics()) ?? { topics: [] }
    return beginning(
      topics.map((each) => each.topic),
      typed,
    )
  }
  const country = async (typed: string) =>
    beginning((await source.topics())?.countries ?? [], typed)
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
  const completed = { topic, country }
  add('topic-country', `${topicsUri}/{topic}/{country}`, topOfCountry, ranked, completed)
  const listed = {
    title: 'Topics',
    description:
      `The topics of the index by number of authorities, of the ${limits.topicsListedMax} largest as many as fit into ` +
      `4,000 tokens; each with the URI of its top authorities; countries.${free}`,
    mimeType,
  }
  server.registerResource('topics', topicsUri, listed, (uri) => contentsOf(uri, pageAt(source, 0)))
  const more = {
    title: 'More topics',
    description: `The next of these topics, as \`next\` of a page names them.${free}`,
  }
  add('topics-page', `${topicsUri}{?from}`, more, async (uri, { from }) => {
    if (!/^\d{1,9}$/.test(String(from))) throw new ResourceNotFoundError(uri)
    return pageAt(source, Number(from))
  })
  const profile = {
    title: 'Profile of an authority',
    description: `The full profile of the authority with this SDU.${source.isCharged ? ' Charged as one profile.' : ''}`,
  }
  add('authority', `${authorityUri}/{sdu}`, profile, async (uri, { sdu }, asker) => {
    const query = `sdu=${encodeURIComponent(String(sdu))}`
    const question = { path: operations.detail.paths[0], query, ...asker }
    const [found] = await resultsOf(source, uri, question, true)
    return resourceText(found!)
  })
}

async function contentsOf({ href: uri }: URL, text: Promise<string>) {
  return { contents: [{ uri, mimeType, text: await text }] }
}

async function pageAt(source: AnswerSource, from: number): Promise<string> {
  const topics = await source.topics()
  if (topics === undefined) throw unavailable('the topics cannot be read at the moment')
  return pageOf(topics, from)
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

function beginning(names: readonly string[], typed: string): string[] {
  const start = typed.toLowerCase()
  const found = names.filter((name) => name.toLowerCase().startsWith(start))
  return found.slice(0, completionsMax).map(asData)
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
  const results = await resultsOf(source, uri, question, country !== undefined)
  return resourceText({ topic, ...(country !== undefined && { country }), results })
}

/** @param isNamed whether a 400 can only be about a country that does not exist, or a text that is no SDU. */
async function resultsOf(
  source: AnswerSource,
  uri: string,
  question: Question,
  isNamed: boolean,
): Promise<readonly object[]> {
  const answer = await source.ask(question)
  if (answer.status === 400 && isNamed) throw new ResourceNotFoundError(uri)
  if (answer.status !== 200) throw unavailable(explain(answer))
  const results = answer.json.results as readonly object[]
  if (results.length === 0) throw new ResourceNotFoundError(uri)
  return results
}
