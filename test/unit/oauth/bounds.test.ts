/** What OAuth takes at most, and the forms of what it takes: each bound and each form refused beside one that is in order. */
import { describe, expect, it } from 'vitest'
import { clientDocuments } from '../../../src/oauth/clients/documents.ts'
import { type Purpose, Signer, textDigest } from '../../../src/oauth/signing.ts'
import { answerPage, callback, hiddenIn, openPage, queryOf } from '../../support/oauth-person.ts'
import { startDocuments } from './document-server.ts'
import {
  askTokens,
  authorize,
  beginLogin,
  codeOf,
  handOver,
  issuer,
  newServer,
  register,
  tryToRegister,
} from './served-oauth.ts'

const minuteMs = 60_000

describe('a request for access', () => {
  it('takes a state of 1,024 characters, each parameter once, and 32 parameters', async () => {
    const { ask } = await newServer()
    const client_id = await register(ask)
    const statusesOf = async (...targets: string[]) =>
      Promise.all(targets.map(async (target) => (await ask(target)).status))
    const stateOf = (characters: number) => authorize({ client_id, state: 'x'.repeat(characters) })
    expect(await statusesOf(stateOf(1_024), stateOf(1_025))).toEqual([200, 400])
    const target = authorize({ client_id })
    expect(await statusesOf(`${target}&${queryOf({ redirect_uri: callback })}`)).toEqual([400])
    const own = [...new URLSearchParams(target.split('?')[1])].length
    const with32 = target + Array.from({ length: 32 - own }, (_, at) => `&p${at}=1`).join('')
    expect(await statusesOf(with32, `${with32}&one=more`)).toEqual([200, 400])
  })

  it('that was signed is taken in its own form only', async () => {
    const { ask, key } = await newServer()
    const page = await openPage(ask, authorize({ client_id: await register(ask) }))
    const longer = { ...page, request: `${page.request}.x` }
    expect((await answerPage(ask, longer, { key })).status).toBe(400)
    expect((await answerPage(ask, page, { key })).status).toBe(303)
  })
})

describe('a text that was signed', () => {
  const purposes: readonly Purpose[] = ['client', 'request', 'login', 'code', 'refresh']

  it.each(purposes)('as %s is nothing for any other purpose, nor for another ledger', (purpose) => {
    const signer = new Signer(Buffer.alloc(32, 1))
    const text = signer.sign(purpose, { id: 'a' })
    const readAs = purposes.map((each) => signer.read(each, text))
    expect(readAs).toEqual(purposes.map((each) => (each === purpose ? { id: 'a' } : undefined)))
    expect(new Signer(Buffer.alloc(32, 2)).read(purpose, text)).toBeUndefined()
  })
})

describe('a form', () => {
  it('that another kind of body could be read as is refused', async () => {
    const served = await newServer()
    const { ask, key } = served
    const page = await openPage(ask, authorize({ client_id: await register(ask) }))
    // A page of another origin can post this one without asking the browser.
    const headers = { cookie: page.cookie, 'content-type': 'text/plain' }
    const fields = { request: page.request, cap: '2', period: 'month', decision: 'allow', key }
    const posted = { method: 'POST', headers, body: queryOf(fields) }
    expect((await ask('/oauth/consent', posted)).status).toBe(400)
    const form = await codeOf(served)
    const json = { 'content-type': 'application/json' }
    const sent = { method: 'POST', headers: json, body: queryOf(form) }
    expect((await ask('/oauth/token', sent)).status).toBe(400)
    expect((await askTokens(ask, form)).status).toBe(200)
  })

  it('for tokens without a client says that it is missing', async () => {
    const served = await newServer()
    const form = await codeOf(served)
    const answer = await askTokens(served.ask, { ...form, client_id: undefined })
    expect(answer).toMatchObject({ status: 400, error: 'invalid_request' })
    // The code is not used up by what no client has sent.
    expect((await askTokens(served.ask, form)).status).toBe(200)
  })
})

describe('a verifier', () => {
  it.each(['short', 'x'.repeat(129), `${'x'.repeat(43)}!`])(
    'of another form fits nothing, even the challenge that is made of it: %s',
    async (verifier) => {
      const served = await newServer()
      const form = await codeOf(served, { proof: { verifier, challenge: textDigest(verifier) } })
      expect(await askTokens(served.ask, form)).toMatchObject({ error: 'invalid_grant' })
    },
  )
})

describe('a registration', () => {
  it('whose id would be too long for an address is refused', async () => {
    const { ask } = await newServer()
    const redirect_uris = Array.from({ length: 10 }, (_, at) =>
      `${callback}/${at}/`.padEnd(400, 'x'),
    )
    const response = await tryToRegister(ask, { redirect_uris })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: 'invalid_client_metadata' },
    ])
    const fewer = await tryToRegister(ask, { redirect_uris: redirect_uris.slice(0, 5) })
    expect(fewer.status).toBe(201)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'is refused that a page of another origin could post without asking: %s',
    async (type) => {
      const { ask } = await newServer()
      const body = JSON.stringify({ redirect_uris: [callback] })
      const post = (contentType: string) =>
        ask('/oauth/register', { method: 'POST', headers: { 'content-type': contentType }, body })
      expect((await post(type)).status).toBe(400)
      expect((await post('application/json; charset=utf-8')).status).toBe(201)
    },
  )
})

describe('a hand-over of the login', () => {
  it.each<[string, (content: object) => string]>([
    ['is large', (content) => handOver({ ...content, more: 'x'.repeat(2_000) })],
    ['has a third part', (content) => `${handOver(content)}.x`],
    ['names a key that is no text', (content) => handOver({ ...content, key: 7 })],
  ])('is refused when it %s', async (_, wrong) => {
    const { take, content } = await beginLogin()
    expect((await take(wrong(content))).response.status).toBe(400)
    expect((await take(handOver(content))).response.status).toBe(200)
  })

  it.each(['is not active', 'is of another account'])(
    'allows nothing where the key that it names %s',
    async (fault) => {
      const { ask, books, page, content, take, keyId } = await beginLogin()
      await books.createAccount('bob')
      const { record } = await books.issueKey({ account: 'bob' })
      await books.revokeKey(record.id)
      const key = fault === 'is not active' ? record.id : keyId
      const { html } = await take(handOver({ ...content, account: 'bob', key }))
      const answer = await answerPage(ask, page, { login: hiddenIn(html, 'login') })
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringContaining('The key is not active, or is of another account.'),
      ])
      expect(await books.listKeys()).toHaveLength(2)
    },
  )
})

describe('a client document that was read', () => {
  it('is believed for ten minutes, and read again then', async () => {
    const server = await startDocuments()
    const id = server.serve({ redirect_uris: [callback] })
    let nowMs = 0
    const clientAt = clientDocuments({ clock: () => nowMs, ...server.options })
    await clientAt(id)
    nowMs = 10 * minuteMs - 1
    await clientAt(id)
    expect(server.requests()).toBe(1)
    server.serve({ redirect_uris: [`${callback}/new`] })
    nowMs = 10 * minuteMs
    expect((await clientAt(id)).redirects).toEqual([`${callback}/new`])
  })

  it('is forgotten where two hundred others were read since', async () => {
    const server = await startDocuments()
    const id = server.behave((to) => {
      const { search } = new URL(to.req.url!, issuer)
      const document = { client_id: `${id}${search}`, redirect_uris: [callback] }
      to.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document))
    })
    const clientAt = clientDocuments({ clock: () => 0, ...server.options })
    for (let count = 0; count <= 200; count += 1) await clientAt(`${id}?${count}`)
    await clientAt(`${id}?200`)
    expect(server.requests()).toBe(201)
    await clientAt(`${id}?0`)
    expect(server.requests()).toBe(202)
  })
})
