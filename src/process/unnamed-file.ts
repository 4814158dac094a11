/**
 * A file without a name, for data that is too large for memory while a process works. The system frees its
 * space when the file is closed or the process ends in any way.
 */
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'

export class UnnamedFile {
  length = 0
  readonly #descriptor: number
  readonly #directory: string

  /**
   * @param name its name for a moment, before it has none.
   * @throws Refusal `store-refused`.
   */
  constructor(directory: string, name: string) {
    this.#directory = directory
    this.#descriptor = this.#orRefused(() => {
      mkdirSync(directory, { recursive: true })
      const path = join(directory, name)
      const descriptor = openSync(path, 'w+', 0o600)
      rmSync(path)
      return descriptor
    })
  }

  /** Adds bytes. @throws Refusal `store-refused`, when the disk is full. */
  append(bytes: Uint8Array): void {
    this.#orRefused(() => writeFileSync(this.#descriptor, bytes))
    this.length += bytes.length
  }

  /** Reads `length` bytes from a position on, all of which were written. */
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

  #orRefused<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw new Refusal('store-refused', `${this.#directory}: ${(error as Error).message}`)
    }
  }
}
