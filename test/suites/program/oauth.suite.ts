/** Agents that connect to a running service by OAuth, as clients and a person do it. */
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newKeyText } from '../../../src/ledger/books/key.ts'
import { temporaryDirectory } from '../../support/built.ts'
import {
  type Ask,
  answerIn,
  answerPage,
  callback,
  formInit,
  newProof,
  openPage,
  queryOf,
} from '../../support/oauth-person.ts'
import { sharedShop } from '../../support/shared.ts'
import { Shop } from '../../support/shop.ts'

const issuer = 'https://index.example.com'
const resource = `${issuer}/mcp`

/** The service, as it is reached behind the proxy that has its public name. */
function askerOf({ address }: { readonly address: string }): Ask {
  return (target, init) => fetch(new URL(target, address), { redirect: 'manual', ...init })
}

async function openShop(data = temporaryDirectory(), more: string[] = []): Promise<Shop> {
  const shop = await Shop.open(data, ['--threads', '2', '--oauth', issuer, ...more])
  onTestFinished(() => void shop.end('SIGKILL'))
  return shop
}

/** Keeps in memory what a client keeps, and notes where it would send the browser. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = callback
  readonly clientMetadata = {
    client_name: 'Official client',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  kept: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined
  given: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined
  verifier = ''
  sentTo: URL | undefined
  discovered: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined
  state = () => 'state-of-the-client'
  discoveryState = () => this.discovered
  saveDiscoveryState = (state: NonNullable<Provider['discovered']>) => {
    this.discovered = state
  }
  clientInformation = () => this.kept
  tokens = () => this.given
  codeVerifier = () => this.verifier
  saveClientInformation = (information: NonNullable<Provider['kept']>) => {
    this.kept = information
  }
  saveTokens = (tokens: NonNullable<Provider['given']>) => {
    this.given = tokens
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url
  }
}

/** The official client at an address, after it was refused there and the owner of the key has allowed it. */
async function allowOfficialClient(shop: Shop, address: string) {
  const ask = askerOf(shop)
  const provider = new Provider()
  const fetchThere = (target: string | URL, init?: RequestInit) => {
    const { pathname, search } = new URL(target)
    return ask(pathname + search, init)
  }
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(address), {
      authProvider: provider,
      fetch: fetchThere,
    })
  const first = newTransport()
  const client = new Client({ name: 'test', version: '1' })
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError)
  const page = await openPage(ask, provider.sentTo!.pathname + provider.sentTo!.search)
  expect(page.html).toContain('Official client')
  const answer = answerIn(await answerPage(ask, page, { key: shop.key, cap: '1' }))
  expect(answer.get('state')).toBe('state-of-the-client')
  await first.finishAuth(answer)
  return { provider, newTransport }
}

describe('OAuth on a running service', () => {
  const shop = sharedShop(['--threads', '2', '--oauth', issuer])

  it('connects the official client, which spends from a key with a cap, and renews its token', async () => {
    const { provider, newTransport } = await allowOfficialClient(shop, resource)
    const again = new Client({ name: 'test', version: '1' })
    await again.connect(newTransport())
    const search = { name: 'search_authorities', arguments: { query: 'rust', limit: 1 } }
    expect((await again.callTool(search)).isError).not.toBe(true)
    const keys = await shop.commandJson('key', 'list')
    const child = keys.find(({ label }: { label: string }) => label === 'oauth: Official client')
    expect(child).toMatchObject({ account: 'default', terms: { scopes: ['mcp'] }, state: 'active' })

    // Another token after the first has ended: the client refreshes by itself.
    const { access_token: before } = provider.given!
    const other = before.endsWith('x') ? 'y' : 'x'
    provider.given = { ...provider.given!, access_token: before.slice(0, -1) + other }
    const third = new Client({ name: 'test', version: '1' })
    await third.connect(newTransport())
    expect((await third.callTool(search)).isError).not.toBe(true)
    expect(provider.given!.access_token).not.toBe(before)
    expect(await shop.statusWith(before)).toBe(401)
    // The scope is the tools, not the routes.
    expect(await shop.statusWith(provider.given!.access_token)).toBe(403)
    await Promise.all([again.close(), third.close()])
    await shop.expectAddingUp()
  })

  it('connects the official client at the address with a trailing slash, too', async () => {
    const ask = askerOf(shop)
    const address = `${resource}/`
    const refused = await ask('/mcp/', { method: 'POST', body: '{}' })
    const metadata = `${issuer}/.well-known/oauth-protected-resource/mcp/`
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", scope="mcp"`,
    ])
    expect(await refused.text()).toContain('this MCP server needs a sign-in')
    const described = (await (await ask(new URL(metadata).pathname)).json()) as object
    // RFC 9728 has a client refuse metadata of another address than its own.
    expect(described).toMatchObject({ resource: address, authorization_servers: [issuer] })
    const { provider, newTransport } = await allowOfficialClient(shop, address)
    expect(provider.sentTo!.searchParams.get('resource')).toBe(address)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(newTransport())
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
  })

  it('challenges a client without a token, and takes a key as before', async () => {
    const ask = askerOf(shop)
    const metadata = `${issuer}/.well-known/oauth-protected-resource/mcp`
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = (more: Record<string, string>) =>
      ask('/mcp', { method: 'POST', headers: { ...headers, ...more }, body })
    const refused = await post({})
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", scope="mcp"`,
    ])
    const foreign = await post({ authorization: 'Bearer token-of-another-resource' })
    expect(foreign.headers.get('www-authenticate')).toContain('error="invalid_token"')
    expect((await post({ authorization: `Bearer ${shop.key}` })).status).toBe(200)
    // A token in an address would stand in logs, so it is none.
    const inAddress = await ask(`/mcp?access_token=${shop.key}`, { method: 'POST', headers, body })
    expect(inAddress.status).toBe(401)
    const described = (await (await ask(new URL(metadata).pathname)).json()) as object
    expect(described).toMatchObject({ resource, authorization_servers: [issuer] })
    const server = await ask('/.well-known/oauth-authorization-server', {
      headers: { origin: 'https://inspector.example' },
    })
    expect(server.headers.get('access-control-allow-origin')).toBe('https://inspector.example')
    expect(await server.json()).toMatchObject({
      issuer,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
    expect((await ask('/oauth/token')).status).toBe(405)
    // Files for agents come with the origin.
    expect((await ask('/server.json')).status).toBe(200)
  })

  it('outlives a killed service: a client that registered, a token, and what was used', async () => {
    const data = temporaryDirectory()
    const first = await openShop(data)
    const { ask, client_id, tokens } = await connected(askerOf(first), first.key)
    const used = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id }
    const renewed = await tokensIn(await ask('/oauth/token', formInit(used)))
    await first.end('SIGKILL')
    const second = await openShop(data)
    const askNow = askerOf(second)
    expect(await second.statusWith(renewed.access_token)).toBe(403)
    const next = { ...used, refresh_token: renewed.refresh_token }
    const last = await tokensIn(await askNow('/oauth/token', formInit(next)))
    // The first refresh token, which was used before the kill, comes again: all of it ends.
    const reused = await askNow('/oauth/token', formInit(used))
    expect([reused.status, await reused.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await second.statusWith(last.access_token)).toBe(401)
    const challenge = newProof().challenge
    const page = await openPage(askNow, authorizeTarget(client_id, challenge))
    expect(page.response.status).toBe(200)
  })

  it('revokes a token so that it is good nowhere when the answer comes, and limits guesses', async () => {
    const shop = await openShop(temporaryDirectory(), ['--failed-key-limit', '10'])
    const { ask, client_id, tokens } = await connected(askerOf(shop), shop.key)
    expect(await shop.statusWith(tokens.access_token)).toBe(403)
    const revoked = await ask('/oauth/revoke', formInit({ token: tokens.access_token, client_id }))
    expect(revoked.status).toBe(200)
    expect(await shop.statusWith(tokens.access_token)).toBe(401)
    const refreshed = {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
      client_id,
    }
    expect((await ask('/oauth/token', formInit(refreshed))).status).toBe(400)
    // A key of the person is no token.
    await ask('/oauth/revoke', formInit({ token: shop.key, client_id }))
    expect(await shop.statusWith(shop.key)).toBe(200)
    // Guesses count against their address, as everywhere.
    const page = await openPage(ask, authorizeTarget(client_id, newProof().challenge))
    const statuses = new Set<number>()
    for (let guess = 0; guess < 50 && !statuses.has(429); guess += 1) {
      statuses.add((await answerPage(ask, page, { key: newKeyText() })).status)
    }
    expect([...statuses]).toEqual([400, 429])
    // So do registrations, ten times as many, on each of two threads.
    const registrations: number[] = []
    while (registrations.length < 250 && registrations.at(-1) !== 429) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
      registrations.push((await ask('/oauth/register', init)).status)
    }
    expect(new Set(registrations)).toEqual(new Set([400, 429]))
  })
})

function authorizeTarget(client_id: string, code_challenge: string): string {
  const rest = { redirect_uri: callback, code_challenge_method: 'S256', state: 's', resource }
  return `/oauth/authorize?${queryOf({ response_type: 'code', client_id, code_challenge, ...rest })}`
}

async function registered(ask: Ask): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ client_name: 'Claude', redirect_uris: [callback] })
  const response = await ask('/oauth/register', { method: 'POST', headers, body })
  return ((await response.json()) as { client_id: string }).client_id
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

async function tokensIn(response: Response): Promise<Tokens> {
  const tokens = (await response.json()) as Tokens
  expect([response.status, tokens]).toMatchObject([200, { token_type: 'Bearer', expires_in: 3600 }])
  return tokens
}

async function connected(ask: Ask, key: string) {
  const client_id = await registered(ask)
  const { verifier, challenge } = newProof()
  const page = await openPage(ask, authorizeTarget(client_id, challenge))
  const answer = answerIn(await answerPage(ask, page, { key }))
  const form = {
    grant_type: 'authorization_code',
    ...{ code: answer.get('code')!, client_id, redirect_uri: callback, resource },
    code_verifier: verifier,
  }
  const tokens = await tokensIn(await ask('/oauth/token', formInit(form)))
  return { ask, client_id, tokens }
}
