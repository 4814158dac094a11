/**
 * A file without a name: what is too much for memory while a process works lies there. The system
 * gives its room back when the file is closed or the process ends, however it ends.
 */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export class UnnamedFile {
  /** Bytes written so far. */
  length = 0
  readonly #descriptor: number

  /** @throws what the file system throws; a file that it leaves behind then is `name`. */
  constructor(directory: string, name: string) {
    mkdirSync(directory, { recursive: true })
    const path = join(directory, name)
    this.#descriptor = openSync(path, 'w+', 0o600)
    rmSync(path)
  }

  /** Adds bytes. @throws what the file system throws: a full disk. */
  append(bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#descriptor, bytes, done, bytes.length - done, this.length + done)
    }
    this.length += bytes.length
  }

  /** Reads so many bytes from a position on, all of which were written. */
  read(into: Uint8Array, length: number, position: number): void {
    for (let done = 0; done < length; ) {
      const read = readSync(this.#descriptor, into, done, length - done, position + done)
      if (read === 0) throw new Error(`nothing stands at ${position + done} of an unnamed file`)
      done += read
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
