/** What the admin API refuses, and how it keeps answers. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adminOpenApi } from '../../../src/admin/openapi.ts'
import { adminOperations, adminRoot, servedOperations } from '../../../src/admin/operations.ts'
import { remoteCalls } from '../../../src/admin/remote.ts'
import { limits } from '../../../src/limits.ts'
import { newAdmin } from '../../support/administered.ts'
import { temporaryDirectory } from '../../support/ledger-fixture.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('answering.tsv', import.meta.url))

const code = (type: string) => type.split(':').at(-1)

describe('a request', () => {
  it('without an admin key that is good gets one 401, whatever it asks', async () => {
    const { ask, books, key } = await newAdmin()
    const order = { account: 'acme' }
    await books.createAccount('acme')
    const ordinary = (await books.issueKey(order)).text
    for (const wrong of [
      '',
      'aik_admin_',
      ordinary,
      `${key}x`,
      key.replace('aik_admin_', 'aik_'),
    ]) {
      const { json, headers } = await ask('GET', '/accounts', { key: wrong })
      expect([json.status, code(json.type)]).toEqual([401, 'unauthorized'])
      expect(headers['WWW-Authenticate']).toBe('Bearer')
    }
    const [adminKey] = await books.listAdminKeys()
    await books.revokeAdminKey(adminKey!.id)
    expect((await ask('GET', '/accounts')).status).toBe(401)
  })

  it('of a page of another origin, or under a name that was pointed here, is refused', async () => {
    const { ask } = await newAdmin()
    const refused = [
      { headers: { origin: 'https://evil.example' } },
      { headers: { origin: 'null' } },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { isOwnHost: false },
    ]
    for (const asked of refused) {
      expect(code((await ask('GET', '/accounts', asked)).json.type)).toBe('forbidden-origin')
    }
    expect(
      (await ask('GET', '/accounts', { headers: { origin: 'http://localhost' } })).status,
    ).toBe(200)
  })

  it.each(rowsOf('requests that are refused'))(
    '%s %s is refused: %j %s',
    async (method, target, asked, expected) => {
      const { ask, books } = await newAdmin()
      await books.createAccount('taken')
      const { json, headers, status } = await ask(method, target, JSON.parse(asked))
      expect(code(json.type)).toBe(expected)
      expect(json.status).toBe(status)
      expect(headers['Content-Type']).toBe('application/problem+json')
    },
  )

  it('that mentions a key is not repeated with it', async () => {
    const { ask, books } = await newAdmin()
    await books.createAccount('acme')
    const order = { account: 'acme' }
    const key = (await books.issueKey(order)).text
    const { json } = await ask('GET', `/accounts/${key}`)
    expect(json.status).toBe(404)
    expect(JSON.stringify(json)).not.toContain(key.slice(10))
  })

  it('whose address holds an admin key is refused', async () => {
    const { ask, key } = await newAdmin()
    for (const target of [`/accounts?name=${key}`, `/accounts/${key}`]) {
      const { json } = await ask('GET', target)
      expect([json.status, code(json.type)]).toEqual([400, 'malformed-request'])
      expect(JSON.stringify(json)).not.toContain(key.slice(10))
    }
  })
})

describe('requests at once', () => {
  it('are so many and no more, whichever admin key they have, until one is answered', async () => {
    const { answer, ask, key, keyOf } = await newAdmin()
    const path = `${adminRoot}/accounts`
    const head = { method: 'POST', path, query: '', from: '127.0.0.1', isOwnHost: true }
    const headers = { host: 'localhost', authorization: `Bearer ${key}` }
    let bring = (_: string) => {}
    const body = new Promise<string>((resolve) => {
      bring = resolve
    })
    const waiting = Array.from({ length: limits.adminRequestsMax }, () =>
      answer({ ...head, headers, body: () => body }),
    )
    const other = { key: await keyOf(['read']) }
    const refused = await ask('GET', '/accounts', other)
    expect([refused.status, refused.headers['Retry-After']]).toEqual([503, '1'])
    bring('{')
    await Promise.all(waiting)
    expect((await ask('GET', '/accounts', other)).status).toBe(200)
  })
})

describe('a refusal', () => {
  it('names no directory of the service', async () => {
    const snapshots = temporaryDirectory()
    const { ask } = await newAdmin(snapshots)
    for (const target of ['/snapshots/0/pin', '/snapshots/0/announce']) {
      const { json } = await ask('POST', target)
      expect([json.status, json.detail]).toEqual([404, 'no snapshot with id 0'])
    }
    mkdirSync(join(snapshots, 'REMOVED'))
    const { json } = await ask('GET', '/removals')
    expect(json.status).toBeGreaterThan(400)
    expect(json.detail).not.toContain(snapshots)
  })
})

describe('a name that is a step of a path', () => {
  it('is no account, and no call goes out for it', async () => {
    const { ask, books } = await newAdmin()
    const far = remoteCalls('http://127.0.0.1:9', 'none')
    for (const account of ['.', '..', '...', '%2e%2e', '../keys', 'a/..', '..\\x', 'a\u0000', '']) {
      const { status, json } = await ask('POST', '/accounts', { body: { account } })
      expect([account, status]).toEqual([account, 400])
      expect(json.detail).toContain('not of dots alone')
      await expect(books.createAccount(account)).rejects.toMatchObject({ code: 'wrong-usage' })
      const { getAccount, suspendAccount, revokeKey } = adminOperations
      for (const call of [
        far(getAccount, { account }),
        far(suspendAccount, { account }),
        far(revokeKey, { key_id: account }),
      ]) {
        await expect(call).rejects.toMatchObject({ code: 'wrong-usage' })
      }
    }
    for (const account of ['a.b', '..a', 'a..', '-', '_']) await books.createAccount(account)
  })
})

describe('a list', () => {
  it('is read page by page to its end', async () => {
    const { ask, books } = await newAdmin()
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await books.createAccount(name)
    const found: string[] = []
    let cursor = ''
    do {
      const { json } = await ask('GET', `/accounts?limit=2${cursor}`)
      found.push(...json.results.map(({ account }: { account: string }) => account))
      cursor = json.next_cursor === null ? '' : `&cursor=${json.next_cursor}`
    } while (cursor !== '')
    expect(found).toEqual(names)
  })
})

describe('two equal top-ups at once', () => {
  it('credit once, under one Idempotency-Key and by one reference alike', async () => {
    const { ask, books } = await newAdmin()
    await books.createAccount('acme')
    const topUp = (idempotencyKey?: string) =>
      ask('POST', '/accounts/acme/top-ups', {
        body: { amount_usd: 1, reference: 'r' },
        ...(idempotencyKey && { idempotencyKey }),
      })
    const replies = await Promise.all([topUp('same'), topUp('same')])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    const [third, fourth] = await Promise.all([topUp('third'), topUp()])
    expect([third, fourth].map(({ json }) => json.credited)).toEqual([false, false])
    expect((await books.accountNamed('acme')).creditedMicroUsd).toBe(51_000_000)
  })
})

describe('a repeated change', () => {
  const order = { body: { account: 'acme' }, idempotencyKey: 'k' }

  it('names the key that was made, whose text the ledger does not have', async () => {
    const { ask, books, data, key } = await newAdmin()
    await books.createAccount('acme')
    const first = await ask('POST', '/keys', order)
    const again = await ask('POST', '/keys', order)
    expect(again.json).toMatchObject({ status: 409, made: { key_id: first.json.key_id } })
    expect(again.json.detail).toContain(`key_id ${first.json.key_id}`)
    for (const name of ['ledger.db', 'ledger.db-wal']) {
      const file = readFileSync(join(data, name), 'latin1')
      expect(file).not.toContain(first.json.key)
      expect(file).not.toContain(key)
    }
  })

  it('is another change under the same Idempotency-Key of another admin key', async () => {
    const { ask, books, keyOf } = await newAdmin()
    await books.createAccount('acme')
    const first = await ask('POST', '/keys', order)
    const other = await ask('POST', '/keys', { ...order, key: await keyOf(['keys']) })
    expect(other.json.key_id).not.toBe(first.json.key_id)
  })

  it('is tried anew where it was refused', async () => {
    const { ask, books } = await newAdmin()
    expect((await ask('POST', '/keys', order)).status).toBe(404)
    await books.createAccount('acme')
    expect((await ask('POST', '/keys', order)).status).toBe(200)
  })
})

describe('the document', () => {
  it('has every operation once, with its scope', () => {
    const { paths } = adminOpenApi() as {
      paths: Record<string, Record<string, { operationId: string }>>
    }
    const ids = Object.values(paths).flatMap((path) =>
      Object.values(path).map((each) => each.operationId),
    )
    expect(ids.sort()).toEqual(servedOperations.map(([name]) => name).sort())
  })
})
