/**
 * What all files with columns are: a head, which is one MessagePack value in a region of whole pages whose rest is nils, and
 * behind it columns, each a MessagePack `bin`. Numbers are little-endian.
 */
import { openSync } from 'node:fs'
import { Packr, Unpackr } from 'msgpackr/pack'
import { Refusal } from '../problems.ts'

/** Bytes of a page of the head's region. */
export const regionBytes = 4096
/** Bytes before a column: the MessagePack `bin 32` marker and its length. */
export const binHeaderBytes = 5
const bin32 = 0xc6
/** The byte between values. */
export const nil = 0xc0

const packr = new Packr({ useRecords: false })
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true })

/** The MessagePack bytes of a value. */
export function packed(value: unknown): Buffer {
  return packr.pack(value)
}

/** The value of MessagePack bytes. @throws Error for others. */
export function unpacked(bytes: Uint8Array): unknown {
  return unpackr.unpack(bytes)
}

/** The value that bytes begin with, and its length; undefined where they begin with none. */
export function firstValue(window: Uint8Array): { value: unknown; bytes: number } | undefined {
  let first: { value: unknown; bytes: number } | undefined
  try {
    unpackr.unpackMultiple(window, (value: unknown, _start?: number, end?: number) => {
      first = { value, bytes: end ?? 0 }
      return false
    })
  } catch {
    // An error of msgpackr does not help an operator; the caller names the file.
    return undefined
  }
  return first
}

/** The bytes before a column: nils, the marker and the length. @param length of them. @param columnBytes of the column. */
export function framing(length: number, columnBytes: number): Buffer {
  const frame = Buffer.alloc(length, nil)
  frame[length - binHeaderBytes] = bin32
  frame.writeUInt32BE(columnBytes, length - binHeaderBytes + 1)
  return frame
}

/** Opens a file. @param what its kind, for people. @throws Refusal `snapshot-missing` when there is no such file. */
export function openColumnFile(path: string, what: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal('snapshot-missing', `${path}: no such ${what}`)
  }
}

/** The one way to say that a file is not to be served. */
export function refuse(path: string, problem: string): never {
  throw new Refusal('snapshot-refused', `${path}: ${problem}`)
}
