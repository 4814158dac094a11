/**
 * The books as commands use them: the ledger itself, where the audit log has the user of the operating system as
 * the actor; or, with `--url`, the admin API of a running service, which has the admin key as the actor.
 */
import { hostname, userInfo } from 'node:os'
import type { CallOperation } from '../../admin/local-calls.ts'
import type { HttpBooks } from '../../admin/remote/http-books.ts'
import type { Administration } from '../../ledger/administration.ts'
import type { Books } from '../../ledger/books/books.ts'
import { type AdministrationOptions, withAdministration } from '../../ledger/open-administration.ts'
import type { Cause } from '../../ledger/trail/cause.ts'
import { defaultPrices } from '../../operations.ts'
import { Refusal } from '../../problems.ts'

/** The place of the books: a ledger, or the address and key of an admin API. */
interface BooksPlace extends Omit<AdministrationOptions, 'cause'> {
  readonly url: string | null
  readonly adminKey: string
}

/**
 * Opens the books, hands them to `use`, and closes them in any case.
 * @throws Refusal `ledger-refused`, `ledger-corrupt`, `wrong-usage` for an address without an admin key, and any
 * error of `use`.
 */
export async function withBooks<T>(
  { url, adminKey, ...place }: BooksPlace,
  use: (books: Administration) => Promise<T>,
): Promise<T> {
  return url === null ? withLedger(place, use) : use(await remoteBooks(url, adminKey))
}

/** The place at which operations on served snapshots are carried out. */
export interface ServedPlace extends BooksPlace {
  readonly snapshots: string
  readonly removalKey: string
}

/**
 * The operations of the admin API on served snapshots: of a running service, or here, with notes in the ledger.
 * @throws Refusal as `withBooks`.
 */
export async function withOperations<T>(
  { url, adminKey, snapshots, removalKey, ...place }: ServedPlace,
  use: (call: CallOperation) => Promise<T>,
): Promise<T> {
  if (url !== null) {
    const books = await remoteBooks(url, adminKey)
    return use((name, given) => books.call(name, given))
  }
  const context = { ...servedHere, snapshots, removalKey, clock: place.clock }
  const { localCalls } = await import('../../admin/local-calls.ts')
  return withLedger(place, (books) => use(localCalls({ ...context, books })))
}

/** The same for operations that read, which need no ledger here. */
export async function withReading<T>(
  place: ServedPlace,
  use: (call: CallOperation) => Promise<T>,
): Promise<T> {
  if (place.url !== null) return withOperations(place, use)
  const { snapshots, removalKey, clock } = place
  const { localCalls } = await import('../../admin/local-calls.ts')
  return use(localCalls({ ...servedHere, snapshots, removalKey, clock }))
}

/** Values for the settings that only a service has. */
const servedHere = { follow: '', prices: defaultPrices }

/** @throws Refusal `wrong-usage` without an admin key. */
async function remoteBooks(url: string, adminKey: string): Promise<HttpBooks> {
  if (adminKey === '') {
    const hint = 'set AUTHORITY_INDEX_ADMIN_KEY (authority-index admin-key issue)'
    throw new Refusal('wrong-usage', `--url is the admin API, which needs an admin key: ${hint}`)
  }
  const { HttpBooks } = await import('../../admin/remote/http-books.ts')
  return new HttpBooks(url, adminKey)
}

/** The same of the ledger itself only. */
export function withLedger<T>(
  place: Omit<AdministrationOptions, 'cause'>,
  use: (books: Books) => Promise<T>,
): Promise<T> {
  return withAdministration({ ...place, cause: commandLine() }, use)
}

/** The user and the host. A container may run as a user without a name. */
function commandLine(): Cause {
  const from = `command line of ${hostname()}`
  try {
    return { name: `user ${userInfo().username}`, from }
  } catch {
    return { name: `user ${process.getuid?.() ?? 'unknown'}`, from }
  }
}
