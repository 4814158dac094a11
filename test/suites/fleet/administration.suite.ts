/**
 * The audit log, admin keys and kept answers of a ledger on a real PostgreSQL: as those of a ledger on a disk, also when
 * several change it at once.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { openLeases } from '../../../src/ledger/books/session-rows.ts'
import { keyHash } from '../../../src/ledger/key.ts'
import { withAdministration } from '../../../src/ledger/open-administration.ts'
import { Database, ofCommands } from '../../../src/ledger/sql/postgres/database.ts'
import { MadeBefore } from '../../../src/ledger/trail.ts'
import { withDatabaseEach } from '../../support/servers/ledger-databases.ts'
import { ask, isPostgresqlInstalled, nowMsSql } from '../../support/servers/postgresql-server.ts'

const cause = { name: 'user ann', from: 'command line of here' }

let ledger: string

function books<T>(use: (books: Books) => Promise<T>): Promise<T> {
  return withAdministration({ data: '', ledger, clock: Date.now, cause }, use)
}

describe.skipIf(!isPostgresqlInstalled())('a ledger in a database', () => {
  withDatabaseEach('trail', (one) => {
    ledger = one.ledger
  })

  it('has an entry for each kind of change, with its actor, and proves them', async () => {
    const found = await books(async (each) => {
      await each.createAccount('acme')
      await each.topUp('acme', 5_000_000, 'invoice 1')
      await each.topUp('acme', 5_000_000, 'invoice 1')
      await each.adjust('acme', { amountMicroUsd: -1_000_000, reference: 'r', reason: 'goodwill' })
      const issued = await each.issueKey({ account: 'acme', label: 'web', expiresAtMs: null })
      const rotation = await each.rotateKey(issued.record.id, 60_000)
      await each.revokeKey(issued.record.id)
      await each.withdrawKey(rotation)
      await each.suspend('acme')
      await each.resume('acme')
      const order = { label: 'office', scopes: ['read'], expiresAtMs: null } as const
      const admin = await each.issueAdminKey(order)
      expect(await each.adminKeyWith(keyHash(admin.text))).toEqual(admin.record)
      await each.revokeAdminKey(admin.record.id)
      expect(await each.adminKeyWith(keyHash(admin.text))).toBeUndefined()
      await each.note({
        action: 'snapshot.pin',
        subject: 's',
        details: {},
        before: null,
        after: null,
      })
      expect((await each.audit()).contradictions).toEqual([])
      return (await each.trail({ limit: 100 })).toReversed()
    })
    expect(found.map(({ action }) => action)).toEqual([
      ...['account.create', 'account.top-up', 'account.adjust', 'key.issue', 'key.rotate'],
      ...['key.revoke', 'key.withdraw', 'account.suspend', 'account.resume'],
      ...['admin-key.issue', 'admin-key.revoke', 'snapshot.pin'],
    ])
    expect(found.every(({ actor, from }) => actor === cause.name && from === cause.from)).toBe(true)
    expect(found[1]).toMatchObject({ before: { credited_usd: 50 }, after: { credited_usd: 55 } })
  })

  it('names entries that are missing, and admin keys that were changed past the log', async () => {
    await books(async (each) => {
      for (const name of ['a', 'b', 'c']) await each.createAccount(name)
      await each.issueAdminKey({ label: null, scopes: ['read'], expiresAtMs: null })
    })
    const wrongs: readonly (readonly [string, string])[] = [
      ['delete from audit_entry where n = 3', 'entry 4'],
      ["update admin_key set hash = 'mine'", 'admin key adm_'],
    ]
    for (const [statement, named] of wrongs) {
      await ask(ledger, statement)
      expect((await books((each) => each.audit())).contradictions.join()).toContain(named)
    }
  })

  it('makes a change once under one Idempotency-Key, also of several at once, and keeps the order of the log', async () => {
    const request = { id: 'one', question: 'q', idsOf: () => ({ account: 'acme' }) }
    await books((each) => each.createAccount('acme'))
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        books(async (each) => {
          await each.topUp('acme', 1_000_000, `own ${index}`)
          const by = each.by({ ...cause, request })
          return by.topUp('acme', 1_000_000, `shared ${index}`).catch((error: Error) => error)
        }),
      ),
    )
    const repeats = outcomes.filter((outcome) => outcome instanceof MadeBefore)
    expect(repeats.map(({ change }) => change)).toEqual(
      Array(5).fill({ question: 'q', made: { account: 'acme' } }),
    )
    await books(async (each) => {
      expect((await each.accountNamed('acme')).creditedMicroUsd).toBe(57_000_000)
      expect((await each.audit()).contradictions).toEqual([])
      expect(await each.trail({ limit: 100, subject: 'acme' })).toHaveLength(8)
    })
  })

  it('tells which nodes sell from it, what they hold, and which was not heard of in time', async () => {
    await books((each) => each.createAccount('acme'))
    expect(await books((each) => each.nodes())).toEqual([])
    const database = new Database(ledger, ofCommands)
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
    await openLeases(database, first, 'node-1')
    await openLeases(database, second, 'node-2')
    await openLeases(database, third, 'node-3')
    await database.close()
    await ask(ledger, `insert into lease values ('${first}', 1, 3000000, 1000000)`)
    await ask(ledger, `update session set expires_ms = ${nowMsSql} + 3600000`)
    await ask(ledger, `update session set expires_ms = ${nowMsSql} - 9000 where id = '${second}'`)
    await ask(ledger, `update session set closed_ms = 1 where id = '${third}'`)
    expect(await books((each) => each.nodes())).toMatchObject([
      { name: 'node-1', isLate: false, accounts: 1, leasedMicroUsd: 2_000_000 },
      { name: 'node-2', isLate: true, accounts: 0, leasedMicroUsd: 0 },
    ])
  })
})
