/**
 * Cursors as texts that clients cannot read. A checksum under a secret key is compared before the content is read, so
 * that a made-up cursor costs microseconds. A cursor belongs to one list.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { cursorKeyBytes } from '../../ledger/books/port.ts'
import { limits } from '../../limits.ts'
import { invalid, type Parsed } from '../exchange.ts'

/** The parts that identify a list: its kind, then all values of the request except those of the page. */
export type ListParts = readonly unknown[]

/** The key of commands, whose user can read the snapshot itself; all of them read each other's cursors. */
const openKey: Uint8Array = new Uint8Array(cursorKeyBytes)

/** Bytes of HMAC-SHA-256 that stand before the content (RFC 2104 §5 wants at least 80 bits). */
const checkBytes = 12
/** Bytes of it that stand for the list. */
const listBytes = 9
/** Raised when the content of any cursor changes, so that no program reads another's. */
const contentVersion = 2

export const wrongCursor = invalid('cursor is neither * nor the next_cursor of an answer')

const otherList = invalid(
  'cursor is of another list: send it with the parameters that it came from',
)

export class Cursors {
  readonly #key: Uint8Array

  /** @param key 32 secret bytes, the same for all services that read these cursors. */
  constructor(key: Uint8Array = openKey) {
    this.#key = key
  }

  /** The text of a cursor to a place, any JSON value, in a list. It needs no encoding in an address. */
  write(list: ListParts, place: unknown): string {
    const content = Buffer.from(JSON.stringify([this.#listTag(list), place]))
    return Buffer.concat([this.#check(content), content]).toString('base64url')
  }

  /** The place that a cursor of a list holds; undefined for the first page. Costs 15 µs. */
  read<P>(list: ListParts, text: string | undefined): Parsed<P | undefined> {
    if (text === undefined || text === '*') return { value: undefined }
    if (text.length > limits.cursorCharactersMax) return wrongCursor
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= checkBytes || bytes.toString('base64url') !== text) return wrongCursor
    const content = bytes.subarray(checkBytes)
    if (!timingSafeEqual(this.#check(content), bytes.subarray(0, checkBytes))) return wrongCursor
    // The checksum says that this service wrote the place.
    const [tag, place]: [string, P] = JSON.parse(content.toString())
    return tag === this.#listTag(list) ? { value: place } : otherList
  }

  #check(content: Uint8Array): Buffer {
    return this.#digest('content', content).subarray(0, checkBytes)
  }

  #listTag(list: ListParts): string {
    const digest = this.#digest('list', JSON.stringify(list))
    return digest.subarray(0, listBytes).toString('base64url')
  }

  /** @param purpose keeps the digest of one thing from being that of another. */
  #digest(purpose: 'content' | 'list', of: string | Uint8Array): Buffer {
    return createHmac('sha256', this.#key)
      .update(`${purpose} ${contentVersion} `)
      .update(of)
      .digest()
  }
}
