/**
 * Sessions: some requests one after the other on one connection. A later request can use the cursor
 * and the tag that its own build has answered before, whose text may differ between builds.
 */
import fc from 'fast-check'
import { limits } from '../../../src/limits.ts'
import { operations, type RouteName, routeNames } from '../../../src/operations.ts'
import type { Ask } from './asks.ts'
import { fewFaults, openTargets, requests } from './requests.ts'
import { toolMessages } from './tool-calls.ts'
import type { Vocabulary } from './vocabulary.ts'

const key = ['Authorization', 'Bearer {key:rich}'] as const

/** Its answer shows the balance, and so what the session spent, also for refusals and tools. */
const balanceProbe: Ask = {
  method: 'GET',
  target: '/api/v1/index?query=rust&limit=1',
  headers: [key],
}

/** A list read page by page: `*` first, then the cursor of the page before. */
function walk(name: RouteName, words: Vocabulary): fc.Arbitrary<readonly Ask[]> {
  const spoiled = [
    ...Array<string>(12).fill('{cursor}'),
    '{cursor}x',
    'x{cursor}',
    '{cursor}&cursor={cursor}',
    '{cursor}&limit=7',
    '{cursor}&query=go',
    '{cursor}&topic=Rust',
    '{cursor}&country=fr',
    '{cursor}&fields=sdu',
    '{cursor}&explain=true',
  ]
  return fc
    .tuple(fewFaults(name, words), fc.array(fc.constantFrom(...spoiled), { maxLength: 5 }))
    .map(([ask, cursors]) => {
      const target = ask.target.replace(/&?cursor=[^&]*/g, '')
      const next = (cursor: string) => {
        const glue = target.endsWith('?') || !target.includes('?') ? '' : '&'
        return `${target}${target.includes('?') ? '' : '?'}${glue}cursor=${cursor}`
      }
      return ['*', ...cursors].map((cursor) => ({ ...ask, method: 'GET', target: next(cursor) }))
    })
}

/** The same question twice: the second time with the tag of the first. */
function revisit(words: Vocabulary): fc.Arbitrary<readonly Ask[]> {
  const tags = fc.constantFrom('{etag}', '{etag}', 'W/"x", {etag}', '*', '"{etag}"')
  return fc
    .tuple(
      fc.constantFrom<RouteName>('search', 'detail', 'peers', 'match', 'autocomplete', 'topics'),
      tags,
    )
    .chain(([name, tag]) =>
      fewFaults(name, words).map((ask) => [
        ask,
        { ...ask, headers: [...ask.headers, ['If-None-Match', tag] as const] },
      ]),
    )
}

/** Requests of which some have one `Idempotency-Key`: repeats of the first, and others. */
function repeats(words: Vocabulary): fc.Arbitrary<readonly Ask[]> {
  const one = fc.oneof(
    fewFaults('search', words),
    fewFaults('match', words),
    fewFaults('rank', words),
    toolMessages(words),
  )
  return fc
    .tuple(one, one)
    .map(([ask, other]) => [balanceProbe, ...[ask, ask, other, ask].map(underKey), balanceProbe])
}

function underKey(ask: Ask): Ask {
  return { ...ask, headers: [...ask.headers, ['Idempotency-Key', '{once}']] }
}

export function sessions(words: Vocabulary): fc.Arbitrary<readonly Ask[]> {
  const request = requests(words)
  const several = fc
    .tuple(fc.array(request, { minLength: 1, maxLength: 6 }), fc.nat(3))
    .map(([asks, end]) => (end === 3 ? [...asks, balanceProbe] : asks))
  const pages = (['search', 'peers', 'topics', 'snapshots', 'changes', 'history'] as const).map(
    (name) => walk(name, words),
  )
  const tools = fc
    .array(toolMessages(words), { minLength: 1, maxLength: 3 })
    .map((asks) => [balanceProbe, ...asks, balanceProbe])
  return fc.oneof(
    { weight: 30, arbitrary: several },
    { weight: 5, arbitrary: fc.oneof(...pages) },
    { weight: 2, arbitrary: revisit(words) },
    { weight: 2, arbitrary: repeats(words) },
    { weight: 3, arbitrary: tools },
  )
}

/** Sessions that are mostly about lists of changes and histories. */
export function listSessions(words: Vocabulary): fc.Arbitrary<readonly Ask[]> {
  const pages = (['changes', 'history', 'snapshots', 'search'] as const).map((name) =>
    walk(name, words),
  )
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...pages) },
    { weight: 2, arbitrary: sessions(words) },
  )
}

function message(method: string, params: unknown = {}): Ask {
  return {
    method: 'POST',
    target: '/mcp',
    headers: [
      key,
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
    ],
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  }
}

export const listOfTools = message('tools/list')

/** Messages about all there is, and of what is gone. */
const messages = [
  listOfTools,
  message('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'net', version: '1' },
  }),
  message('resources/list'),
  message('resources/templates/list'),
  message('prompts/list'),
  message('resources/read', { uri: 'ui://authority-index/view' }),
  message('tools/call', { name: 'compare_authorities', arguments: { sdus: [] } }),
]

/** Sessions that chance seldom makes; every run begins with them. */
export const rareSessions: readonly (readonly Ask[])[] = [
  ...routeNames.map((name) => {
    const { methods, paths } = operations[name]
    const ask: Ask = { method: methods[0], target: `${paths[0]}?x=1`, headers: [] }
    return [ask, { ...ask, headers: [key] }]
  }),
  ...openTargets.map((target): Ask[] => [{ method: 'GET', target, headers: [key] }]),
  ...messages.map((each) => [each]),
  [
    {
      method: 'POST',
      target: '/api/v1/match',
      headers: [key, ['Content-Type', 'application/json']],
      body: `{"handles":["${'a'.repeat(262_144)}"]}`,
    },
  ],
  [balanceProbe, { ...balanceProbe, headers: [key, ['If-None-Match', '{etag}']] }],
  [
    balanceProbe,
    message('tools/call', { name: 'search_authorities', arguments: { query: 'go' } }),
  ].map(underKey),
  // One repeat more than a key has.
  Array.from({ length: limits.idempotencyRepeatsMax + 2 }, () => underKey(balanceProbe)),
  [
    {
      method: 'GET',
      target: '/api/v1/topics?limit=50',
      headers: [key, ['Accept-Encoding', 'gzip']],
    },
  ],
  [
    {
      method: 'POST',
      target: '/mcp',
      headers: [key, ['Origin', 'https://evil.example']],
      body: '',
    },
  ],
]
