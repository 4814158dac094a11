/**
 * Requests for authorization (RFC 6749 §4.1.1 with PKCE). A fault is shown to the person and sent nowhere: any program
 * can be a client, so that a redirect that no person has agreed to would let it send people from this origin to an
 * address of its choice (RFC 9700 §4.11.2). The request goes through the browser as a signed text, bound to that
 * browser by a cookie, so that a flood of requests is not kept and any node of the ledger takes the answer.
 */
import { randomBytes } from 'node:crypto'
import type { OAuthClient } from './clients/client.ts'
import { isNamed } from './clients/redirects.ts'
import { registeredClient } from './clients/registration.ts'
import {
  OAuthError,
  type OAuthReply,
  type OAuthRequest,
  type Parameters,
  parametersOf,
} from './exchange.ts'
import { oauthScope, resourcesOf } from './metadata.ts'
import type { OAuthContext } from './options.ts'
import { textDigest } from './signing.ts'

/** A request that was checked. */
export interface AskedAccess {
  readonly id: string
  /** The digest of the client's id: ids may be long. */
  readonly client: string
  readonly name: string
  /** The host that the name comes from; absent if the client registered itself. */
  readonly host?: string | undefined
  readonly redirect: string
  readonly state?: string | undefined
  readonly challenge: string
  readonly browser: string
  readonly untilMs: number
}

const lifeMs = 600_000
const stateCharactersMax = 1_024

interface Asked {
  readonly asked: AskedAccess
  readonly signed: string
  readonly cookie: string
}

/** @throws OAuthError for a fault that is to be shown to the person. */
export async function readAsked(context: OAuthContext, request: OAuthRequest): Promise<Asked> {
  const given = parametersOf(request.query)
  const client = await clientOf(context, given.client_id ?? '')
  const { redirect_uri: redirect = '', state } = given
  if (!isNamed(redirect, client.redirects)) {
    throw new OAuthError('invalid_request', 'The redirect_uri is none that the client has named.')
  }
  if (state !== undefined && state.length > stateCharactersMax) {
    throw new OAuthError('invalid_request', 'state is too long')
  }
  refuseFaults(given, context.issuer)
  const cookie = cookieOf(request, context.issuer) ?? randomBytes(32).toString('base64url')
  const asked: AskedAccess = {
    id: randomBytes(16).toString('base64url'),
    client: textDigest(client.id),
    name: client.name,
    host: client.host,
    redirect,
    state,
    challenge: given.code_challenge!,
    browser: textDigest(cookie),
    untilMs: context.clock() + lifeMs,
  }
  return { asked, signed: context.signer.sign('request', asked), cookie }
}

/** @throws OAuthError for a request that was changed, is over, or began in another browser. */
export function readSigned(
  context: OAuthContext,
  text: string,
  request: OAuthRequest,
): AskedAccess {
  const asked = context.signer.read('request', text) as AskedAccess | undefined
  const cookie = cookieOf(request, context.issuer)
  const isOurs = cookie !== undefined && asked?.browser === textDigest(cookie)
  const lives = asked !== undefined && context.clock() < asked.untilMs
  if (lives && isOurs) return asked
  throw new OAuthError(
    'invalid_request',
    'This request is over, or began in another browser. Start again in your client.',
  )
}

/** With `iss` the client knows from whom the answer is (RFC 9207). */
export function redirectTo(
  { issuer }: OAuthContext,
  { redirect, state }: Pick<AskedAccess, 'redirect' | 'state'>,
  answer: Readonly<Record<string, string>>,
): OAuthReply {
  const said = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  const location = `${redirect}${redirect.includes('?') ? '&' : '?'}${new URLSearchParams(said)}`
  return {
    status: 303,
    headers: [
      ['Location', location],
      ['Cache-Control', 'no-store'],
      ['Referrer-Policy', 'no-referrer'],
    ],
    body: '',
  }
}

/** By the prefix, browsers take the cookie from this origin only. */
export function cookieName(issuer: string): string {
  return issuer.startsWith('https:') ? '__Host-oauth' : 'oauth'
}

/** @throws OAuthError for an id that is neither the address of a document nor registered here. */
async function clientOf(context: OAuthContext, id: string): Promise<OAuthClient> {
  if (id.startsWith('https://')) return context.clientAt(id)
  const client = registeredClient(id, context.signer)
  if (client !== undefined) return client
  throw new OAuthError('invalid_client', 'The client_id is not known here.')
}

function refuseFaults(given: Parameters, issuer: string): void {
  const { response_type, code_challenge = '', code_challenge_method, resource, scope } = given
  if (response_type !== 'code') {
    throw new OAuthError('unsupported_response_type', 'response_type is code')
  }
  if (code_challenge_method !== 'S256' || !/^[\w-]{43}$/.test(code_challenge)) {
    throw new OAuthError('invalid_request', 'PKCE is needed, with code_challenge_method S256')
  }
  refuseOtherResource(resource, issuer)
  refuseOtherScope(scope)
}

/** @throws OAuthError `invalid_target` for a resource that is not this one (RFC 8707). */
export function refuseOtherResource(resource: string | undefined, issuer: string): void {
  const own = resourcesOf(issuer)
  if (resource === undefined || own.includes(resource)) return
  throw new OAuthError('invalid_target', `tokens of this service are for ${own[0]}`)
}

/** @throws OAuthError `invalid_scope`. */
export function refuseOtherScope(scope: string | undefined): void {
  if (scope === undefined || scope === '' || scope.split(' ').includes(oauthScope)) return
  throw new OAuthError('invalid_scope', `the scope is ${oauthScope}`)
}

function cookieOf({ cookie }: OAuthRequest, issuer: string): string | undefined {
  const prefix = `${cookieName(issuer)}=`
  const found = cookie.split(/;\s*/).find((each) => each.startsWith(prefix))
  const value = found?.slice(prefix.length) ?? ''
  return /^[\w-]{43}$/.test(value) ? value : undefined
}
