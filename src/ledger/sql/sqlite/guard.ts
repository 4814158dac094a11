/**
 * Notices what SQLite does not: that a file of the ledger was deleted, moved, replaced, cut off or written over, or its
 * `-wal` or `-shm`. It looks with `stat` alone: to open one of the files and close it again would drop SQLite's locks.
 */
import { type BigIntStats, statSync } from 'node:fs'
import { adviceToOperator, LostLedger } from './held-file.ts'

interface Known {
  readonly file: string
  readonly bytes: bigint
  readonly writtenNs: bigint
}

export class FileGuard {
  readonly #path: string
  /** Whether this process alone writes the main file: then any other write shows. */
  readonly #isAlone: boolean
  #main: Known
  #wal: Known
  readonly #shared: string

  constructor(path: string, isAlone: boolean) {
    this.#path = path
    this.#isAlone = isAlone
    this.#main = look(path)
    this.#wal = look(`${path}-wal`)
    this.#shared = look(`${path}-shm`).file
  }

  get walBytes(): number {
    return Number(this.#wal.bytes)
  }

  /** Looks at the files; some 10 µs. @throws LostLedger. */
  check(): void {
    const main = look(this.#path)
    if (main.file !== this.#main.file) throw lost(this.#path, 'was moved or replaced')
    if (main.bytes < this.#main.bytes) throw lost(this.#path, 'was cut off')
    const isSame = main.bytes === this.#main.bytes && main.writtenNs === this.#main.writtenNs
    if (this.#isAlone && !isSame) throw lost(this.#path, 'was written over')
    const wal = look(`${this.#path}-wal`)
    if (wal.file !== this.#wal.file) throw lost(`${this.#path}-wal`, 'was moved or replaced')
    if (this.#isAlone && wal.bytes < this.#wal.bytes) throw lost(`${this.#path}-wal`, 'was cut off')
    if (look(`${this.#path}-shm`).file !== this.#shared) {
      throw lost(`${this.#path}-shm`, 'was moved or replaced')
    }
    this.#wal = wal
  }

  /** Takes the files as they are: this process has just written them. */
  learn(): void {
    this.#main = look(this.#path)
    this.#wal = look(`${this.#path}-wal`)
  }
}

function look(path: string): Known {
  const found: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) throw lost(path, 'is gone')
  return { file: `${found.dev} ${found.ino}`, bytes: found.size, writtenNs: found.mtimeNs }
}

function lost(path: string, what: string): LostLedger {
  return new LostLedger(`${path} ${what}; ${adviceToOperator}`)
}
