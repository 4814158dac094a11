/** The flows of OAuth as connectors go through them, and what they leave in the ledger. */
import { describe, expect, it } from 'vitest'
import { keyHash } from '../../../src/ledger/books/key.ts'
import { oauthOf } from '../../../src/oauth/options.ts'
import { settingValuesOf } from '../../../src/settings.ts'
import { answerIn, answerPage, callback, hiddenIn, openPage } from '../../support/oauth-person.ts'
import { sectionsOf } from '../../support/table-sections.ts'
import { startDocuments } from './document-server.ts'
import {
  askTokens,
  authorize,
  beginLogin,
  codeOf,
  handOver,
  issuer,
  newServer,
  refreshing,
  register,
} from './served-oauth.ts'

describe('a connector', () => {
  it('as that of Claude registers, is allowed by a pasted key, and gets a key of the account, which ends alone', async () => {
    const served = await newServer()
    const { ask, books, clock, keyId } = served
    const form = await codeOf(served)
    const tokens = await askTokens(ask, form)
    expect(tokens).toMatchObject({ status: 200, token_type: 'Bearer', scope: 'mcp' })
    const [, granted] = await books.listKeys()
    expect(granted).toMatchObject({
      label: 'oauth: Claude',
      account: 'ann',
      expiresAtMs: clock.nowMs + 3_600_000,
      terms: { scopes: ['mcp'], cap: { amountMicroUsd: 2_000_000, period: 'month' } },
    })
    expect(tokens.access_token).toMatch(/^aik_/)
    expect(keyHash(tokens.access_token)).toHaveLength(64)
    await books.revokeKey(keyId)
    expect((await books.listKeys()).map(({ state }) => state)).toEqual(['revoked', 'active'])
  })

  it('as that of ChatGPT is known by a document at its address', async () => {
    const documents = await startDocuments()
    const served = await newServer(documents.options)
    const id = documents.serve({ client_name: 'ChatGPT', redirect_uris: [callback] })
    const page = await openPage(served.ask, authorize({ client_id: id }))
    expect(page.html).toContain(`The name comes from ${new URL(id).host}.`)
    const form = await codeOf(served, { client_id: id })
    expect(await askTokens(served.ask, form)).toMatchObject({ status: 200 })
    // Read once, and believed for a while.
    expect(documents.requests()).toBe(1)
  })

  it('renews its token as long as it likes, with one cap, and the ledger does not grow', async () => {
    const served = await newServer()
    const { ask, books, clock } = served
    const { client_id, ...form } = await codeOf(served)
    let tokens = await askTokens(ask, { client_id, ...form })
    for (let hour = 0; hour < 5; hour += 1) {
      clock.nowMs += 3_600_000
      tokens = await askTokens(ask, refreshing(tokens.refresh_token, client_id))
      expect(tokens.status).toBe(200)
    }
    const [own, grant, ...more] = await books.listKeys()
    expect([own?.state, grant?.state, more]).toEqual(['active', 'active', []])
    expect(grant!.secrets).toHaveLength(2)
    expect((await books.audit()).contradictions).toEqual([])
  })

  it('on this computer may come back at any port', async () => {
    const { ask } = await newServer()
    const client_id = await register(ask, { redirect_uris: ['http://127.0.0.1:1234/cb'] })
    const redirect_uri = 'http://127.0.0.1:54321/cb'
    const page = await openPage(ask, authorize({ client_id, redirect_uri }))
    expect([page.response.status, page.html]).toEqual([
      200,
      expect.stringContaining('a program on your computer'),
    ])
    expect(page.response.headers.get('content-security-policy')).toContain(
      "form-action 'self' https: http://127.0.0.1:54321;",
    )
  })

  it('is refused by a person, and learns it', async () => {
    const { ask } = await newServer()
    const page = await openPage(ask, authorize({ client_id: await register(ask) }))
    const answer = answerIn(await answerPage(ask, page, { decision: 'deny' }))
    expect([
      answer.get('error'),
      answer.get('iss'),
      answer.get('state'),
      answer.get('code'),
    ]).toEqual(['access_denied', issuer, 'a state', null])
  })

  it('is allowed by the login of the operator', async () => {
    const { ask, books, page, content, take, form } = await beginLogin()
    const { html } = await take(handOver(content))
    expect(html).toContain('You are logged in: ann pays.')
    const answer = answerIn(await answerPage(ask, page, { login: hiddenIn(html, 'login') }))
    const tokens = await askTokens(ask, { ...form, code: answer.get('code')! })
    expect(tokens.status).toBe(200)
    const keys = await books.listKeys()
    expect(keys.find(({ label }) => label === 'oauth: Claude')).toMatchObject({
      account: 'ann',
      state: 'active',
    })
  })

  it('is told which amount is none, and the person goes on with the page', async () => {
    const { ask, key } = await newServer()
    const page = await openPage(ask, authorize({ client_id: await register(ask) }))
    for (const cap of ['0', '-1', 'much', '1e9', '', '1000000000.01', '99999999999']) {
      const response = await answerPage(ask, page, { key, cap })
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('The cap is an amount in USD above 0'),
      ])
    }
    expect((await answerPage(ask, page, { key, cap: '1000' })).status).toBe(303)
  })
})

describe('the settings of OAuth', () => {
  const oauth = ['oauth', 'oauthLogin', 'oauthSecret', 'publicUrl'] as const
  const read = (flags: Record<string, string>) => oauthOf(settingValuesOf(oauth, flags, {}))

  const [refused] = sectionsOf(new URL('settings.tsv', import.meta.url))

  it.each(refused!.rows)('%s are refused', (flags, said) => {
    expect(() => read(JSON.parse(flags))).toThrow(said)
  })

  it('are off where none is given', () => {
    expect(read({})).toBeUndefined()
    expect(read({ oauth: `${issuer}/`, 'public-url': issuer })).toEqual({
      issuer,
      login: undefined,
    })
  })
})
