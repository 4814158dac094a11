/** Request ids: random UUIDs (RFC 9562, version 4), hundreds of them from one block of random bytes. */
import { hexPairs } from '../../memory/ascii.ts'
import { dataViewOf } from '../../memory/text-table.ts'

const idsPerBlock = 512

export const idLength = 36
const pattern = 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'
/** Offsets in the pattern of the two digits of each byte. */
const places = Uint8Array.from(pattern.matchAll(/xx/g), ({ index }) => index)

export class RequestIds {
  readonly #fill: (block: Uint8Array) => void
  readonly #block = new Uint8Array(16 * idsPerBlock)
  readonly #bytes = Buffer.alloc(idLength * idsPerBlock)
  readonly #view = dataViewOf(this.#bytes)
  #next = this.#bytes.length

  /** @param fill fills a block with random bytes; `crypto.randomFillSync` in the service. */
  constructor(fill: (block: Uint8Array) => void) {
    this.#fill = fill
    this.#bytes.fill(pattern, 'latin1')
  }

  /** Makes a new id, to be copied: returns its number, which is valid until the next call. */
  next(): number {
    if (this.#next === this.#bytes.length) {
      this.#fill(this.#block)
      for (let id = 0; id < idsPerBlock; id += 1) this.#write(id)
      this.#next = 0
    }
    const id = this.#next
    this.#next = id + idLength
    return id
  }

  nextText(): string {
    const id = this.next()
    return this.#bytes.toString('latin1', id, id + idLength)
  }

  copy(id: number, target: DataView, at: number): void {
    const source = this.#view
    // No byte of an id is 0x7f or 0xff, so that no eight of them are NaN.
    for (let done = 0; done < idLength - 4; done += 8) {
      target.setFloat64(at + done, source.getFloat64(id + done, true), true)
    }
    target.setInt32(at + idLength - 4, source.getInt32(id + idLength - 4, true), true)
  }

  #write(id: number): void {
    const block = this.#block
    block[id * 16 + 6] = (block[id * 16 + 6]! & 0x0f) | 0x40
    block[id * 16 + 8] = (block[id * 16 + 8]! & 0x3f) | 0x80
    for (let index = 0; index < 16; index += 1) {
      this.#view.setUint16(id * idLength + places[index]!, hexPairs[block[id * 16 + index]!]!, true)
    }
  }
}
