/**
 * The service as its main thread runs it: it owns the snapshot store, the ledger and the
 * threads, and serves no requests itself.
 */
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import { accounts, createAccount } from '../ledger/accounts.ts'
import type { KeyTable } from '../ledger/keyring.ts'
import { issueKey } from '../ledger/keys.ts'
import type { Prices } from '../ledger/route.ts'
import { openTeller, type Teller } from '../ledger/teller.ts'
import { Refusal } from '../problems.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { announcedId, loadSnapshot, pathOf } from '../snapshot/store.ts'
import { Threads } from './threads.ts'

/** What a service is started with. */
export interface ServiceOptions {
  readonly host: string
  readonly port: number
  /** 0 is one for each core. */
  readonly threads: number
  readonly snapshots: string
  /** The directory of the ledger. */
  readonly data: string
  readonly prices: Prices
  /** Milliseconds. */
  readonly commitWindow: number
  readonly clock: () => number
  /** Told one line of everything an operator should know. */
  readonly report: (line: string) => void
}

/** A running service. */
export interface Service {
  readonly port: number
  readonly threads: number
  readonly snapshotId: string
  /** The key of the account `default`, when the ledger was empty and it was made. */
  readonly firstKey: string | undefined
  /** Serves no more, writes what is left of the charges, and ends the threads. */
  readonly close: () => Promise<void>
}

/**
 * Starts the service over the snapshot that its directory announces, and answers when it serves.
 * @throws Refusal `snapshot-missing`, `snapshot-refused`, `cannot-listen`, `already-running` when
 * another process serves from the same ledger, `ledger-refused`, `ledger-corrupt`.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { snapshots, host, port, prices, report, clock } = options
  const snapshot = loadAnnounced(snapshots)
  await assertPortFree(host, port)
  // The first table comes before there are threads: they take it when they start.
  let threads: Threads | undefined
  const onKeyTable = (table: KeyTable) => threads?.takeKeys(table)
  const teller = openTeller({ directory: options.data, clock, prices, onKeyTable, report })
  try {
    const firstKey = await openFirstAccount(teller)
    const count = options.threads || availableParallelism()
    threads = new Threads(count, { balances: teller.shared, prices })
    threads.takeKeys(teller.keyTable)
    await threads.serve(snapshot)
    const listening = await threads.listen(host, port)
    teller.start(options.commitWindow)
    return {
      port: listening,
      threads: count,
      snapshotId: snapshot.header.id,
      firstKey,
      close: () => closeAll(threads, teller),
    }
  } catch (error) {
    await closeAll(threads, teller)
    throw error
  }
}

/** Threads first: what they have recorded is then all there will be, and the teller writes it. */
async function closeAll(threads: Threads | undefined, teller: Teller): Promise<void> {
  await threads?.close()
  await teller.close()
}

function loadAnnounced(snapshots: string): Snapshot {
  const id = announcedId(snapshots)
  if (id !== undefined) return loadSnapshot(pathOf(snapshots, id))
  const hint = 'publish one with: authority-index sync --source DIR'
  throw new Refusal('snapshot-missing', `${snapshots}: no snapshot is announced; ${hint}`)
}

/** An empty ledger gets an account and a key, so that a new service can be asked at once. */
async function openFirstAccount(teller: Teller): Promise<string | undefined> {
  const isEmpty = teller.book.read((tables) => accounts(tables).length === 0)
  if (!isEmpty) return undefined
  createAccount(teller.book, 'default')
  const { text } = issueKey(teller.book, { account: 'default', label: null, expiresAtMs: null })
  teller.follow()
  return text
}

/**
 * The threads share their port, and so would a second service by mistake; a plain listener, which
 * shares with nobody, finds out first.
 */
function assertPortFree(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', (error) => {
      reject(new Refusal('cannot-listen', `cannot listen on ${host}:${port}: ${error.message}`))
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}
