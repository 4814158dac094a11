/** The settings of what agents use: the MCP server, the public address of the service, OAuth. */
import { isLoopback } from '../text/network.ts'
import { address, flag, integer, origins, text, unset } from './kinds.ts'

const ownOrigin = unset(null, 'an origin such as https://index.example.com', (value) => {
  const origin = value.replace(/\/$/, '')
  return isSafe(origin) && new URL(origin).origin === origin ? origin : undefined
})

const loginPage = unset(null, 'an address such as https://example.com/login', (value) => {
  if (!isSafe(value)) return undefined
  const { username, password, hash, href } = new URL(value)
  return username === '' && password === '' && hash === '' ? href : undefined
})

export const agentSettings = {
  mcpInFlightMax: integer(
    'N',
    { min: 1, max: 10_000 },
    64,
    'requests to /mcp that a thread answers at once; an account has an eighth of them',
  ),
  mcpOrigins: origins('ORIGINS', 'web origins that may use /mcp, beside those of this computer'),
  mcpSearchFetch: flag('the MCP tools search and fetch, in the shapes of connectors of OpenAI'),
  publicUrl: address(
    'URL',
    'address by which clients reach the service; with it, the service has files for agents and names it in them',
  ),
  oauth: ownOrigin(
    'ORIGIN',
    'public origin of the service: people connect agents to /mcp there by OAuth; without it, by keys only',
  ),
  oauthLogin: loginPage(
    'URL',
    'where people who connect an agent may log in instead of pasting a key; needs --oauth-secret',
  ),
  oauthSecret: text(
    'FILE',
    '',
    'file with 32 random bytes or more that the login of --oauth-login signs its answers with',
  ),
} as const

/** Plain HTTP goes to this computer only. */
function isSafe(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  const isLocal = isLoopback(hostname.replace(/^\[|\]$/g, ''))
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}
