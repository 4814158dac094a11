/**
 * What the service says of its authorization: the paths, the metadata of the resource (RFC 9728) and of the server
 * (RFC 8414), and the challenge that leads a client without a key to them.
 */
import { operations } from '../operations.ts'

/** The paths. */
export const oauthPaths = {
  resource: '/.well-known/oauth-protected-resource',
  resourceOfMcp: '/.well-known/oauth-protected-resource/mcp',
  server: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  consent: '/oauth/consent',
  loggedIn: '/oauth/logged-in',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

/** The one scope: the tools of `/mcp`. */
export const oauthScope = 'mcp'

/** What tokens are for. @param issuer the public origin. */
export function resourceOf(issuer: string): string {
  return `${issuer}${operations.mcp.paths[0]}`
}

/** The documents by path. */
export function metadataOf(issuer: string): Readonly<Record<string, object>> {
  const resource = {
    resource: resourceOf(issuer),
    authorization_servers: [issuer],
    scopes_supported: [oauthScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Authority Index',
  }
  const server = {
    issuer,
    authorization_endpoint: `${issuer}${oauthPaths.authorize}`,
    token_endpoint: `${issuer}${oauthPaths.token}`,
    registration_endpoint: `${issuer}${oauthPaths.register}`,
    revocation_endpoint: `${issuer}${oauthPaths.revoke}`,
    scopes_supported: [oauthScope],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
  return {
    [oauthPaths.resource]: resource,
    [oauthPaths.resourceOfMcp]: resource,
    [oauthPaths.server]: server,
  }
}

/** The value of `WWW-Authenticate` on a 401 of `/mcp`. @param hasToken whether a token came that is not good. */
export function challengeOf(issuer: string, hasToken: boolean): string {
  const error = hasToken ? 'error="invalid_token", ' : ''
  return `Bearer ${error}resource_metadata="${issuer}${oauthPaths.resourceOfMcp}", scope="${oauthScope}"`
}
