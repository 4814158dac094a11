/** Attacks on OAuth, each refused. */
import { describe, expect, it } from 'vitest'
import {
  answerIn,
  answerPage,
  callback,
  formInit,
  hiddenIn,
  newProof,
  openPage,
} from '../../support/oauth-person.ts'
import { tableAt } from '../../support/table-sections.ts'
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
  tryToRegister,
} from './served-oauth.ts'

const rowsOf = tableAt(new URL('registrations.tsv', import.meta.url))

describe('a request is shown to the person and sent nowhere', () => {
  it('at an address that is not the client’s own, or of no client', async () => {
    const { ask } = await newServer()
    const client_id = await register(ask)
    for (const [what, parameters = ''] of rowsOf('requests that are shown and sent nowhere')) {
      const target = authorize({ client_id, ...JSON.parse(parameters) })
      const { status, headers } = await ask(target)
      expect([what, status, headers.get('location')]).toEqual([what, 400, null])
    }
  })

  it('of a client whose id was changed', async () => {
    const { ask } = await newServer()
    const id = await register(ask)
    const [, payload = '', signature] = id.split('.')
    const { name } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const changed = JSON.stringify({ name, redirects: ['https://evil.example/'] })
    const client_id = `dcr.${Buffer.from(changed).toString('base64url')}.${signature}`
    const response = await ask(authorize({ client_id, redirect_uri: 'https://evil.example/' }))
    expect(response.status).toBe(400)
  })
})

it('a faulty request is shown to the person, and sent to no address', async () => {
  const { ask } = await newServer()
  const client_id = await register(ask)
  for (const [what, parameters = '', error] of rowsOf('requests that are faulty')) {
    const response = await ask(authorize({ client_id, ...JSON.parse(parameters) }))
    const { status, headers } = response
    expect([what, status, headers.get('location')]).toEqual([what, 400, null])
    expect(await response.text(), what).toContain(error)
  }
})

describe('an answer says from whom it is', () => {
  it('with a state that would add headers, which stays a state', async () => {
    const { ask, key } = await newServer()
    const state = 'x\r\nSet-Cookie: a=b\r\n\r\n<script>'
    const page = await openPage(ask, authorize({ client_id: await register(ask), state }))
    const response = await answerPage(ask, page, { key })
    expect(response.headers.get('location')).toMatch(/^[\x21-\x7e]+$/)
    expect([answerIn(response).get('state'), answerIn(response).get('iss')]).toEqual([
      state,
      issuer,
    ])
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

describe('a code is not redeemed', () => {
  const other = newProof().verifier
  it.each([
    ['by another client', { client_id: 'dcr.other' }],
    ['for another address', { redirect_uri: 'https://client.example/other' }],
    ['without an address', { redirect_uri: undefined }],
    ['without a verifier', { code_verifier: undefined }],
    ['with a verifier that does not fit', { code_verifier: other }],
    ['for another resource', { resource: 'https://other.example/mcp' }],
    ['that nobody gave', { code: 'A'.repeat(43) }],
    ['that another service has signed', { code: `eyJpZCI6IkEifQ.${'A'.repeat(43)}` }],
    ['under another grant', { grant_type: 'password' }],
  ])('%s', async (_, parameters) => {
    const served = await newServer()
    const form = await codeOf(served)
    expect((await askTokens(served.ask, { ...form, ...parameters })).status).toBe(400)
    expect(await served.books.listKeys()).toHaveLength(1)
  })

  it('with its challenge as the verifier, as plain PKCE would', async () => {
    const [served, proof] = [await newServer(), newProof()]
    const form = { ...(await codeOf(served, { proof })), code_verifier: proof.challenge }
    expect(await askTokens(served.ask, form)).toMatchObject({ error: 'invalid_grant' })
  })

  it('after a failed try, or a minute', async () => {
    const served = await newServer()
    const tried = await codeOf(served)
    await askTokens(served.ask, { ...tried, code_verifier: other })
    expect((await askTokens(served.ask, tried)).status).toBe(400)
    const late = await codeOf(served)
    served.clock.nowMs += 60_000
    expect((await askTokens(served.ask, late)).status).toBe(400)
    expect(await served.books.listKeys()).toHaveLength(1)
  })

  it('twice, also at once; and then its keys end', async () => {
    const served = await newServer()
    const form = await codeOf(served)
    const [first, second] = await Promise.all([
      askTokens(served.ask, form),
      askTokens(served.ask, form),
    ])
    expect([first!.status, second!.status]).toEqual([200, 400])
    const states = (await served.books.listKeys()).map(({ state }) => state)
    expect(states).toEqual(['active', 'revoked'])
    const grant = refreshing(first!.refresh_token, form.client_id)
    expect(await askTokens(served.ask, grant)).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('a refresh token', () => {
  it('that comes again ends all that came of it', async () => {
    const served = await newServer()
    const { ask, books } = served
    const form = await codeOf(served)
    const { refresh_token } = await askTokens(ask, form)
    const grant = refreshing(refresh_token, form.client_id)
    const [one, two] = await Promise.all([askTokens(ask, grant), askTokens(ask, grant)])
    expect([one!.status, two!.status]).toEqual([200, 400])
    const active = (await books.listKeys()).filter(({ state }) => state === 'active')
    expect(active.map(({ label }) => label)).toEqual([null])
    const next = await askTokens(served.restart(), { ...grant, refresh_token: one!.refresh_token })
    expect(next).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it('is for its client, its resource and its service only, and ends with its key', async () => {
    const served = await newServer()
    const { ask, books } = served
    const form = await codeOf(served)
    const { refresh_token } = await askTokens(ask, form)
    const grant = refreshing(refresh_token, form.client_id)
    const wrong = [
      { client_id: await register(ask, { client_name: 'Another' }) },
      { resource: 'https://other.example/mcp' },
      { scope: 'admin' },
      { refresh_token: refresh_token.slice(0, -2) + (refresh_token.at(-2) === 'A' ? 'wA' : 'AA') },
      { refresh_token: form.client_id },
    ]
    for (const each of wrong) expect((await askTokens(ask, { ...grant, ...each })).status).toBe(400)
    const granted = (await books.listKeys()).find(({ label }) => label !== null)!
    await books.revokeKey(granted.id)
    expect(await askTokens(ask, grant)).toMatchObject({ error: 'invalid_grant' })
    expect((await books.listKeys()).map(({ state }) => state)).toEqual(['active', 'revoked'])
  })

  it('is over after thirty days without use', async () => {
    const served = await newServer()
    const form = await codeOf(served)
    const { refresh_token } = await askTokens(served.ask, form)
    served.clock.nowMs += 30 * 86_400_000
    const grant = refreshing(refresh_token, form.client_id)
    expect((await askTokens(served.ask, grant)).status).toBe(400)
  })
})

describe('the page of consent', () => {
  it('takes no answer from another origin, another browser, another page, or twice', async () => {
    const { ask, key, clock, restart } = await newServer()
    const client_id = await register(ask)
    const page = await openPage(ask, authorize({ client_id }))
    const evil = await openPage(ask, authorize({ client_id }))
    const answers = [
      await answerPage(ask, page, { key }, { origin: 'https://evil.example' }),
      await answerPage(ask, page, { key }, { origin: 'null' }),
      // The request of an attacker's browser in that of the victim, and the other way round.
      await answerPage(ask, { ...evil, cookie: page.cookie }, { key }),
      await answerPage(ask, { ...page, cookie: '' }, { key }),
      await answerPage(ask, { ...page, request: `${page.request}A` }, { key }),
      await answerPage(ask, { ...page, request: '' }, { key }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
    expect((await answerPage(ask, page, { key }, { origin: issuer })).status).toBe(303)
    expect((await answerPage(restart(), page, { key })).status).toBe(400)
    clock.nowMs += 600_000
    expect((await answerPage(ask, evil, { key })).status).toBe(400)
  })

  it('is in no frame, runs no script, is not kept, and its cookie is for this origin only', async () => {
    const { ask } = await newServer()
    const { response } = await openPage(ask, authorize({ client_id: await register(ask) }))
    const headers = Object.fromEntries(response.headers)
    const policy = headers['content-security-policy']!
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; /)
    expect(policy).toContain("form-action 'self' https:;")
    expect(policy).toMatch(/frame-ancestors 'none'$/)
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'cache-control': 'no-store' })
    expect(headers['set-cookie']).toMatch(
      /^__Host-oauth=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=3600; Secure$/,
    )
  })

  it('shows what a client says of itself as text, in one line, with an end', async () => {
    const { ask, key, books } = await newServer()
    const name = `<img src=x onerror=alert(1)>"'&\u202e\u0000\n${'a'.repeat(500)}`
    const client_id = await register(ask, { client_name: name })
    const { html } = await openPage(ask, authorize({ client_id }))
    expect(html).not.toMatch(/<img|\u202e|\0|a{60}/)
    expect(html).toContain('&#60;img src=x onerror=alert(1)&#62;')
    const page = await openPage(ask, authorize({ client_id }))
    expect((await answerPage(ask, page, { key })).status).toBe(303)
    const secret = await register(ask, { client_name: `${key} is my key` })
    const other = await openPage(ask, authorize({ client_id: secret }))
    expect(other.html).not.toContain(key)
    expect(await books.listKeys()).toHaveLength(1)
  })

  it('connects no more clients to an account than a hundred a day', async () => {
    const served = await newServer()
    for (let count = 0; count < 100; count += 1) {
      const order = { account: 'ann', label: `oauth: ${count}` }
      await served.books.issueKey(order)
    }
    const page = await openPage(served.ask, authorize({ client_id: await register(served.ask) }))
    const response = await answerPage(served.ask, page, { key: served.key })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('100 clients were connected'),
    ])
  })
})

describe('a person is asked again', () => {
  it.each([
    ['with a cap', { cap: { amountMicroUsd: 1, period: 'total' } }],
    ['with scopes', { scopes: ['mcp'] }],
    ['with addresses', { addresses: ['127.0.0.1'] }],
    ['with a rate', { requestsPerSecond: 1 }],
  ] as const)('for a key, where one %s is pasted', async (_, terms) => {
    const served = await newServer()
    await served.books.setKey(served.keyId, terms)
    const { ask } = served
    const page = await openPage(ask, authorize({ client_id: await register(ask) }))
    const response = await answerPage(ask, page, { key: served.key })
    expect([response.status, await response.text()]).toEqual([
      400,
      expect.stringContaining('This key is restricted.'),
    ])
  })

  it('to wait, where more is allowed than is fetched', async () => {
    const served = await newServer()
    const client_id = await register(served.ask)
    const statuses: number[] = []
    for (let count = 0; count < 51; count += 1) {
      const page = await openPage(served.ask, authorize({ client_id }))
      statuses.push((await answerPage(served.ask, page, { key: served.key })).status)
    }
    expect([new Set(statuses.slice(0, 50)), statuses[50]]).toEqual([new Set([303]), 400])
    served.clock.nowMs += 600_000
    expect((await codeOf(served)).code).toMatch(/^[\w-]+\.[\w-]{43}$/)
  })
})

describe('a hand-over of the login is refused', () => {
  it('when it is forged, over, too long, for another request, or in another browser', async () => {
    const { take, content } = await beginLogin()
    const wrong = [
      handOver(content, Buffer.alloc(32, 8)),
      handOver(content).replace(/^./, 'X'),
      'nothing',
      '',
      handOver({ ...content, exp: content.exp - 60 }),
      handOver({ ...content, exp: content.exp + 600 }),
      handOver({ ...content, exp: undefined }),
      handOver({ ...content, request_id: 'another' }),
      handOver({ ...content, account: '' }),
      handOver({ ...content, account: ['ann'] }),
      handOver([]),
    ]
    for (const each of wrong) expect((await take(each)).response.status).toBe(400)
    expect((await take(handOver(content), '')).response.status).toBe(400)
    expect((await take(handOver(content))).response.status).toBe(200)
  })

  it('when it comes again, and its page when it is for another request', async () => {
    const { ask, take, content, page } = await beginLogin()
    const { html } = await take(handOver(content))
    expect((await take(handOver(content))).response.status).toBe(400)
    const other = await openPage(ask, authorize({ client_id: await register(ask) }), page.cookie)
    const login = hiddenIn(html, 'login')
    expect((await answerPage(ask, other, { login })).status).toBe(400)
    expect((await answerPage(ask, page, { login: `${login}A` })).status).toBe(400)
    expect((await answerPage(ask, page, { login })).status).toBe(303)
  })
})

describe('a registration', () => {
  it.each(rowsOf('registrations that are refused'))('%s is refused', async (_, metadata, error) => {
    const { ask } = await newServer()
    const response = await tryToRegister(ask, JSON.parse(metadata))
    expect([response.status, await response.json()]).toMatchObject([400, { error }])
  })

  it('leaves nothing behind, however many come', async () => {
    const { ask, books } = await newServer()
    const ids = await Promise.all(Array.from({ length: 500 }, () => register(ask)))
    // The same words give the same id: nothing is kept that could tell them apart.
    expect(new Set(ids).size).toBe(1)
    expect([await books.listKeys(), await books.trail({ limit: 10 })]).toMatchObject([
      [{}],
      [{ action: 'key.issue' }, { action: 'account.create' }],
    ])
  })

  it('that is no JSON is refused', async () => {
    const { ask } = await newServer()
    const headers = { 'content-type': 'application/json' }
    for (const body of ['', '[]', 'null', '{', '"x"']) {
      expect((await ask('/oauth/register', { method: 'POST', headers, body })).status).toBe(400)
    }
    expect((await ask('/oauth/register', formInit({ redirect_uris: callback }))).status).toBe(400)
  })
})

describe('a revocation', () => {
  it('ends what a refresh token stands for, for its client only', async () => {
    const served = await newServer()
    const { ask, books } = served
    const form = await codeOf(served)
    const { refresh_token } = await askTokens(ask, form)
    const states = async () => (await books.listKeys()).map(({ state }) => state)
    const revoke = (token: string, client_id: string) =>
      ask('/oauth/revoke', formInit({ token, client_id }))
    expect((await revoke(refresh_token, 'another')).status).toBe(200)
    expect((await revoke('unknown', form.client_id)).status).toBe(200)
    expect(await states()).toEqual(['active', 'active'])
    expect((await revoke(refresh_token, form.client_id)).status).toBe(200)
    expect(await states()).toEqual(['active', 'revoked'])
  })
})
