/** OAuth on the control thread. The server behind gets no text of a key: what a person pastes is checked here. */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import {
  headerOf,
  type RefusedRoute,
  type RouteRequest,
  type RouteResponse,
  targetPathOf,
} from '../http/async-route.ts'
import { isWellFormedKey } from '../ledger/books/key.ts'
import type { KeysChange, OAuthRequest } from './exchange.ts'
import { oauthPaths } from './metadata.ts'
import type { OAuthServer } from './server.ts'

const keyParameters: Readonly<Record<string, string>> = {
  [oauthPaths.consent]: 'key',
  [oauthPaths.revoke]: 'token',
}

interface OAuthApplicationContext {
  /** It checks keys. */
  readonly api: Api
  readonly server: OAuthServer
  /** Done when every thread of the service has taken over what was done to keys. */
  readonly takeOver: (keys: KeysChange) => Promise<void>
}

export function oauthApplication({ api, server, takeOver }: OAuthApplicationContext) {
  return async (request: RouteRequest): Promise<RouteResponse | RefusedRoute> => {
    const { target, address } = request
    const path = targetPathOf(request)
    const text = Buffer.from(request.body).toString()
    const { body, key, keyFault, refusal } = await withoutKey(api, path, text, address)
    if (refusal !== undefined) return { refusal }
    const reply = await server.answer({
      ...{ path, query: target.slice(path.length + 1), body },
      contentType: headerOf(request, 'content-type'),
      origin: headerOf(request, 'origin'),
      cookie: headerOf(request, 'cookie'),
      ...(key && { key }),
      ...(keyFault !== undefined && { keyFault }),
    })
    if (reply.keys !== undefined) await takeOver(reply.keys)
    return { status: reply.status, headers: reply.headers, body: Buffer.from(reply.body) }
  }
}

interface KeylessForm {
  readonly body: string
  readonly key?: NonNullable<OAuthRequest['key']>
  readonly keyFault?: string
  /** Present if the address sent too many invalid keys. */
  readonly refusal?: ApiReply
}

/** Each invalid key counts against its address. */
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
