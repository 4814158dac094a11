/**
 * One file of LMDB that survives a disk which fails for a while: whatever the disk refuses becomes a
 * Refusal, and the next call opens the file anew. Every transaction is on the disk when it returns
 * (pages, fdatasync, then the meta page through an O_DSYNC file descriptor), or has changed nothing
 * that counts and throws. A file is never opened before its pages were looked at, and no other file is
 * ever opened in the place of the first one.
 */
import { constants } from 'node:os'
import { dirname, resolve } from 'node:path'
import { open, type RootDatabase } from 'lmdb'
import { Refusal } from '../../problems.ts'
import { makePrivateDirectory, privateFileMode } from '../../process/private-directory.ts'
import { syncFile } from '../../process/sync-file.ts'
import { ledgerForm, otherForm } from '../form.ts'
import { type FileIdentity, identityOf, isSameFile, LostLedger, lookAtFile } from '../held-file.ts'
import { transactInOrder } from './last-transaction.ts'
import { mendMutexes, type OpenLockFiles } from './lock-file.ts'
import { checkPages, type Extent, Heads } from './pages.ts'
import { endIfMemoryIsDamaged, refuseWithoutRoom, reserveSpace } from './room.ts'

/** Options for opening a file. */
interface LmdbFileOptions<T> {
  readonly path: string
  /** Its name in messages: `the ledger in DIRECTORY`. */
  readonly name: string
  /** Kind of file that it should be, for messages: `a ledger`. */
  readonly kind: string
  readonly tablesMax: number
  readonly openTables: (root: RootDatabase) => T
  /** Extent of the check before each opening; see `checkPages`. */
  readonly extent: Extent
  /** What an operator can do about a file of another form. */
  readonly otherFormAdvice: string
}

/** The table that says which form a file has, and its only key. */
const formName = 'form'

interface Handles<T> {
  readonly root: RootDatabase
  readonly tables: T
}

/** A file that is opened when it is needed. */
export class LmdbFile<T> {
  readonly #options: LmdbFileOptions<T>
  #handles: Handles<T> | undefined
  /** The file that was opened first. */
  #file: (FileIdentity & { readonly bytes: number }) | undefined
  #transaction = 0
  /** The heads of that file, kept open from the first look at them. */
  #heads: Heads | undefined
  readonly #lockFiles: OpenLockFiles = new Map()

  constructor(options: LmdbFileOptions<T>) {
    this.#options = options
  }

  /**
   * Makes the file and the directories above it, and makes their names durable. Only this makes it: a file
   * that has gone is not made again, empty.
   * @throws Refusal `ledger-refused` when the disk refuses.
   */
  make(): void {
    this.#guard('opened', () => {
      const directory = dirname(this.#options.path)
      makePrivateDirectory(directory)
      refuseWithoutRoom(directory, this.#options.name)
      this.#handles ??= this.#open()
      syncDirectories(directory)
    })
  }

  /**
   * Works with the tables.
   * @param what was to be done, as a message says it: `the ledger in X could not be written: …`.
   * @throws Refusal `ledger-refused` when the disk refuses, `ledger-corrupt` when the file is damaged; and
   * any error of `work`.
   */
  use<R>(what: string, work: (tables: T, root: RootDatabase) => R): R {
    return this.#guard(what, () => {
      this.#handles ??= this.#reopen()
      return work(this.#handles.tables, this.#handles.root)
    })
  }

  /**
   * One durable transaction: what `change` throws undoes it.
   * @param growthBytes by how much it may make the file grow; absent for some hundred entries.
   * @throws Refusal as `use`.
   */
  transact<R>(change: (tables: T) => R, growthBytes?: number): R {
    return this.use('written', (tables, root) => {
      const { path, name } = this.#options
      refuseWithoutRoom(dirname(path), name)
      return this.#inOrder(root, () => {
        reserveSpace(path, growthBytes)
        return change(tables)
      })
    })
  }

  #inOrder<R>(root: RootDatabase, change: () => R): R {
    const { path, name } = this.#options
    return transactInOrder({ path, name, root, lockFiles: this.#lockFiles }, change)
  }

  /** Runs `look` on one moment of the file, the newest. @throws Refusal as `use`. */
  read<R>(look: (tables: T) => R): R {
    return this.use('read', (tables, root) => {
      root.resetReadTxn()
      return look(tables)
    })
  }

  /** The open file; undefined while there is none. */
  get root(): RootDatabase | undefined {
    return this.#handles?.root
  }

  /** The file that was opened. */
  get identity(): FileIdentity {
    return this.#file!
  }

  /**
   * Looks whether the file still has its name, and has not been written over by another program. Otherwise
   * closes it, so that it is read anew when it is back. Two calls of the system: some 10 µs where they come often, some
   * 140 from rest.
   * @throws LostLedger otherwise; Refusal `ledger-refused` when the disk refuses.
   */
  refuseIfMoved(): void {
    const reason = this.#guard('read', () => this.#reasonAgainstFile(this.#file!))
    if (reason === undefined) return
    void this.close()
    throw new LostLedger(reason)
  }

  #reasonAgainstFile(before: FileIdentity & { readonly bytes: number }): string | undefined {
    const { path } = this.#options
    const now = lookAtFile(path)
    if (now === undefined) return `${path} was moved or removed`
    if (!isSameFile(before, now)) return `${path} is another file now`
    const heads = this.#headsOf(before)
    if (heads === undefined) return `${path} is another file now`
    // Neither ever becomes less while LMDB writes.
    const transaction = now.bytes < before.bytes ? -1 : heads.newestTransaction()
    if (transaction < this.#transaction) {
      // They are opened anew then: the pages of another content may have another size.
      this.#closeHeads()
      return `${path} was written over`
    }
    this.#file = now
    this.#transaction = transaction
    return undefined
  }

  /** The heads of a file that has its name; undefined if the name is another file's by the time of opening. */
  #headsOf(file: FileIdentity): Heads | undefined {
    if (this.#heads !== undefined) return this.#heads
    const heads = new Heads(this.#options.path)
    this.#heads = heads
    if (isSameFile(identityOf(heads.file), file)) return heads
    this.#closeHeads()
    return undefined
  }

  #closeHeads(): void {
    const heads = this.#heads
    this.#heads = undefined
    heads?.close()
  }

  /** Closes the file. Nothing is left to write: every write was durable when it returned. */
  async close(): Promise<void> {
    const handles = this.#handles
    this.#handles = undefined
    this.#closeHeads()
    await handles?.root.close()
  }

  /**
   * LMDB refuses every further transaction of an environment whose meta page could not be written,
   * so after any failure of the disk the environment is closed.
   */
  #guard<R>(what: string, work: () => R): R {
    try {
      return work()
    } catch (error) {
      if (!isStorageError(error)) throw error
      endIfMemoryIsDamaged(error)
      if (!('syscall' in error)) endLineOfLmdb()
      void this.close()
      const reason = `${this.#options.name} could not be ${what}: ${error.message}`
      throw new Refusal('ledger-refused', reason, 'unavailable')
    }
  }

  /** Reads the name again: it may be another file's since. */
  #reopen(): Handles<T> {
    const { path, extent, kind } = this.#options
    const reason = this.#file && this.#reasonAgainstFile(this.#file)
    if (reason !== undefined) throw new LostLedger(reason)
    checkPages(path, extent, kind)
    return this.#open()
  }

  /**
   * `overlappingSync` is off: it lets a commit be seen before it is on the disk. The map grows by
   * itself. Only the owner can read the file (an option that is missing in the types of lmdb). The tables are opened in
   * one transaction: opening the file may have put the number of the last one back, and this puts it right.
   */
  #open(): Handles<T> {
    const { path, openTables } = this.#options
    const root = this.#openRoot()
    const file = lookAtFile(path)
    if (file === undefined || (this.#file !== undefined && !isSameFile(file, this.#file))) {
      void root.close()
      throw new LostLedger(`${path} was moved or removed`)
    }
    this.#file = file
    try {
      const tables = this.#inOrder(root, () => {
        this.#refuseOtherForm(root)
        return openTables(root)
      })
      return { root, tables }
    } catch (error) {
      void root.close()
      throw error
    }
  }

  /** Gives an empty file the form of this version. @throws Refusal `ledger-refused` for another form. */
  #refuseOtherForm(root: RootDatabase): void {
    const { name, otherFormAdvice } = this.#options
    const isEmpty = root.getKeysCount({ limit: 1 }) === 0
    const forms = root.openDB<number, string>(formName, {})
    const found = forms.get(formName)
    if (found === ledgerForm) return
    if (!isEmpty) throw otherForm(name, found, otherFormAdvice)
    forms.putSync(formName, ledgerForm)
  }

  /** Opens it once more where another process closed it as the last one at that very moment; see `lock-file.ts`. */
  #openRoot(): RootDatabase {
    const { path, tablesMax } = this.#options
    const rights = { permissionsMode: privateFileMode }
    const options = { path, overlappingSync: false, maxDbs: tablesMax, ...rights }
    try {
      return open(options)
    } catch (error) {
      const isInvalid =
        isStorageError(error) && 'code' in error && error.code === constants.errno.EINVAL
      if (!isInvalid || !mendMutexes({ path, lockFiles: this.#lockFiles })) throw error
      endLineOfLmdb()
      return open(options)
    }
  }
}

/** LMDB prints what was refused, and does not end the line: the log's next one would follow. */
function endLineOfLmdb(): void {
  process.stderr.write('\n')
}

/** Makes new names in a directory, and the directories above it, durable; LMDB syncs only the file. */
export function syncDirectories(directory: string): void {
  const path = resolve(directory)
  syncFile(path)
  if (path !== dirname(path)) syncDirectories(dirname(path))
}

/**
 * Whether the disk or LMDB refused: LMDB's errors carry its number, or that of the system, as `code`;
 * those of Node name the call.
 */
export function isStorageError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return 'syscall' in error || ('code' in error && typeof error.code === 'number')
}
