/**
 * The file from which a running service sells. The service notes it beside the ledger: a command
 * works on the file that the service holds, or on none.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../../problems.ts'
import { acquireLock, type Lock, refuseWhileHeld } from '../../../process/lock.ts'
import { makePrivateDirectory } from '../../../process/private-directory.ts'
import { isStorageError } from '../../../process/sync-file.ts'
import { otherLedgerAdvice } from '../form.ts'

/** The ledger within its directory, the note of what the service there holds, and the lock of that. */
export const ledgerFileName = 'ledger.db'
const noteName = `${ledgerFileName}-held`
const serveLockName = 'serve.lock'

const fileShape = /^(?:\d+ \d+)?$/

const lmdbFile = { name: 'ledger.mdb', version: '0.1.0' }

/** The device and inode of the ledger of a directory; undefined where there is none. Throws what the disk says. */
function lookAtLedger(directory: string): string | undefined {
  const path = join(directory, ledgerFileName)
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}

/** @throws Refusal `ledger-refused` for a directory with a ledger of LMDB alone. */
export function refuseLmdb(directory: string): void {
  const { name, version } = lmdbFile
  if (!existsSync(join(directory, name)) || existsSync(join(directory, ledgerFileName))) return
  const reason = `${join(directory, name)} is a ledger that version ${version} reads, and this version does not`
  throw new Refusal('ledger-refused', `${reason}: ${otherLedgerAdvice}`)
}

export class LostLedger extends Refusal {
  constructor(reason: string) {
    super('ledger-refused', reason, 'unavailable')
  }
}

/** Notes which file is held, or why the one in its place is another. It is replaced in one step, so it is never half a note. */
export function noteHeld(directory: string, lost?: string): void {
  const path = join(directory, noteName)
  try {
    writeFileSync(`${path}-new`, lost ?? lookAtLedger(directory) ?? '', { mode: 0o600 })
    renameSync(`${path}-new`, path)
  } catch (error) {
    if (!isStorageError(error)) throw error
    throw new Refusal('ledger-refused', `${directory} could not be written: ${error.message}`)
  }
}

export function forgetHeld(directory: string): void {
  rmSync(join(directory, noteName), { force: true })
}

/** Keeps commands from another file than the service's. @throws Refusal `ledger-refused`. */
export async function refuseUnlessHeld(directory: string): Promise<void> {
  const reason = reasonAgainst(directory)
  if (reason === undefined) return
  try {
    refuseWhileHeld(join(directory, serveLockName))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('ledger-refused', `${error.message}, and ${reason}; ${adviceToOperator}`)
  }
}

export const adviceToOperator =
  'put back the file that the service holds, or stop the service, put the right ledger in place and start it again'

/** Only its owner may read the directory, and another user may type the command. */
function reasonAgainst(directory: string): string | undefined {
  try {
    const found = lookAtLedger(directory)
    if (found === undefined) return `${ledgerFileName} is not there`
    const path = join(directory, noteName)
    const noted = existsSync(path) ? readFileSync(path, 'utf8') : found
    if (noted === found) return undefined
    return fileShape.test(noted) ? `${ledgerFileName} there is not the file that it holds` : noted
  } catch (error) {
    if (!isStorageError(error)) throw error
    const advice = 'the command needs the rights of the user whom the service runs as'
    const reason = `the ledger in ${directory} cannot be looked at: ${error.message}; ${advice}`
    throw new Refusal('ledger-refused', reason)
  }
}

/** @param waitMs as of a lock. @throws Refusal `already-running` when a service has it, `ledger-refused`. */
export async function lockDirectory(directory: string, waitMs = 0): Promise<Lock> {
  try {
    makePrivateDirectory(directory)
    return acquireLock(join(directory, serveLockName), waitMs)
  } catch (error) {
    if (!isStorageError(error)) throw error
    const reason = `the ledger in ${directory} could not be locked: ${error.message}`
    throw new Refusal('ledger-refused', reason)
  }
}

/** Final: another holder may have sold the same money. @throws Refusal `already-running` where the lock is not held any more. */
export function refuseUnlessLocked(lock: Lock, directory: string): void {
  if (lock.isHeld()) return
  const reason = `the lock of ${directory} was removed or replaced`
  throw new Refusal('already-running', `${reason}; stop this service`)
}
