/** The metadata of the resource (RFC 9728) and of the server (RFC 8414), and the challenge that leads to them. */
import { operations } from '../operations.ts'

export const oauthPaths = {
  resource: '/.well-known/oauth-protected-resource',
  resourceOfMcp: '/.well-known/oauth-protected-resource/mcp',
  resourceOfMcpSlash: '/.well-known/oauth-protected-resource/mcp/',
  server: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  consent: '/oauth/consent',
  loggedIn: '/oauth/logged-in',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const

export const oauthScope = 'mcp'

/** The resource of the tokens: one endpoint, by each address that people paste. */
export function resourcesOf(issuer: string): readonly [usual: string, withSlash: string] {
  const [usual, withSlash] = operations.mcp.paths
  return [`${issuer}${usual}`, `${issuer}${withSlash}`]
}

export function metadataOf(issuer: string): Readonly<Record<string, object>> {
  const [usual, withSlash] = resourcesOf(issuer).map((resource) => ({
    resource,
    authorization_servers: [issuer],
    scopes_supported: [oauthScope],
    bearer_methods_supported: ['header'],
    resource_name: 'Authority Index',
  }))
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
    [oauthPaths.resource]: usual!,
    [oauthPaths.resourceOfMcp]: usual!,
    [oauthPaths.resourceOfMcpSlash]: withSlash!,
    [oauthPaths.server]: server,
  }
}

/**
 * The value of `WWW-Authenticate` on a 401 of `/mcp`. Its metadata name the address as the client spells it.
 * @param hasToken whether a token came that is not good.
 */
export function challengeOf(issuer: string, hasToken: boolean, path: string): string {
  const error = hasToken ? 'error="invalid_token", ' : ''
  const metadata = path.endsWith('/') ? oauthPaths.resourceOfMcpSlash : oauthPaths.resourceOfMcp
  return `Bearer ${error}resource_metadata="${issuer}${metadata}", scope="${oauthScope}"`
}
