/** A service with MCP in the test's own process, over a real socket. Whatever is started ends with the test. */

import { randomFillSync } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, onTestFinished } from 'vitest'
import { Api } from '../../../src/api/api.ts'
import { createSharedLimits, RateLimit } from '../../../src/api/limits/rate-limit.ts'
import { RequestIds } from '../../../src/api/pipeline/request-ids.ts'
import type { AsyncRoute } from '../../../src/http/async-route.ts'
import { listen } from '../../../src/http/server.ts'
import { newKeyText } from '../../../src/ledger/books/key.ts'
import { createSharedBalances, ThreadBalances } from '../../../src/ledger/live/balances.ts'
import { Reservations } from '../../../src/ledger/live/reservations.ts'
import { mcpApplication } from '../../../src/mcp/application.ts'
import { mcpEndpoint } from '../../../src/mcp/endpoint.ts'
import { defaultPrices } from '../../../src/operations.ts'
import { servedOf } from '../../support/built.ts'
import { keyringOf } from '../../support/keyring-of.ts'
import { ownerAt } from '../../support/ledger-fixture.ts'
import { entry } from '../../support/program.ts'
import { authority, connection, social, topic } from '../../support/records.ts'

/** Three people: Ann and Bob know each other and something of Rust, Cy cooks. */
export const people = {
  authorities: [
    authority({
      sdu: '7',
      name: 'Ann Other',
      bio: 'Writes compilers.',
      countryName: 'France',
      topics: [topic('Rust'), topic('Compilers')],
      socials: [social('github', 'ann', 1200)],
      website: 'https://ann.example',
      authorityScore: 90,
    }),
    authority({
      sdu: '8',
      name: 'Bob Builder',
      topics: [topic('Rust')],
      socials: [social('github', 'bob')],
      authorityScore: 50,
    }),
    authority({ sdu: '9', name: 'Cy Cook', topics: [topic('C#'), topic('50% rye')] }),
  ],
  topics: [],
  connections: [connection('8', '7')],
}

/** Prices that are all different, so that a mixed-up route shows in the amount. */
const prices = { ...defaultPrices, search: 1_000, detail: 2_000, peers: 3_000, match: 500 }

export interface McpService {
  readonly address: string
  readonly key: string
  readonly balanceMicroUsd: () => number
  /** Queries that were charged; what is only reserved is not among them. */
  readonly charged: () => number
  /** Bugs that were reported to it. */
  readonly errors: readonly unknown[]
}

interface McpSurroundings {
  readonly origins?: readonly string[]
  /** How many messages it may send, ever. */
  readonly messagesMax?: number
  readonly searchFetch?: boolean
  readonly publicUrl?: string | null
  /** What answers in the place of the application. */
  readonly answerOf?: (api: Api, application: AsyncRoute['answer']) => AsyncRoute['answer']
}

export async function startMcpService(
  balanceMicroUsd = 1_000_000,
  {
    origins = [],
    messagesMax,
    answerOf = (_, application) => application,
    searchFetch = false,
    publicUrl = null,
  }: McpSurroundings = {},
  atEnd: AtEnd = onTestFinished,
): Promise<McpService> {
  const key = newKeyText()
  const keyring = keyringOf([{ text: key, owner: ownerAt(0) }], Date.now)
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, balanceMicroUsd)
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  let charged = 0
  const onCharged = (_: string, queries: number) => {
    charged += queries
  }
  const current = servedOf(people)
  const served = () => current
  const api = new Api({
    served,
    reservations: new Reservations(keyring, balances, prices, onCharged),
    rateLimit: messagesMax === undefined ? undefined : standingLimit(messagesMax),
    clock: () => (messagesMax === undefined ? performance.now() : 0),
    ids: new RequestIds(randomFillSync),
    onError,
  })
  const offer = { isCharged: true, searchFetch, publicUrl }
  const answer = answerOf(api, mcpApplication({ api, served, offer, onError }))
  const asyncRoute = mcpEndpoint({ api, answer, origins, inFlightMax: 64 })
  const server = await listen({ api, asyncRoutes: [asyncRoute] }, '127.0.0.1', 0)
  if (server === undefined) throw new Error('cannot listen')
  atEnd(() => server.close())
  const address = `http://127.0.0.1:${server.port}`
  return {
    address,
    key,
    errors,
    balanceMicroUsd: () => balances.balanceMicroUsd(0),
    charged: () => charged,
  }
}

/** Ends behind the last test of a file; it keeps nothing of a request. */
export function sharedMcpService(
  balanceMicroUsd?: number,
  surroundings?: McpSurroundings,
): () => Promise<McpService> {
  const ends: (() => Promise<void>)[] = []
  const atEnd: AtEnd = (end) => void ends.push(end)
  let service: Promise<McpService> | undefined
  afterAll(async () => {
    for (const end of ends) await end()
  })
  return () => {
    service ??= startMcpService(balanceMicroUsd, surroundings, atEnd)
    return service
  }
}

/** A limit; where there is one, the clock stands, so that no token comes back. */
function standingLimit(rateBurst: number): RateLimit {
  return new RateLimit(createSharedLimits(0), { rateLimit: 1, rateBurst })
}

/** How a client opens: with the handshake of the older revisions, or as the newest does. */
export type Era = 'legacy' | 'modern'

export const eras: readonly Era[] = ['legacy', 'modern']

/** Registers what is done at the end: of a test, unless of more than one. */
type AtEnd = (end: () => Promise<void>) => void

function newClient(era: Era, atEnd: AtEnd = onTestFinished): Client {
  const mode = era === 'legacy' ? 'legacy' : { pin: '2026-07-28' }
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: mode as 'legacy' } },
  )
  atEnd(() => client.close())
  return client
}

export async function connectHttp(
  { address, key }: McpService,
  era: Era,
  target = '/mcp',
): Promise<Client> {
  const client = newClient(era)
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}${target}`), { requestInit }),
  )
  return client
}

export async function connectStdio(
  words: readonly string[],
  era: Era,
  env: Record<string, string> = {},
  atEnd?: AtEnd,
): Promise<Client> {
  const client = newClient(era, atEnd)
  const args = [entry, 'mcp', ...words]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
  return client
}

/** Posts messages as a client of the older revisions does; a text or bytes go as they are. */
export function post(
  { address, key }: McpService,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
  target = '/mcp',
): Promise<Response> {
  const isRaw = typeof message === 'string' || message instanceof Uint8Array
  const own = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  return fetch(`${address}${target}`, {
    method: 'POST',
    headers: { ...own, Accept: 'application/json, text/event-stream', ...headers },
    body: isRaw ? (message as string) : JSON.stringify(message),
  })
}

export function messageOf(method: string, params: unknown = {}, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method, params }
}

export function textOf(result: { readonly content: readonly unknown[] }): string {
  const [first] = result.content as readonly { readonly type: string; readonly text: string }[]
  return first!.text
}
