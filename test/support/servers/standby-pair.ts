/**
 * A server and a standby that streams from it, behind one address that leads to whichever is the primary.
 * The standby is asynchronous unless a test says otherwise; all of it ends with the test.
 */
import { onTestFinished } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { ask, type PostgresqlServer, startPostgresql, startStandby } from './postgresql-server.ts'
import { SlowWay } from './slow-way.ts'

interface StandbyPair {
  readonly primary: PostgresqlServer
  readonly standby: PostgresqlServer
  /** The address for nodes and commands. */
  readonly ledger: string
  readonly books: <T>(use: (open: Books) => Promise<T>) => Promise<T>
  /** Makes the standby the primary; the old one is fenced: no connection leads to it any more. */
  readonly promote: () => Promise<void>
}

export async function startPair(): Promise<StandbyPair> {
  const primary = await startPostgresql()
  onTestFinished(primary.stop)
  const standby = await startStandby(primary)
  onTestFinished(standby.stop)
  const way = await SlowWay.start(primary.port)
  onTestFinished(() => way.close())
  const ledger = `postgres://postgres@127.0.0.1:${way.port}/postgres`
  const promote = async () => {
    way.ports.delete(primary.port)
    await ask(standby.address, 'select pg_promote()')
    way.ports.add(standby.port)
  }
  const books = <T>(use: (open: Books) => Promise<T>): Promise<T> =>
    withAdministration({ data: '', ledger, clock: Date.now }, use)
  return { primary, standby, ledger, books, promote }
}
