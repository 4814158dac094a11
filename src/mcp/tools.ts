/**
 * The four tools: each asks one route and hands its body on as structured content, with a text
 * that says the same in fewer words. Descriptions are written for a model that must choose.
 */
import type { CallToolResult, McpServer, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import { parseHandle } from '../text/handle.ts'
import type { Source } from './answer-source.ts'
import { errorResult, explain } from './refusal-texts.ts'
import {
  inputs,
  type Match,
  outputs,
  type Prepared,
  type Profile,
  prepared,
  type Summary,
} from './schemas.ts'
import { matchLines, profileTexts, rankedLines } from './texts.ts'

/** A tool: what a client is told of it, how a call becomes a request, and how an answer reads. */
interface Tool<Input, Item> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Prepared<Input>
  readonly output: Prepared<unknown>
  readonly path: string
  readonly query: (input: Input) => readonly (readonly [name: string, value: string])[]
  readonly read: (items: readonly Item[], input: Input) => Reading
}

/** An answer in words; `nothing` when none of what was named is known, which is an error. */
interface Reading {
  readonly text: string
  readonly nothing?: boolean
}

/** Nothing is changed, nothing but the index is reached; asking again answers the same. */
const annotations: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

const search: Tool<z.infer<typeof inputs.search>, Summary> = {
  name: 'search_authorities',
  title: 'Search authorities',
  description:
    'Ranked list of verified human authorities (experts) on a topic, best first. Use it to find ' +
    'who to listen to on a subject, or to find a person by name when no handle is known. Answers ' +
    'name, SDU (the identifier), rank, country and core topic of each; for a topic, rank is the ' +
    'rank within it. To check a social media account use match_handle instead; for biography and ' +
    'authority score pass the SDUs to get_authority_detail.',
  input: prepared(inputs.search),
  output: prepared(outputs.search),
  path: '/api/v1/index',
  query: ({ query, limit }) => [
    ['query', query],
    ['limit', String(limit)],
  ],
  read: (items, { query }) =>
    items.length === 0
      ? { text: `No authority found for "${query}". Try a broader topic or fewer words.` }
      : { text: rankedLines(items) },
}

const detail: Tool<z.infer<typeof inputs.detail>, Profile> = {
  name: 'get_authority_detail',
  title: 'Get authority profiles',
  description:
    'Full profiles of one or more authorities by SDU: biography, country, all topics, authority ' +
    'score (0 to 100, compares people across topics), verified social media handles with ' +
    'follower counts, website. Use it after another tool has answered SDUs, all of them in one ' +
    'call; it does not take names or handles.',
  input: prepared(inputs.detail),
  output: prepared(outputs.detail),
  path: '/api/v1/detail',
  query: ({ sdus }) => [['sdus', sdus.join(',')]],
  read: (items, { sdus }) => {
    const known = new Set(items.map(({ sdu }) => sdu))
    const unknown = sdus.filter((sdu) => !known.has(sdu))
    const missing = unknown.length === 0 ? '' : `No authority has SDU ${unknown.join(', ')}`
    if (items.length > 0) return { text: withNote(profileTexts(items), missing) }
    const way = 'SDUs come from search_authorities, match_handle and find_peers'
    return { text: `${missing}; ${way}.`, nothing: true }
  },
}

const peers: Tool<z.infer<typeof inputs.peers>, Summary> = {
  name: 'find_peers',
  title: 'Find peers of a handle',
  description:
    'The influence network around a social media handle: the top authorities connected with it, ' +
    'by authority score. The handle need not belong to an authority. Several handles answer one ' +
    'list, the union of their networks. Use it to widen a circle of sources from a person who is ' +
    'already known; use search_authorities to start from a topic.',
  input: prepared(inputs.peers),
  output: prepared(outputs.peers),
  path: '/api/v1/peers',
  query: ({ handles, limit }) => [
    ['handles', handles.join(',')],
    ['limit', String(limit)],
  ],
  read: (items, { handles }) =>
    items.length === 0
      ? { text: `No authority is known to be connected with ${handles.join(', ')}.` }
      : { text: rankedLines(items) },
}

const match: Tool<z.infer<typeof inputs.match>, Match> = {
  name: 'match_handle',
  title: 'Match handles to authorities',
  description:
    'Who owns a social media handle: tells whether an account belongs to a verified authority, ' +
    'and that authority’s name, SDU, core topic, country and rank within the core topic. Use it ' +
    'to verify or rank the authors of sources, all handles in one call. It knows handles only: ' +
    'for a name use search_authorities.',
  input: prepared(inputs.match),
  output: prepared(outputs.match),
  path: '/api/v1/match',
  query: ({ handles }) => [['handles', handles.join(',')]],
  read: (items, { handles }) => {
    const owned = new Set(items.map((item) => identityOf(item.handle ?? handles[0]!)))
    const unowned = handles.filter((handle) => !owned.has(identityOf(handle)))
    const missing = unowned.length === 0 ? '' : `No authority owns ${unowned.join(', ')}`
    if (items.length > 0) return { text: withNote(matchLines(items, handles[0]!), missing) }
    return { text: `${missing}; try search_authorities with the person's name.`, nothing: true }
  },
}

/** What all spellings of one handle have in common. */
function identityOf(handle: string): string {
  const { platform, key } = parseHandle(handle)
  return `${platform ?? ''}:${key}`
}

function withNote(text: string, note: string): string {
  return note === '' ? text : `${text}\n\n${note}.`
}

/**
 * Gives a server the four tools over a source.
 * @param onError told of a bug in a tool; the call is answered with an error that says so.
 */
export function registerTools(
  server: McpServer,
  source: Source,
  onError: (error: unknown) => void,
): void {
  register(server, source, search, onError)
  register(server, source, detail, onError)
  register(server, source, peers, onError)
  register(server, source, match, onError)
}

function register<Input, Item>(
  server: McpServer,
  source: Source,
  tool: Tool<Input, Item>,
  onError: (error: unknown) => void,
): void {
  const { name, title, description, input: inputSchema, output: outputSchema } = tool
  const config = { title, description, inputSchema, outputSchema, annotations }
  server.registerTool(name, config, async (input) => {
    try {
      return await call(source, tool, input as Input)
    } catch (error) {
      onError(error)
      return errorResult(explain({ status: 500, json: {} }))
    }
  })
}

async function call<Input, Item>(
  source: Source,
  { path, query, read }: Tool<Input, Item>,
  input: Input,
): Promise<CallToolResult> {
  const pairs = query(input).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const answer = await source.ask(path, pairs.join('&'))
  if (answer.status !== 200) return errorResult(explain(answer))
  const { text, nothing } = read(answer.json.results as readonly Item[], input)
  if (nothing === true) return errorResult(text)
  return { content: [{ type: 'text', text }], structuredContent: { ...answer.json } }
}
