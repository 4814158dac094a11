/**
 * The texts of a file of columns that is being made, in another file until it is written: column behind column, each with its
 * place and its checksum, which is made as the bytes come. Memory holds one buffer of them. Invariant: all sections have
 * ended before one is read.
 */
import { crc32 } from 'node:zlib'
import { limits } from '../../limits.ts'
import { assert } from '../../memory/assert.ts'
import type { Overflow } from '../../memory/record-texts.ts'
import { Refusal } from '../../problems.ts'
import { pieceBytes } from '../pieces.ts'

interface FiledSection {
  readonly length: number
  readonly checksum: number
  readonly offset: number
}

export class FiledTexts {
  readonly #file: Overflow
  readonly #sections = new Map<string, FiledSection>()
  #name: string | undefined
  #offset = 0
  #length = 0
  #checksum = 0
  /** The newest bytes. */
  readonly #memory = new Uint8Array(pieceBytes)
  #used = 0

  constructor(file: Overflow) {
    this.#file = file
  }

  begin(name: string): void {
    this.end()
    this.#name = name
  }

  end(): void {
    if (this.#name === undefined) return
    this.#flush()
    const [offset, length, checksum] = [this.#offset, this.#length, this.#checksum]
    this.#sections.set(this.#name, { offset, length, checksum })
    this.#name = undefined
    this.#offset += length
    this.#length = 0
    this.#checksum = 0
  }

  /** Adds bytes to the section. @throws Refusal `build-limit` when it would be longer than a section can be; the errors of the file. */
  push(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > limits.sectionBytesMax) {
      const bounds = `${length} bytes of ${limits.sectionBytesMax}`
      throw new Refusal('build-limit', `section ${this.#name} would take ${bounds}`)
    }
    this.#length = length
    if (this.#used + bytes.length > this.#memory.length) this.#flush()
    if (bytes.length > this.#memory.length) this.#append(bytes)
    else {
      this.#memory.set(bytes, this.#used)
      this.#used += bytes.length
    }
  }

  get length(): number {
    return this.#length
  }

  /** The length and checksum of a section, for a header; undefined where it is not one of these. */
  entryOf(name: string): Pick<FiledSection, 'length' | 'checksum'> | undefined {
    assert(this.#name === undefined, 'texts are read before they have ended')
    const section = this.#sections.get(name)
    return section && { length: section.length, checksum: section.checksum }
  }

  /** Each piece is valid until the next; undefined for a section that is none of these. */
  piecesOf(name: string): Iterable<Uint8Array> | undefined {
    const section = this.#sections.get(name)
    return section && this.#read(section)
  }

  *#read({ offset, length }: FiledSection): Generator<Uint8Array, void, undefined> {
    const piece = new Uint8Array(Math.min(pieceBytes, length))
    for (let done = 0; done < length; done += piece.length) {
      const bytes = Math.min(piece.length, length - done)
      this.#file.read(piece, bytes, offset + done)
      yield piece.subarray(0, bytes)
    }
  }

  close(): void {
    this.#file.close()
  }

  #flush(): void {
    this.#append(this.#memory.subarray(0, this.#used))
    this.#used = 0
  }

  #append(bytes: Uint8Array): void {
    this.#file.append(bytes)
    this.#checksum = crc32(bytes, this.#checksum)
  }
}
