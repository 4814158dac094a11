/**
 * A person's consent: a key or the operator's login says who pays, and a cap says how much. An answer counts only from
 * the page of this service, in the browser that asked, once.
 */
import type { TermsChange } from '../ledger/books/checks.ts'
import { balanceMicroUsdMax, capPeriods, formatUsd, parseUsd } from '../money.ts'
import { type AskedAccess, cookieName, readAsked, readSigned, redirectTo } from './authorization.ts'
import { type ConsentShown, consentPage } from './consent-page.ts'
import {
  OAuthError,
  type OAuthReply,
  type OAuthRequest,
  type Parameters,
  parametersOf,
  postedForm,
} from './exchange.ts'
import { type LoggedIn, loginAddress, readHandOver } from './hand-over.ts'
import type { OAuthContext } from './options.ts'
import { textDigest } from './signing.ts'

/** Clients that may be connected to one account in a day: each takes a place in memory. */
const grantsADayMax = 100
const dayMs = 86_400_000
const tooMany = 'Too many clients are being connected; go on in ten minutes.'

/**
 * The consent of a person. It lies in the ledger as a note that is good once, on whichever node the code comes back. The
 * code names its request and is signed, so that it cannot be guessed and none is stored.
 */
export interface Grant {
  readonly client: string
  readonly redirect: string
  /** The challenge of PKCE: SHA-256 of the verifier in base64url. */
  readonly challenge: string
  readonly account: string
  readonly cap: NonNullable<TermsChange['cap']>
  readonly label: string
}

export function noteOfRequest(id: string): string {
  return `oauth ${id}`
}

export const labelPrefix = 'oauth: '

/** @throws OAuthError to be shown to the person. */
export async function askPerson(context: OAuthContext, request: OAuthRequest): Promise<OAuthReply> {
  const { asked, signed, cookie } = await readAsked(context, request)
  const page = consentPage(asked, { signed, loginAddress: loginOf(context, asked, signed) })
  return { ...page, headers: [...page.headers, ['Set-Cookie', cookieText(context, cookie)]] }
}

/** @throws OAuthError to be shown to the person. */
export async function takeLogin(context: OAuthContext, request: OAuthRequest): Promise<OAuthReply> {
  const { login, books, signer, clock } = context
  if (login === undefined) throw new OAuthError('invalid_request', 'There is no login here.')
  const { request: signed = '', hand_over = '' } = parametersOf(request.query)
  const asked = readSigned(context, signed, request)
  const found = readHandOver(login, hand_over, asked.id, clock())
  const kept = await books.keepNote({
    id: `login ${textDigest(hand_over)}`,
    content: '',
    whose: `login ${found.account || found.key}`,
  })
  if (kept === 'full') throw new OAuthError('temporarily_unavailable', tooMany)
  if (kept === 'known') {
    throw new OAuthError('access_denied', 'This login was used before. Start again in your client.')
  }
  const login_ = signer.sign('login', { ...found, request: asked.id })
  return consentPage(asked, { signed, login: { signed: login_, text: wordsOf(found) } })
}

/** @throws OAuthError to be shown to the person. */
export async function takeConsent(
  context: OAuthContext,
  request: OAuthRequest,
): Promise<OAuthReply> {
  if (request.origin !== '' && request.origin !== context.issuer) {
    throw new OAuthError(
      'invalid_request',
      'The answer does not come from the page of this service.',
    )
  }
  const form = postedForm(request)
  const { request: signed = '', decision } = form
  const asked = readSigned(context, signed, request)
  if (decision === 'deny') {
    const denied = { error: 'access_denied', error_description: 'the person said no' }
    return redirectTo(context, asked, denied)
  }
  const payer = payerOf(context, asked, form, request)
  const shown: ConsentShown = {
    ...{ signed, cap: form.cap, period: form.period },
    ...(payer.login !== undefined
      ? { login: { signed: form.login!, text: wordsOf(payer.login) } }
      : { loginAddress: loginOf(context, asked, signed) }),
  }
  const cap = capOf(form)
  const fault = payer.fault ?? (typeof cap === 'string' ? cap : undefined)
  if (fault !== undefined || typeof cap === 'string') {
    return consentPage(asked, { ...shown, fault }, 400)
  }
  const { account = '', key } = payer.login ?? { key: request.key!.id }
  const found = await accountFor(context, account, key)
  if ('fault' in found) return consentPage(asked, { ...shown, ...found }, 400)
  const kept = await keepGrant(context, asked, found.name, {
    ...{ client: asked.client, redirect: asked.redirect, challenge: asked.challenge },
    ...{ account: found.name, cap, label: `${labelPrefix}${asked.name}` },
  })
  if (!kept) return consentPage(asked, { ...shown, fault: tooMany }, 400)
  return redirectTo(context, asked, { code: context.signer.sign('code', { id: asked.id }) })
}

/** False if too many are kept. @throws OAuthError if the request was answered before. */
async function keepGrant(
  { books }: OAuthContext,
  { id }: AskedAccess,
  whose: string,
  grant: Grant,
): Promise<boolean> {
  const content = JSON.stringify(grant)
  const kept = await books.keepNote({ id: noteOfRequest(id), content, whose })
  if (kept !== 'known') return kept === 'kept'
  // The person may have pressed twice.
  throw new OAuthError('invalid_request', 'This request was answered. Start again in your client.')
}

function payerOf(
  { signer }: OAuthContext,
  asked: AskedAccess,
  form: Parameters,
  { key, keyFault }: OAuthRequest,
): { readonly login?: LoggedIn; readonly fault?: string } {
  if (form.login !== undefined) {
    const login = signer.read('login', form.login) as (LoggedIn & { request: string }) | undefined
    if (login?.request === asked.id) return { login }
    throw new OAuthError(
      'access_denied',
      'The login is not of this request. Start again in your client.',
    )
  }
  return key === undefined ? { fault: keyFault ?? 'Paste an API key.' } : {}
}

function capOf({ cap = '', period = '' }: Parameters): Grant['cap'] | string {
  const amountMicroUsd = parseUsd(cap.trim())
  const known = capPeriods.find((each) => each === period)
  if (amountMicroUsd === undefined || amountMicroUsd === 0) {
    return `The cap is an amount in USD above 0, such as 5 or 0.50, up to ${formatUsd(balanceMicroUsdMax)}.`
  }
  return known === undefined
    ? 'Choose for how long the cap holds.'
    : { amountMicroUsd, period: known }
}

async function accountFor(
  { books, clock }: OAuthContext,
  account: string,
  keyId: string | undefined,
): Promise<{ readonly name: string } | { readonly fault: string }> {
  const key = keyId === undefined ? undefined : await books.keyWith(keyId)
  const isGood = keyId === undefined || key?.state === 'active'
  if (!isGood || (key !== undefined && account !== '' && key.account !== account)) {
    return { fault: 'The key is not active, or is of another account.' }
  }
  // A client has a cap of its own: a restricted key could take more than it may through clients.
  if (key?.terms !== undefined) {
    return {
      fault: 'This key is restricted. Only a key without restrictions can connect a client.',
    }
  }
  const name = key?.account ?? account
  const recent = await books.countKeys(name, labelPrefix, clock() - dayMs)
  if (recent >= grantsADayMax) {
    const fault = `${grantsADayMax} clients were connected to this account within a day; go on tomorrow.`
    return { fault }
  }
  return { name }
}

function loginOf({ login }: OAuthContext, { id }: AskedAccess, signed: string): string | undefined {
  return login && loginAddress(login, signed, id)
}

function wordsOf({ account, key }: LoggedIn): string {
  return account === ''
    ? `You are logged in with key ${key}.`
    : `You are logged in: ${account} pays.`
}

function cookieText({ issuer }: OAuthContext, cookie: string): string {
  const secure = issuer.startsWith('https:') ? '; Secure' : ''
  return `${cookieName(issuer)}=${cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age=3600${secure}`
}
