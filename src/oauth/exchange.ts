/** The requests and replies of the authorization server, and the errors of RFC 6749 §5.2. */
import type { HeaderPairs } from '../api/exchange.ts'
import { jsonObject, readJson } from '../reading/readers.ts'

/** A request, never with the text of a key that was pasted. */
export interface OAuthRequest {
  readonly path: string
  /** Without `?`. */
  readonly query: string
  readonly contentType: string
  readonly origin: string
  readonly cookie: string
  readonly body: string
  /** The key that the form held, if it is valid. */
  readonly key?: { readonly id: string }
  readonly keyFault?: string
}

export interface OAuthReply {
  readonly status: number
  readonly headers: HeaderPairs
  readonly body: string
  /** The service takes it over before it replies. */
  readonly keys?: KeysChange
}

/** What was done to keys: one was made, or one or its last token ended. */
export type KeysChange = 'made' | 'ended'

/** The codes of errors of RFC 6749, 7591 and 8707 that are answered here. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'access_denied'
  | 'temporarily_unavailable'

/** An expected failure; its message is the `error_description`. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly endsKeys: boolean

  constructor(code: OAuthErrorCode, description: string, endsKeys = false) {
    super(description)
    this.code = code
    this.endsKeys = endsKeys
  }

  get status(): number {
    return this.code === 'temporarily_unavailable' ? 503 : 400
  }
}

export type Parameters = Readonly<Record<string, string | undefined>>

const parametersMax = 32

/** @throws OAuthError for a parameter that comes twice, and for too many. */
export function parametersOf(text: string): Parameters {
  const pairs = [...new URLSearchParams(text)]
  if (pairs.length > parametersMax || new Map(pairs).size < pairs.length) {
    throw new OAuthError('invalid_request', 'a parameter is repeated, or there are too many')
  }
  return Object.assign(Object.create(null), Object.fromEntries(pairs))
}

/** @throws the error for a text that is no JSON object. */
export function objectIn(text: string, error: OAuthError): Readonly<Record<string, unknown>> {
  const { value } = readJson(jsonObject, text)
  if (value === undefined) throw error
  return value
}

/** @throws OAuthError for a body that is no form. */
export function postedForm({ contentType, body }: OAuthRequest): Parameters {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) {
    throw new OAuthError('invalid_request', 'send application/x-www-form-urlencoded')
  }
  return parametersOf(body)
}

export function jsonReply(status: number, content: object): OAuthReply {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-store'],
    ],
    body: JSON.stringify(content),
  }
}

export function errorReply({ code, status, message, endsKeys }: OAuthError): OAuthReply {
  const reply = jsonReply(status, { error: code, error_description: message })
  return endsKeys ? { ...reply, keys: 'ended' } : reply
}
