/**
 * Messages of the Model Context Protocol over HTTP: every method, every tool with right and wrong
 * arguments, both revisions of the protocol, batches, and malformed messages.
 */
import fc from 'fast-check'
import { membersOf, parametersOf } from '../../../src/api/schemas/inputs.ts'
import { operations, type ToolRouteName, toolNames } from '../../../src/operations.ts'
import type { Ask } from './asks.ts'
import { allowedOrigin, authorization } from './requests.ts'
import { latin1 } from './spellings.ts'
import { goodValues, jsonValue } from './values.ts'
import type { Vocabulary } from './vocabulary.ts'

const revision = '2026-07-28'
const envelope = {
  'io.modelcontextprotocol/protocolVersion': revision,
  'io.modelcontextprotocol/clientInfo': { name: 'net', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

interface Call {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

const toolName = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(...toolNames.map((name) => operations[name].tool.name)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('nothing', '', 'Search_Authorities'),
  },
)

const fieldsOf = (route: ToolRouteName) =>
  [...parametersOf(route), ...membersOf(route)].filter(({ toolText }) => toolText !== undefined)

/** The arguments of all tools, so that a call also has arguments that its tool does not take. */
const fields = [
  ...new Map(toolNames.flatMap(fieldsOf).map((each) => [`${each.name} ${each.type}`, each])),
].map(([, field]) => field)

/** The argument that a tool requires, by the name of the tool. */
const needed: Readonly<Record<string, string | undefined>> = {
  search: 'query',
  fetch: 'id',
  ...Object.fromEntries(
    toolNames.map((route) => [
      operations[route].tool.name,
      fieldsOf(route).find(({ isRequired }) => isRequired)?.name,
    ]),
  ),
}
const main = new Set(Object.values(needed))

function toolArguments(words: Vocabulary): fc.Arbitrary<Record<string, unknown>> {
  const right: readonly (readonly [string, fc.Arbitrary<unknown>])[] = [
    ...fields.map((field) => {
      const value = goodValues(words, field).map((values) => jsonValue(field, values))
      return [field.name, value] as const
    }),
    ['id', fc.constantFrom(...words.sdus, '404')],
    ['cursor', fc.constant('{cursor}')],
    ['response_format', fc.constantFrom('concise', 'detailed')],
  ]
  const wrong = fc.constantFrom<unknown>(null, 0, -1, 51, 1.5, '', ' ', 'x', [], [''], {}, true)
  const entries = right.map(([name, value]) =>
    fc.oneof(
      { weight: main.has(name) ? 12 : 60, arbitrary: fc.constant([] as const) },
      { weight: main.has(name) ? 24 : 12, arbitrary: value.map((v) => [name, v] as const) },
      { weight: 1, arbitrary: wrong.map((v) => [name, v] as const) },
    ),
  )
  return fc.tuple(...entries).map((all) => {
    return Object.fromEntries(all.filter((pair) => pair.length === 2))
  })
}

function toolCall(words: Vocabulary): fc.Arbitrary<Call> {
  return fc.tuple(toolName, toolArguments(words), fc.nat(7)).map(([name, given, strict]) => {
    const kept = Object.entries(given).filter(
      ([each]) => strict === 0 || !main.has(each) || each === needed[name],
    )
    return { method: 'tools/call', params: { name, arguments: Object.fromEntries(kept) } }
  })
}

function otherCall(words: Vocabulary): fc.Arbitrary<Call> {
  const uris = [
    'authority-index://topics',
    'authority-index://nothing',
    ...words.topics
      .slice(0, 20)
      .map((topic) => `authority-index://topics/${encodeURIComponent(topic)}`),
  ]
  const simple = [
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
    'ping',
  ]
  return fc.oneof(
    fc.constantFrom(...simple, 'server/discover', 'no/method').map((method) => ({
      method,
      params: {},
    })),
    fc.constantFrom(...uris).map((uri) => ({ method: 'resources/read', params: { uri } })),
    fc.constantFrom('x', '').map((sources) => ({
      method: 'prompts/get',
      params: { name: 'rank_sources', arguments: { sources } },
    })),
    fc.constant({
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'net', version: '1' },
      },
    }),
  )
}

const wrongBodies = [
  '',
  '{',
  '[]',
  'null',
  '{}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  JSON.stringify(Array.from({ length: 21 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
]

export function toolMessages(words: Vocabulary): fc.Arbitrary<Ask> {
  const call = fc.oneof(
    { weight: 6, arbitrary: toolCall(words) },
    { weight: 1, arbitrary: otherCall(words) },
  )
  const message = fc.oneof(
    { weight: 20, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(call, { minLength: 2, maxLength: 3 }) },
  )
  const wrong = fc.oneof(
    { weight: 30, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...wrongBodies) },
  )
  const header = fc.oneof(
    { weight: 24, arbitrary: fc.constant([] as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ['Origin', allowedOrigin] as const,
        ['Origin', 'https://evil.example'] as const,
        ['MCP-Protocol-Version', '1999-01-01'] as const,
        ['Mcp-Session-Id', 'x'] as const,
      ),
    },
  )
  const method = fc.oneof(
    { weight: 40, arbitrary: fc.constant('POST') },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'HEAD') },
  )
  const types = fc.oneof(
    { weight: 40, arbitrary: fc.constant(['application/json', both] as const) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ['text/plain', both] as const,
        ['application/json', '*/*'] as const,
        ['application/json', 'application/json'] as const,
        ['application/json', 'text/html'] as const,
      ),
    },
  )
  return fc
    .tuple(method, message, fc.boolean(), wrong, authorization(1), header, types)
    .map(([verb, calls, isModern, text, key, more, [type, accept]]): Ask => {
      const headers: (readonly [string, string])[] = key === undefined ? [] : [key]
      headers.push(['Content-Type', type], ['Accept', accept])
      if (more.length === 2) headers.push(more)
      const [{ method: name, params }] = calls as [Call]
      if (isModern) {
        headers.push(['MCP-Protocol-Version', revision], ['Mcp-Method', name])
        const { name: tool, uri } = params
        if (tool ?? uri) headers.push(['Mcp-Name', latin1(String(tool ?? uri))])
      }
      const whole = calls.map((each, id) => ({
        jsonrpc: '2.0',
        id: id + 1,
        method: each.method,
        params: isModern ? { ...each.params, _meta: envelope } : each.params,
      }))
      const body = text ?? latin1(JSON.stringify(whole.length === 1 ? whole[0] : whole))
      return { method: verb, target: '/mcp', headers, ...(verb === 'POST' ? { body } : {}) }
    })
}

const both = 'application/json, text/event-stream'
