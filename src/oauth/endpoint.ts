/**
 * The paths of OAuth on the service. A serving thread answers the metadata and checks a key that a person pastes, by
 * the same limits as everywhere; the rest it passes on, without the text of any key.
 */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import { readyReply, readyText } from '../api/ready-file.ts'
import {
  type AsyncRoute,
  type RefusedRoute,
  type RouteRequest,
  type RouteResponse,
  requestHeaderOf,
  targetPathOf,
  type WireHead,
} from '../http/async-route.ts'
import { Cors } from '../http/cors.ts'
import { isWellFormedKey } from '../ledger/key.ts'
import { limits } from '../limits.ts'
import type { OAuthReply, OAuthRequest } from './exchange.ts'
import { metadataOf, oauthPaths } from './metadata.ts'

/** The dependencies of the endpoint. */
interface OAuthEndpointContext {
  readonly api: Api
  /** The public origin. */
  readonly issuer: string
  /** Asks the server behind; its reply may come only when the service has taken over its keys. */
  readonly ask: (request: OAuthRequest) => Promise<OAuthReply>
  /** Called with bugs. */
  readonly onError: (error: unknown) => void
}

/** Requests of a thread that may be answered at once. */
const inFlightMax = 64

/** Paths that take POST; the others take GET. */
const postedPaths: readonly string[] = [
  oauthPaths.consent,
  oauthPaths.token,
  oauthPaths.register,
  oauthPaths.revoke,
]

/** Paths of pages for people: no page of another origin may request or read them. */
const pagePaths: readonly string[] = [oauthPaths.authorize, oauthPaths.consent, oauthPaths.loggedIn]

/** Nothing here goes by cookies but the pages of persons, so any page may ask. */
const cors = new Cors({
  isAllowed: (origin) => origin !== '',
  methods: 'GET, POST',
  sent: 'Authorization, Content-Type, MCP-Protocol-Version',
  exposed: 'Retry-After, X-Request-Id',
})

/** The parameter of a form that may hold a key, by path. */
const keyParameters: Readonly<Record<string, string>> = {
  [oauthPaths.consent]: 'key',
  [oauthPaths.revoke]: 'token',
}

/** The endpoint as a route. */
export function oauthEndpoint(context: OAuthEndpointContext): AsyncRoute {
  const { api, issuer, onError } = context
  const documents = new Map(
    Object.entries(metadataOf(issuer)).map(([path, content]) => [
      path,
      readyText('application/json', JSON.stringify(content)),
    ]),
  )
  return {
    paths: Object.values(oauthPaths),
    bodyBounds: { bytesMax: limits.oauthBodyBytesMax, piecesMax: 256, secondsMax: 10 },
    inFlightMax,
    headers: (head) =>
      pagePaths.includes(targetPathOf(head)) ? [] : cors.headers(headerOf(head, 'origin')),
    admit: (head) => {
      const path = targetPathOf(head)
      const refusal = preflight(api, head) ?? refuseMethod(api, head)
      if (refusal !== undefined) return { reply: refusal }
      const document = documents.get(path)
      if (document !== undefined) {
        const wanted = { ifNoneMatch: headerOf(head, 'if-none-match'), acceptEncoding: '' }
        const headers = [['Cache-Control', 'public, max-age=3600']] as const
        return { reply: api.named(readyReply(document, wanted, headers)) }
      }
      return { reply: api.refusalOfAddress(head.address) }
    },
    answer: (request) => answer(context, request),
    onError,
  }
}

async function answer(
  { api, ask }: OAuthEndpointContext,
  request: RouteRequest,
): Promise<RouteResponse | RefusedRoute> {
  const path = targetPathOf(request)
  const question = request.target.indexOf('?')
  const text = Buffer.from(request.body).toString()
  const { body, key, keyFault, refusal } = await withoutKey(api, path, text, request.address)
  if (refusal !== undefined) return { refusal }
  const reply = await ask({
    method: request.method,
    path,
    query: question < 0 ? '' : request.target.slice(question + 1),
    contentType: headerOf(request, 'content-type'),
    origin: headerOf(request, 'origin'),
    cookie: headerOf(request, 'cookie'),
    body,
    ...(key && { key }),
    ...(keyFault !== undefined && { keyFault }),
  })
  return { status: reply.status, headers: reply.headers, body: Buffer.from(reply.body) }
}

/** A form without its key, and the result of checking the key. */
interface KeylessForm {
  readonly body: string
  readonly key?: NonNullable<OAuthRequest['key']>
  readonly keyFault?: string
  /** Present if the address sent too many invalid keys. */
  readonly refusal?: ApiReply
}

/** Removes the key from a form and finds its owner. Each invalid key counts against its address. */
async function withoutKey(
  api: Api,
  path: string,
  body: string,
  address: string | undefined,
): Promise<KeylessForm> {
  const name = keyParameters[path]
  if (name === undefined) return { body }
  const form = new URLSearchParams(body)
  const given = (form.get(name) ?? '').trim()
  const isKey = isWellFormedKey(given)
  // A text that is no key may be a refresh token that is to be revoked.
  if (given === '' || (!isKey && path === oauthPaths.revoke)) return { body }
  form.delete(name)
  const check = (canWait: boolean) => api.checkCaller(`Bearer ${given}`, 1, address, { canWait })
  let entered = check(true)
  if (entered.refusal?.soon !== undefined) {
    await entered.refusal.soon
    entered = check(false)
  }
  const rest = form.toString()
  if (entered.refusal === undefined) {
    const { owner } = entered
    return { body: rest, ...(owner && { key: { id: owner.keyId } }) }
  }
  if (entered.refusal.status === 429) return { body: rest, refusal: entered.refusal }
  const keyFault =
    entered.refusal.status === 401
      ? 'This is no valid API key.'
      : 'This key may not be used for /mcp, or not from your address.'
  return { body: rest, keyFault }
}

function preflight(api: Api, head: WireHead): ApiReply | undefined {
  if (pagePaths.includes(targetPathOf(head))) return undefined
  const requested = headerOf(head, 'access-control-request-method')
  const reply = cors.preflight(head.method, headerOf(head, 'origin'), requested)
  return reply && api.named(reply)
}

function refuseMethod(api: Api, head: WireHead): ApiReply | undefined {
  const path = targetPathOf(head)
  const allowed = postedPaths.includes(path) ? 'POST' : 'GET'
  if (head.method === allowed) return undefined
  const detail = `${path} answers ${allowed} only`
  return api.refuse({ code: 'method-not-allowed', detail }, [['Allow', allowed]])
}

function headerOf({ headers }: Pick<WireHead, 'headers'>, name: string): string {
  return requestHeaderOf(headers, name) ?? ''
}
