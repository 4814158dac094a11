/**
 * Changes of a ledger on a real PostgreSQL by several at once, and the nodes that sell from it.
 */
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { openSession } from '../../../src/ledger/books/session-rows.ts'
import { MadeBefore } from '../../../src/ledger/books/trail.ts'
import { Database, ofCommands } from '../../../src/ledger/sql/postgres/database.ts'
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
    await openSession(database, { id: first, node: 'node-1' })
    await openSession(database, { id: second, node: 'node-2' })
    await openSession(database, { id: third, node: 'node-3' })
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
