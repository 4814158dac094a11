/**
 * What a person answers: a key or the operator's login says who pays, and a cap says how much. An answer counts only
 * from the page of this service, in the browser that asked, once. It leads to a code that lives a minute.
 */
import { randomBytes } from 'node:crypto'
import { balanceMicroUsdMax, capPeriods, formatUsd, parseUsd } from '../money.ts'
import {
  type AskedAccess,
  cookieName,
  errorRedirect,
  readAsked,
  readSigned,
  redirectTo,
} from './authorization.ts'
import type { Grant } from './codes.ts'
import { type ConsentShown, consentPage } from './consent-page.ts'
import type { OAuthContext } from './context.ts'
import {
  OAuthError,
  type OAuthReply,
  type OAuthRequest,
  type Parameters,
  parametersOf,
  postedForm,
} from './exchange.ts'
import { type LoggedIn, loginAddress, readHandOver } from './hand-over.ts'
import { textDigest } from './signing.ts'

const codeLifeMs = 60_000
/** Clients that may be connected to one account in a day: each takes a place in memory. */
const grantsADayMax = 100
const dayMs = 86_400_000
/** Answers of one account within ten minutes: each is remembered for that time. */
const answersMax = 50

/** What the labels of keys begin with that were made here. */
export const labelPrefix = 'oauth: '

/** Answers a request for authorization: with the page. @throws OAuthError to be shown to the person. */
export async function askPerson(context: OAuthContext, request: OAuthRequest): Promise<OAuthReply> {
  const read = await readAsked(context, request)
  if ('reply' in read) return read.reply
  const { asked, signed, cookie } = read
  const page = consentPage(asked, { signed, loginAddress: loginOf(context, asked, signed) })
  return { ...page, headers: [...page.headers, ['Set-Cookie', cookieText(context, cookie)]] }
}

/** Takes the hand-over of the login and asks for the cap. @throws OAuthError to be shown to the person. */
export function takeLogin(context: OAuthContext, request: OAuthRequest): OAuthReply {
  const { login, used, passing, clock } = context
  if (login === undefined) throw new OAuthError('invalid_request', 'There is no login here.')
  const { request: signed = '', hand_over = '' } = parametersOf(request.query)
  const asked = readSigned(context, signed, request)
  const found = readHandOver(login, hand_over, asked.id, clock())
  if (!used.add(`login ${textDigest(hand_over)}`, true)) {
    throw new OAuthError('access_denied', 'This login was used before. Start again in your client.')
  }
  const login_ = passing.sign('login', { ...found, request: asked.id })
  return consentPage(asked, { signed, login: { signed: login_, text: wordsOf(found) } })
}

/** Takes the answer of the page. @throws OAuthError to be shown to the person. */
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
    return errorRedirect(context, asked, new OAuthError('access_denied', 'the person said no'))
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
  const late = await faultOfAccount(context, account, key)
  if (late !== undefined) return consentPage(asked, { ...shown, fault: late }, 400)
  return giveCode(context, asked, {
    ...{ client: asked.client, redirect: asked.redirect, challenge: asked.challenge },
    ...{ account, cap, label: `${labelPrefix}${asked.name}` },
    ...(key !== undefined && { parent: key }),
  })
}

function giveCode(context: OAuthContext, asked: AskedAccess, grant: Grant): OAuthReply {
  const code = randomBytes(32).toString('base64url')
  const untilMs = context.clock() + codeLifeMs
  // The person may have pressed twice.
  if (!context.used.add(asked.id, true)) {
    throw new OAuthError(
      'invalid_request',
      'This request was answered. Start again in your client.',
    )
  }
  if (!context.codes.add(textDigest(code), { grant, untilMs })) {
    throw new OAuthError('temporarily_unavailable', 'Too many clients are being connected.')
  }
  return redirectTo(context, asked, { code })
}

/** Who pays: whom the login has named, or the key that was pasted; else what is wrong. */
function payerOf(
  { passing }: OAuthContext,
  asked: AskedAccess,
  form: Parameters,
  { key, keyFault }: OAuthRequest,
): { readonly login?: LoggedIn; readonly fault?: string } {
  if (form.login !== undefined) {
    const login = passing.read('login', form.login) as (LoggedIn & { request: string }) | undefined
    if (login?.request === asked.id) return { login }
    throw new OAuthError(
      'access_denied',
      'The login is not of this request. Start again in your client.',
    )
  }
  return key === undefined ? { fault: keyFault ?? 'Paste an API key.' } : {}
}

/** The cap; or what is wrong with it. */
function capOf({ cap = '', period = '' }: Parameters): Grant['cap'] | string {
  const amountMicroUsd = parseUsd(cap.trim())
  const known = capPeriods.find((each) => each === period)
  if (amountMicroUsd === undefined || amountMicroUsd === 0 || amountMicroUsd > balanceMicroUsdMax) {
    return `The cap is an amount in USD above 0, such as 5 or 0.50, up to ${formatUsd(balanceMicroUsdMax)}.`
  }
  return known === undefined
    ? 'Choose for how long the cap holds.'
    : { amountMicroUsd, period: known }
}

/** Why no client can be connected to an account now; undefined where one can. */
async function faultOfAccount(
  context: OAuthContext,
  account: string,
  keyId: string | undefined,
): Promise<string | undefined> {
  const { books, clock } = context
  const keys = await books.listKeys()
  const key = keys.find(({ id }) => id === keyId)
  const isGood = keyId === undefined || key?.state === 'active'
  if (!isGood || (key !== undefined && account !== '' && key.account !== account)) {
    return 'The key is not active, or is of another account.'
  }
  if (key?.label?.startsWith(labelPrefix)) return 'This is the access of a client, not your key.'
  const sinceMs = clock() - dayMs
  const name = key?.account ?? account
  const recent = keys.filter(
    ({ id, lineage, label, account: its, createdAtMs }) =>
      its === name && id === lineage && createdAtMs > sinceMs && label?.startsWith(labelPrefix),
  )
  if (recent.length >= grantsADayMax) {
    return `${grantsADayMax} clients were connected to this account within a day; go on tomorrow.`
  }
  const answers = context.answers.get(name) ?? { count: 0 }
  answers.count += 1
  const hasPlace = answers.count > 1 || context.answers.add(name, answers)
  return hasPlace && answers.count <= answersMax
    ? undefined
    : 'Too many clients are being connected; go on in ten minutes.'
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
