/** The authorization server without a wire. A serving thread's part, to tell whose key a form holds, is played here. */
import { createHmac } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { openBooks } from '../../../src/ledger/books/open-books.ts'
import type { OAuthRequest } from '../../../src/oauth/exchange.ts'
import type { OAuthOptions } from '../../../src/oauth/options.ts'
import { type AnswerOAuth, oauthServer } from '../../../src/oauth/server.ts'
import { HandClock, temporaryDirectory } from '../../support/ledger-fixture.ts'
import {
  type Ask,
  answerIn,
  answerPage,
  callback,
  formInit,
  newProof,
  openPage,
  queryOf,
} from '../../support/oauth-person.ts'

export const issuer = 'https://index.example.com'
const resource = `${issuer}/mcp`
const loginUrl = 'https://login.example.com/agents'
const loginSecret = Buffer.alloc(32, 7)

interface ServedOAuth {
  readonly ask: Ask
  readonly books: Books
  readonly clock: HandClock
  /** The id of the key of the account `ann`, which a form holds as `key`. */
  readonly keyId: string
  readonly key: string
  /** A new server over the same ledger, as after a restart. */
  readonly restart: () => Ask
}

/** The ledger ends with the test. */
export async function newServer(options: Partial<OAuthOptions> = {}): Promise<ServedOAuth> {
  const clock = new HandClock()
  const data = temporaryDirectory()
  const books = await openBooks({ data, ledger: null, clock: clock.read, create: true })
  onTestFinished(() => books.close())
  await books.createAccount('ann')
  const order = { account: 'ann' }
  const { text, record } = await books.issueKey(order)
  const login = { url: loginUrl, secret: loginSecret }
  const secret = Buffer.alloc(32, 5)
  const newAsk = () =>
    askerOf(
      oauthServer({ issuer, books, secret, clock: clock.read, login, ...options }),
      text,
      record.id,
    )
  return { ask: newAsk(), books, clock, keyId: record.id, key: text, restart: newAsk }
}

/** @param keyId of the key that a form holds as `key`. */
export function askerOf(server: AnswerOAuth, key: string, keyId: string): Ask {
  return async (target, { headers = {}, body = '' } = {}) => {
    const { pathname, search } = new URL(target, issuer)
    const given = new Headers(headers)
    const request: OAuthRequest = {
      ...{ path: pathname, query: search.slice(1), body: String(body) },
      contentType: given.get('content-type') ?? '',
      origin: given.get('origin') ?? '',
      cookie: given.get('cookie') ?? '',
    }
    const form = new URLSearchParams(pathname === '/oauth/consent' ? String(body) : '')
    const found = form.get('key') === key ? { key: { id: keyId } } : {}
    const reply = await server({ ...request, ...found })
    return new Response(reply.body, { status: reply.status, headers: reply.headers.map(pair) })
  }
}

function pair([name, value]: readonly [string, string]): [string, string] {
  return [name, value]
}

export async function register(
  ask: Ask,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const response = await tryToRegister(ask, metadata)
  return ((await response.json()) as { client_id: string }).client_id
}

/** Registers a client as Claude does, but for other metadata. */
export function tryToRegister(
  ask: Ask,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  const body = JSON.stringify({
    client_name: 'Claude',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'mcp',
    ...metadata,
  })
  const headers = { 'content-type': 'application/json' }
  return ask('/oauth/register', { method: 'POST', headers, body })
}

/** The address of a request that is in order, but for other parameters. */
export function authorize(parameters: Readonly<Record<string, string | undefined>>): string {
  const usual = {
    response_type: 'code',
    redirect_uri: callback,
    code_challenge: newProof().challenge,
    code_challenge_method: 'S256',
    state: 'a state',
    scope: 'mcp',
    resource,
  }
  return `/oauth/authorize?${queryOf({ ...usual, ...parameters })}`
}

interface Client {
  /** One that registers where absent. */
  readonly client_id?: string
  readonly proof?: ReturnType<typeof newProof>
}

/** A code that a client has got, with all that it needs to redeem it. */
export async function codeOf({ ask, key, clock }: ServedOAuth, client: Client = {}) {
  // Keys are listed in the order of their times.
  clock.nowMs += 1_000
  return codeFrom(ask, key, client)
}

/** The same, of a server without a clock that is set by hand. */
export async function codeFrom(ask: Ask, key: string, client: Client = {}) {
  const { client_id = await register(ask), proof = newProof() } = client
  const page = await openPage(ask, authorize({ client_id, code_challenge: proof.challenge }))
  const answer = answerIn(await answerPage(ask, page, { key }))
  return {
    grant_type: 'authorization_code',
    code: answer.get('code')!,
    client_id,
    redirect_uri: callback,
    code_verifier: proof.verifier,
    resource,
  }
}

export function refreshing(refresh_token: string, client_id: string) {
  return { grant_type: 'refresh_token', refresh_token, client_id }
}

export async function askTokens(
  ask: Ask,
  form: Readonly<Record<string, string | undefined>>,
): Promise<{ status: number; error?: string; access_token: string; refresh_token: string }> {
  const response = await ask('/oauth/token', formInit(form))
  const answer = (await response.json()) as { access_token: string; refresh_token: string }
  return { status: response.status, ...answer }
}

export function handOver(content: object, secret: Uint8Array = loginSecret): string {
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`
}

/** A person who went from the page to the login: what a hand-over holds, and what takes one in that browser. */
export async function beginLogin() {
  const served = await newServer()
  const client_id = await register(served.ask)
  const { verifier: code_verifier, challenge: code_challenge } = newProof()
  const page = await openPage(served.ask, authorize({ client_id, code_challenge }))
  const link = /href="([^"]+)"/.exec(page.html)![1]!.replaceAll('&#38;', '&')
  expect(link).toContain(loginUrl)
  const request_id = new URL(link).searchParams.get('request_id')!
  const exp = Math.floor(served.clock.nowMs / 1_000) + 60
  const content = { request_id, account: 'ann', exp }
  const take = (text: string, cookie = page.cookie) =>
    openPage(
      served.ask,
      `/oauth/logged-in?${queryOf({ request: page.request, hand_over: text })}`,
      cookie,
    )
  const form = {
    grant_type: 'authorization_code',
    redirect_uri: callback,
    client_id,
    code_verifier,
  }
  return { ...served, page, content, take, form }
}
