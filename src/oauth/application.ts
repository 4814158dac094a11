/** OAuth on the control thread. The server behind gets no text of a key: what a person pastes is checked here. */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import { headerOf, namedReply, type RouteRequest, targetPathOf } from '../http/async-route.ts'
import type { WrittenReply } from '../http/reply-writer.ts'
import { isWellFormedKey } from '../ledger/books/key.ts'
import type { KeysChange, OAuthRequest } from './exchange.ts'
import { oauthPaths } from './metadata.ts'
import type { AnswerOAuth } from './server.ts'

const keyParameters: Readonly<Record<string, string>> = {
  [oauthPaths.consent]: 'key',
  [oauthPaths.revoke]: 'token',
}

interface OAuthApplicationContext {
  /** It checks keys. */
  readonly api: Api
  readonly server: AnswerOAuth
  /** Done when every thread of the service has taken over what was done to keys. */
  readonly takeOver: (keys: KeysChange) => Promise<void>
}

export function oauthApplication({ api, server, takeOver }: OAuthApplicationContext) {
  return async (request: RouteRequest): Promise<WrittenReply> => {
    const { target, address } = request
    const path = targetPathOf(request)
    const body = Buffer.from(request.body).toString()
    const { refusal, ...keyless } = await withoutKey(api, path, body, address)
    if (refusal !== undefined) return refusal
    const reply = await server({
      ...{ path, query: target.slice(path.length + 1), body },
      contentType: headerOf(request, 'content-type'),
      origin: headerOf(request, 'origin'),
      cookie: headerOf(request, 'cookie'),
      ...keyless,
    })
    if (reply.keys !== undefined) await takeOver(reply.keys)
    const { status, headers } = reply
    return namedReply(api, { status, headers, body: Buffer.from(reply.body) })
  }
}

interface KeylessForm extends Partial<Pick<OAuthRequest, 'body' | 'key' | 'keyFault'>> {
  /** Present if the address sent too many invalid keys. */
  readonly refusal?: ApiReply
}

/** The form without the key that it held, if any. Each invalid key counts against its address. */
async function withoutKey(
  api: Api,
  path: string,
  text: string,
  address: string | undefined,
): Promise<KeylessForm> {
  const name = keyParameters[path]
  if (name === undefined) return {}
  const form = new URLSearchParams(text)
  const given = (form.get(name) ?? '').trim()
  // A text that is no key may be a refresh token that is to be revoked.
  if (given === '' || (!isWellFormedKey(given) && path === oauthPaths.revoke)) return {}
  form.delete(name)
  const check = (canWait: boolean) => api.checkCaller(`Bearer ${given}`, 1, address, { canWait })
  let entered = check(true)
  if (entered.refusal?.soon !== undefined) {
    await entered.refusal.soon
    entered = check(false)
  }
  const body = form.toString()
  const { refusal } = entered
  if (refusal === undefined) {
    const { owner } = entered
    return { body, ...(owner && { key: { id: owner.keyId } }) }
  }
  if (refusal.status === 429) return { refusal }
  const keyFault =
    refusal.status === 401
      ? 'This is no valid API key.'
      : 'This key may not be used for /mcp, or not from your address.'
  return { body, keyFault }
}
