/** Servers behind an address that leads to whichever is the primary. All of it ends with the test. */
import { onTestFinished } from 'vitest'
import type { Books } from '../../../src/ledger/books/books.ts'
import { books } from './ledger-databases.ts'
import { ask, startPostgresql, startStandby } from './postgresql-server.ts'
import { SlowWay } from './slow-way.ts'

/** A server, the way to it, and the address of a database by that way. */
export async function startReachable() {
  const server = await startPostgresql()
  onTestFinished(server.stop)
  const way = await SlowWay.start(server.port)
  onTestFinished(() => way.close())
  const addressOf = (database: string) => `postgres://postgres@127.0.0.1:${way.port}/${database}`
  return { server, way, addressOf }
}

/** The same with a standby that streams from the server; it is asynchronous unless a test says otherwise. */
export async function startPair() {
  const { server: primary, way, addressOf } = await startReachable()
  const standby = await startStandby(primary)
  onTestFinished(standby.stop)
  const ledger = addressOf('postgres')
  /** Makes the standby the primary; the old one is fenced: no connection leads to it any more. */
  const promote = async () => {
    way.ports.delete(primary.port)
    await ask(standby.address, 'select pg_promote()')
    way.ports.add(standby.port)
  }
  const use = <T>(work: (open: Books) => Promise<T>): Promise<T> => books(ledger, work)
  return { primary, standby, way, ledger, books: use, promote }
}
