/**
 * Dynamic registration (RFC 7591) that stores nothing: the id of a client is its own metadata, signed. A flood leaves
 * nothing behind, and an id is valid as long as the ledger.
 */
import { jsonReply, OAuthError, type OAuthReply, type OAuthRequest, objectIn } from '../exchange.ts'
import type { Signer } from '../signing.ts'
import { type OAuthClient, shownName } from './client.ts'
import { checkedRedirects } from './redirects.ts'

const idPrefix = 'dcr.'
/** Maximum length of an id, which is part of the address of a request. */
const idCharactersMax = 4_000

export function register(
  { contentType, body }: OAuthRequest,
  signer: Signer,
  nowMs: number,
): OAuthReply {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    throw new OAuthError('invalid_client_metadata', 'send application/json')
  }
  const faulty = new OAuthError('invalid_client_metadata', 'the body is not a JSON object')
  const { client_name, redirect_uris, grant_types, response_types } = objectIn(body, faulty)
  const redirects = checkedRedirects(redirect_uris)
  refuseWithout(grant_types, 'grant_types', 'authorization_code')
  refuseWithout(response_types, 'response_types', 'code')
  const name = shownName(client_name)
  const id = idPrefix + signer.sign('client', { name, redirects })
  if (id.length > idCharactersMax) {
    throw new OAuthError('invalid_client_metadata', 'the name and redirect_uris are too long')
  }
  return jsonReply(201, {
    client_id: id,
    client_id_issued_at: Math.floor(nowMs / 1_000),
    client_name: name,
    redirect_uris: redirects,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'mcp',
  })
}

export function registeredClient(id: string, signer: Signer): OAuthClient | undefined {
  if (!id.startsWith(idPrefix) || id.length > idCharactersMax) return undefined
  const said = signer.read('client', id.slice(idPrefix.length))
  if (said === undefined) return undefined
  const { name, redirects } = said as Pick<OAuthClient, 'name' | 'redirects'>
  return { id, name, redirects, host: undefined }
}

function refuseWithout(value: unknown, name: string, wanted: string): void {
  if (value === undefined || (Array.isArray(value) && value.includes(wanted))) return
  throw new OAuthError('invalid_client_metadata', `${name} has to hold ${wanted}`)
}
