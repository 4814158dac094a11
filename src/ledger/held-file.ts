/**
 * The file from which a running service sells. The service writes it down beside the ledger, and commands compare it
 * with what they find: a command works on the file that the service holds, or on none.
 */
import {
  type BigIntStats,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'
import { acquireLock, type Lock, refuseWhileHeld } from '../process/lock.ts'
import { makePrivateDirectory, privateFileMode } from '../process/private-directory.ts'

/** The ledger within its directory, the lock of the service there, and what it holds. */
export const fileName = 'ledger.mdb'
const serveLockName = 'serve.lock'

/** A file by device and inode, under any name. */
export interface FileIdentity {
  readonly device: string
  readonly inode: string
}

/** The file that the service holds. */
interface HeldFile extends FileIdentity {
  /** Why the file at the usual place is not the one that the service holds; absent while it is. */
  readonly lost?: string
}

/** The file at a path, and its bytes; undefined where there is none. */
export function lookAtFile(path: string): (FileIdentity & { readonly bytes: number }) | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found && { ...identityOf(found), bytes: Number(found.size) }
}

/** The identity of a file that the system has looked at. */
export function identityOf({ dev, ino }: Pick<BigIntStats, 'dev' | 'ino'>): FileIdentity {
  return { device: `${dev}`, inode: `${ino}` }
}

/** The file in the place of the ledger is not the one that the service holds, or there is none. */
export class LostLedger extends Refusal {
  constructor(reason: string) {
    super('ledger-refused', reason, 'unavailable')
  }
}

/** Whether two are the same file. */
export function isSameFile(one: FileIdentity, other: FileIdentity): boolean {
  return one.device === other.device && one.inode === other.inode
}

/**
 * Writes down what the service in a directory holds. Throws what the disk says.
 * @param name of the file of the ledger.
 */
export function noteHeld(
  directory: string,
  { device, inode, lost }: HeldFile,
  name = fileName,
): void {
  const path = join(directory, `${name}-held`)
  writeFileSync(`${path}-new`, JSON.stringify({ device, inode, lost }), { mode: 0o600 })
  renameSync(`${path}-new`, path)
}

/** The service lets go of its file. */
export function forgetHeld(directory: string, name = fileName): void {
  rmSync(join(directory, `${name}-held`), { force: true })
}

/**
 * Keeps commands from another file than the one that a running service holds, and from making a new
 * one beside it.
 * @throws Refusal `ledger-refused`.
 */
export async function refuseUnlessHeld(directory: string, name = fileName): Promise<void> {
  const reason = orUnreadable(directory, () =>
    reasonAgainst(name, lookAtFile(join(directory, name)), readNote(directory, name)),
  )
  if (reason === undefined) return
  try {
    await refuseWhileHeld(join(directory, serveLockName))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('ledger-refused', `${error.message}, and ${reason}; ${adviceToOperator}`)
  }
}

/** Refuses if `look` cannot read: only its owner may read the directory, and another user may type the command. */
function orUnreadable<T>(directory: string, look: () => T): T {
  try {
    return look()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const advice = 'the command needs the rights of the user whom the service runs as'
    const reason = `the ledger in ${directory} cannot be looked at: ${error.message}; ${advice}`
    throw new Refusal('ledger-refused', reason)
  }
}

/** Advice to an operator about a ledger that is not in its place. */
export const adviceToOperator =
  'put back the file that the service holds, or stop the service, put the right ledger in place and start it again'

function reasonAgainst(
  name: string,
  found: FileIdentity | undefined,
  held: HeldFile | undefined,
): string | undefined {
  if (found === undefined) return `${name} is not there`
  if (held?.lost !== undefined) return held.lost
  if (held === undefined || isSameFile(found, held)) return undefined
  return `${name} there is not the file that it holds`
}

/** Undefined where no service wrote one; it is replaced in one step, so it is never half a note. */
function readNote(directory: string, name: string): HeldFile | undefined {
  try {
    const note = JSON.parse(readFileSync(join(directory, `${name}-held`), 'utf8'))
    return typeof note?.inode === 'string' ? (note as HeldFile) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Keeps services out of a directory, which is made if there is none.
 * @throws Refusal `already-running` when one has it, `ledger-refused` when the disk refuses.
 */
export async function lockDirectory(directory: string): Promise<Lock> {
  try {
    makePrivateDirectory(directory)
    return await acquireLock(join(directory, serveLockName), { fileMode: privateFileMode })
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    const reason = `the ledger in ${directory} could not be locked: ${error.message}`
    throw new Refusal('ledger-refused', reason)
  }
}
