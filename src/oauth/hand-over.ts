/**
 * The operator's login: a person goes there instead of pasting a key, and comes back with a hand-over that names an
 * account or a key of it, signed with a secret that both sides have (HMAC-SHA-256). A hand-over is for one request, is
 * good once and for five minutes at most.
 */
import { createHmac } from 'node:crypto'
import { OAuthError, objectIn } from './exchange.ts'
import { signedContent } from './signing.ts'

export interface HandOverLogin {
  readonly url: string
  readonly secret: Uint8Array
}

export interface LoggedIn {
  /** The name of an account; '' if the key determines it. */
  readonly account: string
  readonly key?: string
}

const lifeMsMax = 300_000
const charactersMax = 2_000

/** @param request a text that comes back unchanged; @param id of the request, which the hand-over holds. */
export function loginAddress({ url }: HandOverLogin, request: string, id: string): string {
  const address = new URL(url)
  address.searchParams.set('request', request)
  address.searchParams.set('request_id', id)
  return address.href
}

/**
 * @param text base64url of JSON, a dot, base64url of the signature over the text before the dot.
 * @throws OAuthError for one that is not signed, is over, or is of another request.
 */
export function readHandOver(
  { secret }: HandOverLogin,
  text: string,
  requestId: string,
  nowMs: number,
): LoggedIn {
  const content = signedContent(text, (payload) =>
    createHmac('sha256', secret).update(payload).digest('base64url'),
  )
  if (content === undefined || text.length > charactersMax) {
    throw refused('is not signed by the login')
  }
  const { request_id, account = '', key, exp } = objectIn(content, refused('holds no JSON'))
  const endMs = typeof exp === 'number' ? exp * 1_000 : 0
  if (request_id !== requestId) throw refused('is for another request')
  if (!(endMs > nowMs && endMs <= nowMs + lifeMsMax)) throw refused('is over, or lives too long')
  if (typeof account === 'string' && account !== '' && key === undefined) return { account }
  if (typeof account === 'string' && typeof key === 'string') return { account, key }
  throw refused('names no account')
}

function refused(why: string): OAuthError {
  return new OAuthError(
    'access_denied',
    `The answer of the login ${why}. Start again in your client.`,
  )
}
