/** Every operation and page of a service, each with a request whose whole answer is a 200. */

import type { Snapshot } from '../../../../src/snapshot/file.ts'
import { mcpHeaders } from '../../../support/abuse/victim.ts'
import { wireRequest } from '../../../support/abuse/wire.ts'
import { snapshotOf } from '../../../support/built.ts'
import { authority, connection, social, topic } from '../../../support/records.ts'

/** A request, and what its answer is charged for. */
export interface Target {
  readonly name: string
  readonly text: string
  /** Queries that a whole answer is charged for, at a price above nothing. */
  readonly queries: number
}

/** So many people with biographies, all of one topic and connected in a ring. */
export function largeSnapshot(people: number, bioCharacters: number): Snapshot {
  const numbers = Array.from({ length: people }, (_, index) => index + 1)
  return snapshotOf({
    authorities: numbers.map((number) =>
      authority({
        sdu: String(number),
        name: `Large Person${number}`,
        bio: 'A life in short. '.repeat(Math.ceil(bioCharacters / 17)).slice(0, bioCharacters),
        topics: [topic('Large')],
        socials: [social('github', `person${number}`)],
      }),
    ),
    connections: numbers.flatMap((number) =>
      Array.from({ length: 50 }, (_, step) =>
        connection(String(number), String(((number + step) % people) + 1)),
      ),
    ),
  })
}

/** Words to start a service with that has all of them; each query then costs a micro-USD. */
export const targetWords: readonly string[] = [
  ...['--explorer', 'on', '--lookup-rate-limit', '0'],
  ...['search', 'detail', 'peers', 'match', 'rank', 'autocomplete', 'topics', 'snapshots']
    .concat(['snapshot', 'changes', 'history'])
    .flatMap((route) => ['--price', `${route}=0.000001`]),
  // All clients have one key, and an account has an eighth of the places.
  '--mcp-in-flight-max',
  '1000',
]

export function targetsOf(key: string, snapshotId: string): readonly Target[] {
  const keyed = { Authorization: `Bearer ${key}` }
  const ids = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))
  const handles = (count: number) => ids(count).map((id) => `person${id}`)
  const got = (path: string, queries = 1): Target => ({
    name: `GET ${path.replace(/[?].*/, '')}`,
    text: wireRequest(path, queries > 0 ? keyed : {}),
    queries,
  })
  const posted = (path: string, body: object, queries: number, headers = {}): Target => ({
    name: `POST ${path}`,
    text: requestWithBody(path, JSON.stringify(body), { ...keyed, ...headers }),
    queries,
  })
  const tool = (name: string, queries: number, args: object): Target => ({
    ...posted('/mcp', call(name, args), queries, mcpHeaders),
    name: `POST /mcp, ${name}`,
  })
  const lists = ids(20).map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
  return [
    got('/api/v1/index?query=large&limit=50&explain=true'),
    got(`/api/v1/detail?sdus=${ids(50).join()}`, 50),
    got(`/api/v1/peers?handles=${handles(50).join()}&limit=50`, 50),
    got(`/api/v1/match?handles=${handles(50).join()}`, 50),
    got('/api/v1/autocomplete?query=l'),
    got('/api/v1/topics'),
    got('/api/v1/snapshots'),
    got(`/api/v1/snapshots/${snapshotId}`),
    got(`/api/v1/changes?since=${snapshotId}`),
    got('/api/v1/history?sdu=1'),
    posted('/api/v1/detail', { sdus: ids(1_000) }, 1_000),
    posted('/api/v1/match', { handles: handles(1_000) }, 1_000),
    posted('/api/v1/rank', { sources: handles(1_000).map((one) => `github:${one}`) }, 1_000),
    tool('search_authorities', 1, { query: 'large', limit: 50 }),
    tool('get_authority_detail', 50, { sdus: ids(50) }),
    { ...posted('/mcp', lists, 0, mcpHeaders), name: 'POST /mcp, 20 lists' },
    got('/openapi.json', 0),
    got('/metrics', 0),
    got('/healthz', 0),
    got('/readyz', 0),
    got('/', 0),
    got('/docs', 0),
  ]
}

function requestWithBody(
  path: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): string {
  const described = {
    'Content-Type': 'application/json',
    ...headers,
    'Content-Length': String(Buffer.byteLength(body)),
  }
  return wireRequest(path, described, 'POST') + body
}

function call(name: string, args: object): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
}
