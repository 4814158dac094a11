/**
 * A lock that admits one process to a directory: SQLite's lock of an empty file. The system takes it back from a process
 * that ends in any way, so a holder that is gone is never waited for. It holds between all processes of a machine, also in
 * other containers, and between machines where the file system passes locks on (NFS 4).
 */
import { closeSync, fchmodSync, fchownSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Refusal } from '../problems.ts'
import { type SqliteDatabase, sqlite } from './sqlite.ts'

/** A lock that this process holds, until its release or its end, and only while something refers to this object. */
export interface Lock {
  /** False from `release` on, and once the file was seen removed or replaced: another process may hold that one. */
  isHeld(): boolean
  /** Admits the next process. A second call does nothing. */
  release(): void
}

/**
 * Takes the lock. The file stays: no process may remove one that another is about to lock.
 * @param waitMs time to wait for another process that has it for a moment; this thread does nothing else meanwhile.
 * @throws Refusal `already-running` naming the directory, where another process holds it; the errors of the file system.
 */
export function acquireLock(file: string, waitMs = 0): Lock {
  mkdirSync(dirname(file), { recursive: true })
  makeFile(file)
  const { DatabaseSync } = sqlite()
  let database: SqliteDatabase | undefined
  try {
    database = new DatabaseSync(file, { timeout: waitMs })
    // Nothing is ever written, so that no journal need lie beside it.
    database.exec('pragma journal_mode=memory; begin immediate')
  } catch (error) {
    database?.close()
    throw refusalOf(file, error as Error)
  }
  return heldLock(file, database)
}

/** Takes the lock for a moment if none holds it. @throws Refusal as `acquireLock`. */
export function refuseWhileHeld(file: string): void {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return
  acquireLock(file).release()
}

function heldLock(file: string, database: SqliteDatabase): Lock {
  const { ino } = statSync(file, { bigint: true })
  let open: SqliteDatabase | undefined = database
  let held = true
  return {
    isHeld: () => {
      held &&= statSync(file, { bigint: true, throwIfNoEntry: false })?.ino === ino
      return held
    },
    release: () => {
      held = false
      open?.close()
      open = undefined
    },
  }
}

/**
 * Makes the file, for those who may write to its directory. One that is there is not opened: to close it would end a lock
 * that this process has.
 */
function makeFile(file: string): void {
  const { uid, gid, mode } = statSync(dirname(file))
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return
    throw error
  }
  try {
    fchmodSync(descriptor, mode & 0o666)
    // Of root, whose file the owner of the directory could not lock.
    if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
  } finally {
    closeSync(descriptor)
  }
}

function refusalOf(file: string, { message }: Error): Error {
  if (/^database is locked/.test(message)) {
    const what = `another process is already using the directory ${dirname(file)}`
    return new Refusal('already-running', what)
  }
  const failed = new Error(`${file} could not be locked: ${message}`)
  return Object.assign(failed, { syscall: 'lock', code: 'ENOLCK' })
}
