/**
 * Tokens. An access token is a key of the account that pays, with the scope `mcp` and the cap that the person set. A
 * refresh token is a signed text that names the key and its last secret; to use it renews the key, so it is good once.
 */
import { keyHash } from '../ledger/books/key.ts'
import type { IssuedKey } from '../ledger/books/key-rows.ts'
import type { OrderOfNote } from '../ledger/books/once-rows.ts'
import { Refusal } from '../problems.ts'
import { refuseOtherResource, refuseOtherScope } from './authorization.ts'
import { type Grant, labelPrefix, noteOfRequest } from './consent.ts'
import {
  jsonReply,
  OAuthError,
  type OAuthReply,
  type OAuthRequest,
  type Parameters,
  postedForm,
} from './exchange.ts'
import { oauthScope } from './metadata.ts'
import type { OAuthContext } from './options.ts'
import { isEqualText, textDigest } from './signing.ts'

const codeLifeMs = 60_000
const accessLifeMs = 3_600_000
/** Lifetime of a refresh token from its last use, ms. */
const refreshLifeMs = 30 * 86_400_000
const refreshPrefix = 'air_'

interface Refresh {
  readonly key: string
  /** The hash of the secret that it came with. */
  readonly secret: string
  readonly client: string
  readonly untilMs: number
}

export async function giveTokens(
  context: OAuthContext,
  request: OAuthRequest,
): Promise<OAuthReply> {
  const form = postedForm(request)
  const { grant_type, client_id = '' } = form
  if (client_id === '') throw new OAuthError('invalid_request', 'client_id is missing')
  if (grant_type === 'authorization_code') return redeem(context, form, textDigest(client_id))
  if (grant_type === 'refresh_token') return refresh(context, form, textDigest(client_id))
  const words = 'grant_type is authorization_code or refresh_token'
  throw new OAuthError('unsupported_grant_type', words)
}

/** An unknown token is no error (RFC 7009). @throws OAuthError. */
export async function revokeToken(
  context: OAuthContext,
  request: OAuthRequest,
): Promise<OAuthReply> {
  const { token = '', client_id = '' } = postedForm(request)
  const told = readRefresh(context, token)
  if (told !== undefined && told.client === textDigest(client_id)) {
    await endGrant(context, told.key)
  }
  if (request.key !== undefined) await endGrant(context, request.key.id)
  return { ...jsonReply(200, {}), keys: 'ended' }
}

/** A code is good once: it is used up even if the request is refused; if it comes again, its keys end. */
async function redeem(
  context: OAuthContext,
  form: Parameters,
  client: string,
): Promise<OAuthReply> {
  const code = context.signer.read('code', form.code ?? '') as { id: string } | undefined
  if (code === undefined) throw notGood('the code is not known, or is over')
  let fault: OAuthError | undefined
  const orderOf: OrderOfNote = (content, ageMs) => {
    const grant = JSON.parse(content) as Grant
    try {
      refuseUnfit(context, grant, ageMs, form, client)
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error
      fault = error
      return undefined
    }
    const { account, label, cap } = grant
    return { account, label, lifeMs: accessLifeMs, cap, scopes: [oauthScope] }
  }
  const redeemed = await context.books
    .redeemNote(noteOfRequest(code.id), orderOf)
    .catch((error: unknown) => {
      // There is no such account: a login may name any.
      throw error instanceof Refusal && error.kind === 'rule' ? notGood(error.message) : error
    })
  if (redeemed.state === 'issued') {
    return { ...tokensOf(context, redeemed.issued, client), keys: 'made' }
  }
  if (redeemed.state === 'unknown') throw notGood('the code is not known, or is over')
  if (redeemed.state === 'spent') throw fault!
  if (redeemed.key !== null) await endGrant(context, redeemed.key)
  throw notGood('the code was used before', true)
}

function refuseUnfit(
  { issuer }: OAuthContext,
  { client: allowed, redirect, challenge }: Grant,
  ageMs: number,
  { redirect_uri, code_verifier = '', resource }: Parameters,
  client: string,
): void {
  if (ageMs >= codeLifeMs) throw notGood('the code is over')
  if (client !== allowed) throw notGood('the code was given to another client')
  if (redirect_uri !== redirect) throw notGood('redirect_uri is not that of the request')
  const isVerifier = /^[A-Za-z0-9._~-]{43,128}$/.test(code_verifier)
  if (!isVerifier || !isEqualText(textDigest(code_verifier), challenge)) {
    throw notGood('code_verifier does not fit')
  }
  refuseOtherResource(resource, issuer)
}

async function refresh(
  context: OAuthContext,
  { refresh_token = '', resource, scope }: Parameters,
  client: string,
): Promise<OAuthReply> {
  const told = readRefresh(context, refresh_token)
  if (told === undefined) throw notGood('the refresh token is not known, or is over')
  if (told.client !== client) throw notGood('the refresh token was given to another client')
  refuseOtherResource(resource, context.issuer)
  refuseOtherScope(scope)
  const { key, secret } = told
  const renewed = await context.books.renewKey(key, secret, accessLifeMs)
  if (renewed !== undefined) return { ...tokensOf(context, renewed, client), keys: 'ended' }
  await endGrant(context, key)
  throw notGood('the refresh token was used before, or its key was ended', true)
}

function readRefresh({ signer, clock }: OAuthContext, text: string): Refresh | undefined {
  if (!text.startsWith(refreshPrefix)) return undefined
  const told = signer.read('refresh', text.slice(refreshPrefix.length)) as Refresh | undefined
  return told !== undefined && clock() < told.untilMs ? told : undefined
}

function tokensOf(
  { signer, clock }: OAuthContext,
  { text, record }: IssuedKey,
  client: string,
): OAuthReply {
  const untilMs = clock() + refreshLifeMs
  const told: Refresh = { key: record.id, secret: keyHash(text), client, untilMs }
  return jsonReply(200, {
    access_token: text,
    token_type: 'Bearer',
    expires_in: accessLifeMs / 1_000,
    refresh_token: refreshPrefix + signer.sign('refresh', told),
    scope: oauthScope,
  })
}

/** Ends a key that was made here; any other stays. */
async function endGrant({ books }: OAuthContext, id: string): Promise<void> {
  const key = await books.keyWith(id)
  if (key?.label?.startsWith(labelPrefix)) await books.revokeKey(id)
}

function notGood(why: string, endsKeys = false): OAuthError {
  return new OAuthError('invalid_grant', why, endsKeys)
}
