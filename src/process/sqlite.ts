/**
 * The SQLite of ledgers and locks: Node's own where it is sound, else that of the package with the same API. Before
 * 3.51.3 a checkpoint beside a writer could lose a commit, and 3.52.0 was withdrawn. A process uses one of the two only:
 * two libraries in one process would drop each other's locks.
 */
import { createRequire } from 'node:module'
import { Refusal } from '../problems.ts'
import { isMissing } from './missing.ts'

export interface SqliteStatement {
  all(values?: Readonly<Record<string, unknown>>): Record<string, unknown>[]
}

export interface SqliteDatabase {
  readonly isTransaction: boolean
  exec(text: string): void
  prepare(text: string): SqliteStatement
  function(name: string, work: () => bigint): void
  close(): void
}

interface SqliteLibrary {
  readonly DatabaseSync: new (
    path: string,
    options?: { readonly timeout: number; readonly readOnly?: boolean },
  ) => SqliteDatabase
}

const ofPackage = '@photostructure/sqlite'
const soundSince = [3, 51, 3]
const withdrawn = '3.52.0'

/** Whether a version of SQLite keeps what it has acknowledged. */
export function isSound(version: string): boolean {
  if (version === withdrawn) return false
  const parts = version.split('.').map(Number)
  const first = soundSince.findIndex((part, index) => parts[index] !== part)
  return first === -1 || (parts[first] ?? 0) > soundSince[first]!
}

/**
 * @throws Refusal `ledger-refused` where none is sound; Error where the package is needed and missing.
 */
export function sqlite(): SqliteLibrary {
  const reasons: string[] = []
  for (const name of ['node:sqlite', ofPackage]) {
    try {
      const found = loaded(name)
      const version = versionOf(found)
      if (isSound(version)) return found
      reasons.push(`${name} has ${version}`)
    } catch (error) {
      if (name === ofPackage && isMissing(error)) throw error
      // An addon says why it does not fit this machine.
      const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
      reasons.push(isMissing(error) ? `this Node has no ${name}` : `${name}: ${reason}`)
    }
  }
  const needed = `this needs SQLite ${soundSince.join('.')} or later`
  throw new Refusal('ledger-refused', `${needed}: ${reasons.join(', and ')}`)
}

/** Node 22 warns that its own is an experiment, on lines that belong to the program. */
function loaded(name: string): SqliteLibrary {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return createRequire(import.meta.url)(name) as SqliteLibrary
  } finally {
    process.emitWarning = emitWarning
  }
}

function versionOf({ DatabaseSync }: SqliteLibrary): string {
  const database = new DatabaseSync(':memory:')
  try {
    return String(database.prepare('select sqlite_version() as version').all()[0]?.version)
  } finally {
    database.close()
  }
}
