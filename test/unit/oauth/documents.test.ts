/** Client documents that are hostile, or lie where nothing may be fetched from. */
import { describe, expect, it } from 'vitest'
import { clientDocuments } from '../../../src/oauth/clients/documents.ts'
import { callback, openPage } from '../../support/oauth-person.ts'
import { tableAt } from '../../support/table-sections.ts'
import { type Behaviour, startDocuments } from './document-server.ts'
import { authorize, newServer } from './served-oauth.ts'

const rowsOf = tableAt(new URL('documents.tsv', import.meta.url))

const clock = () => 0
const redirect_uris = [callback]
const json = { 'content-type': 'application/json' }

describe('the document of a client', () => {
  it.each(rowsOf('addresses that no document has'))('is not looked for at %s', async (id) => {
    const resolved: string[] = []
    const resolve = async (host: string) => {
      resolved.push(host)
      return []
    }
    await expect(clientDocuments({ clock, resolve })(id)).rejects.toThrow(
      'no https address of a document',
    )
    expect(resolved).toEqual([])
  })

  // Which addresses are public is tried in public-address.test.ts.
  it.each(['localhost', '127.0.0.1'])(
    'is not fetched from a server inside, which would answer with a good one: %s',
    async (host) => {
      const server = await startDocuments()
      const client_id = server.serve({}).replace('localhost', host)
      server.serve({ client_id, redirect_uris })
      const { options } = server
      const guarded = clientDocuments({ clock, ...options, allowsPrivate: false })
      await expect(guarded(client_id)).rejects.toThrow('cannot be read')
      expect(server.requests()).toBe(0)
      const unguarded = clientDocuments({ clock, ...options })
      expect((await unguarded(client_id)).id).toBe(client_id)
    },
  )

  it('is fetched from the address that was checked, wherever its name leads by now', async () => {
    const server = await startDocuments()
    const id = server.serve({ redirect_uris })
    // The name leads to the server; what was checked is another address, where nothing answers.
    const resolve = async () => [{ address: '127.0.0.2' }]
    const clientAt = clientDocuments({ clock, ...server.options, resolve })
    await expect(clientAt(id)).rejects.toThrow('cannot be read')
    expect(server.requests()).toBe(0)
  })

  it('is not looked for where its server sends the request on', async () => {
    const [server, inner] = [await startDocuments(), await startDocuments()]
    const location = inner.serve({ redirect_uris })
    for (const status of [301, 302, 303, 307, 308]) {
      const id = server.behave((to) => to.writeHead(status, { ...json, location }).end())
      const clientAt = clientDocuments({ clock, ...server.options })
      await expect(clientAt(id)).rejects.toThrow('cannot be read')
    }
    expect([server.requests(), inner.requests()]).toEqual([5, 0])
  })

  it.each<[string, Behaviour]>([
    ['an error', (to, good) => to.writeHead(404, json).end(good)],
    ['a page', (to, good) => to.writeHead(200, { 'content-type': 'text/html' }).end(good)],
    ['no JSON', (to) => to.writeHead(200, json).end('{')],
    ['null', (to) => to.writeHead(200, json).end('null')],
    ['too much', (to, good) => to.writeHead(200, json).end(' '.repeat(20_000) + good)],
    [
      'something compressed',
      (to, good) => to.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(good),
    ],
    ['nothing', () => {}],
    ['a document without an end', (to, good) => void to.writeHead(200, json).write(good)],
    ['a broken connection', (to) => void to.socket?.destroy()],
  ])('is refused when its server answers with %s', async (_, answer) => {
    const server = await startDocuments()
    const id = server.behave(answer)
    const clientAt = clientDocuments({ clock, ...server.options, timeoutMs: 300 })
    await expect(clientAt(id)).rejects.toMatchObject({ code: 'invalid_client' })
    server.behave((to, good) => to.writeHead(200, json).end(good))
    const again = clientDocuments({ clock, ...server.options })
    expect((await again(id)).redirects).toEqual(redirect_uris)
  })

  it.each([
    ['another client_id', { client_id: 'https://other.example/client.json' }],
    ['a secret', { client_secret: 'x' }],
    ['a way to log in that there is not', { token_endpoint_auth_method: 'private_key_jwt' }],
    ['no address', { redirect_uris: undefined }],
    ['a script as the address', { redirect_uris: ['javascript:alert(1)'] }],
  ])('is refused with %s', async (_, content) => {
    const documents = await startDocuments()
    const client_id = documents.serve({ redirect_uris, ...content })
    const { ask } = await newServer(documents.options)
    const page = await openPage(ask, authorize({ client_id }))
    expect([page.response.status, page.request]).toEqual([400, ''])
  })

  it('is given up when its name is not found in time', async () => {
    const server = await startDocuments()
    const id = server.serve({ redirect_uris })
    const slow = { ...server.options, timeoutMs: 50, resolve: () => new Promise<never>(() => {}) }
    const clientAt = clientDocuments({ clock, ...slow })
    await expect(clientAt(id)).rejects.toMatchObject({ code: 'invalid_client' })
    expect(server.requests()).toBe(0)
  })

  it('is not fetched while too many are', async () => {
    const server = await startDocuments()
    const id = server.behave(() => {})
    const clientAt = clientDocuments({ clock, ...server.options, timeoutMs: 300 })
    const answers = Array.from({ length: 9 }, (_, index) => clientAt(`${id}?${index}`))
    const codes = (await Promise.allSettled(answers)).map(
      (each) => each.status === 'rejected' && each.reason.code,
    )
    expect(codes.filter((code) => code === 'temporarily_unavailable')).toHaveLength(1)
    expect(codes.filter((code) => code === 'invalid_client')).toHaveLength(8)
  })
})
