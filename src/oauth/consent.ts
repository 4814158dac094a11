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

/** What a person can mend on the page. */
class ConsentFault extends Error {}

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
  const login = loginIn(context, asked, form)
  try {
    const payer = login ?? { account: '', key: pastedKey(request) }
    const cap = capOf(form)
    const account = await accountFor(context, payer)
    await keepGrant(context, asked, account, cap)
  } catch (error) {
    if (!(error instanceof ConsentFault)) throw error
    const shown: ConsentShown = {
      ...{ signed, cap: form.cap, period: form.period, fault: error.message },
      ...(login !== undefined
        ? { login: { signed: form.login!, text: wordsOf(login) } }
        : { loginAddress: loginOf(context, asked, signed) }),
    }
    return consentPage(asked, shown, 400)
  }
  return redirectTo(context, asked, { code: context.signer.sign('code', { id: asked.id }) })
}

/** @throws OAuthError if the request was answered before: the person may have pressed twice. */
async function keepGrant(
  { books }: OAuthContext,
  { id, client, redirect, challenge, name }: AskedAccess,
  account: string,
  cap: Grant['cap'],
): Promise<void> {
  const label = `${labelPrefix}${name}`
  const grant: Grant = { client, redirect, challenge, account, cap, label }
  const note = { id: noteOfRequest(id), content: JSON.stringify(grant), whose: account }
  const kept = await books.keepNote(note)
  if (kept === 'full') throw new ConsentFault(tooMany)
  if (kept === 'kept') return
  throw new OAuthError('invalid_request', 'This request was answered. Start again in your client.')
}

function loginIn(
  { signer }: OAuthContext,
  { id }: AskedAccess,
  { login: signed }: Parameters,
): LoggedIn | undefined {
  if (signed === undefined) return undefined
  const login = signer.read('login', signed) as (LoggedIn & { request: string }) | undefined
  if (login?.request === id) return login
  throw new OAuthError(
    'access_denied',
    'The login is not of this request. Start again in your client.',
  )
}

function pastedKey({ key, keyFault = 'Paste an API key.' }: OAuthRequest): string {
  if (key === undefined) throw new ConsentFault(keyFault)
  return key.id
}

function capOf({ cap = '', period = '' }: Parameters): Grant['cap'] {
  const amountMicroUsd = parseUsd(cap.trim())
  const known = capPeriods.find((each) => each === period)
  if (amountMicroUsd === undefined || amountMicroUsd === 0) {
    const most = formatUsd(balanceMicroUsdMax)
    throw new ConsentFault(`The cap is an amount in USD above 0, such as 5 or 0.50, up to ${most}.`)
  }
  if (known === undefined) throw new ConsentFault('Choose for how long the cap holds.')
  return { amountMicroUsd, period: known }
}

/** The name of the account that pays. */
async function accountFor(
  { books, clock }: OAuthContext,
  { account, key: keyId }: LoggedIn,
): Promise<string> {
  const key = keyId === undefined ? undefined : await books.keyWith(keyId)
  const isGood = keyId === undefined || key?.state === 'active'
  if (!isGood || (key !== undefined && account !== '' && key.account !== account)) {
    throw new ConsentFault('The key is not active, or is of another account.')
  }
  // A client has a cap of its own: a restricted key could take more than it may through clients.
  if (key?.terms !== undefined) {
    const advice = 'Only a key without restrictions can connect a client.'
    throw new ConsentFault(`This key is restricted. ${advice}`)
  }
  const name = key?.account ?? account
  const recent = await books.countKeys(name, labelPrefix, clock() - dayMs)
  if (recent < grantsADayMax) return name
  const many = `${grantsADayMax} clients were connected to this account within a day`
  throw new ConsentFault(`${many}; go on tomorrow.`)
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
