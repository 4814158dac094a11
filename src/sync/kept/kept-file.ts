/**
 * A file of columns beside the snapshots. It is whole or it is none: a column that is not as it was written, another
 * key or a file cut short leave nothing to read. KeptColumns lie one behind the other, their directory at the end.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Column, KeptColumns } from '../../indexer/kept/columns.ts'
import { writeAll } from '../../process/write-all.ts'
import { checksumOf, fillFrom, inPieces } from '../../snapshot/texts/pieces.ts'

const name = 'KEPT'
const makers = {
  Uint8Array: (buffer: ArrayBuffer) => new Uint8Array(buffer),
  Uint32Array: (buffer: ArrayBuffer) => new Uint32Array(buffer),
  Float64Array: (buffer: ArrayBuffer) => new Float64Array(buffer),
}

/** A column in the file: what it is called, its kind, its bytes and their CRC-32, as sections of a snapshot have it. */
type Entry = readonly [name: string, kind: keyof typeof makers, bytes: number, checksum: number]

/** At the end of the file: the CRC-32 of the directory and its length, 4 bytes each. */
const trailerBytes = 8

/** Path of the file in a directory of snapshots. */
export function keptPath(snapshots: string): string {
  return join(snapshots, name)
}

/** Removes the file, and what a killed process left of one. */
export function removeKept(snapshots: string): void {
  for (const path of [keptPath(snapshots), temporaryOf(snapshots)]) rmSync(path, { force: true })
}

function temporaryOf(snapshots: string): string {
  return `${keptPath(snapshots)}.tmp`
}

/**
 * Writes the file anew; the one before stays until it is whole. @param key states what the columns depend on.
 * @throws the errors of the system.
 */
export function writeKept(
  snapshots: string,
  key: string,
  columns: Iterable<readonly [string, Column]>,
): void {
  const path = temporaryOf(snapshots)
  const file = openSync(path, 'w', 0o600)
  try {
    const entries: Entry[] = []
    for (const [column, values] of columns) {
      const bytes = bytesOf(values)
      for (const piece of inPieces(bytes)) writeAll(file, piece)
      entries.push([column, kindOf(values), bytes.length, checksumOf(bytes)])
    }
    const directory = Buffer.from(JSON.stringify({ key, entries }))
    const trailer = Buffer.alloc(trailerBytes)
    trailer.writeUInt32LE(checksumOf(directory))
    trailer.writeUInt32LE(directory.length, 4)
    for (const bytes of [directory, trailer]) writeAll(file, bytes)
  } catch (error) {
    closeSync(file)
    rmSync(path, { force: true })
    throw error
  }
  closeSync(file)
  renameSync(path, keptPath(snapshots))
}

/** The columns of the file, or why there are none for a key, to stand behind its path. */
export function readKept(snapshots: string, key: string): KeptColumns | string {
  let file: number
  try {
    file = openSync(keptPath(snapshots), 'r')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'is not there'
      : `cannot be read (${(error as Error).message})`
  }
  try {
    return columnsIn(file, key)
  } catch (error) {
    return `cannot be read (${(error as Error).message})`
  } finally {
    closeSync(file)
  }
}

function columnsIn(file: number, key: string): KeptColumns | string {
  const { size } = fstatSync(file)
  const trailer = Buffer.from(readBytes(file, trailerBytes, size - trailerBytes).buffer)
  const length = trailer.readUInt32LE(4)
  const directoryStart = size - trailerBytes - length
  const directory = readBytes(file, length, directoryStart)
  if (checksumOf(directory) !== trailer.readUInt32LE()) return 'is damaged'
  const { key: written, entries } = JSON.parse(Buffer.from(directory).toString()) as {
    key: string
    entries: Entry[]
  }
  if (written !== key) return 'was written with other settings, removals or another version'
  const columns = new Map<string, Column>()
  let position = 0
  for (const [column, kind, bytes, checksum] of entries) {
    const read = readBytes(file, bytes, position)
    if (checksumOf(read) !== checksum) return 'is damaged'
    columns.set(column, makers[kind](read.buffer))
    position += bytes
  }
  return columns
}

/** @throws Error where the file ends before. */
function readBytes(file: number, length: number, position: number): Uint8Array<ArrayBuffer> {
  if (position < 0) throw new Error('it is too short')
  const bytes = new Uint8Array(length)
  if (!fillFrom(file, bytes, position)) throw new Error('it is too short')
  return bytes
}

function bytesOf({ buffer, byteOffset, byteLength }: Column): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function kindOf(values: Column): keyof typeof makers {
  if (values instanceof Float64Array) return 'Float64Array'
  return values instanceof Uint32Array ? 'Uint32Array' : 'Uint8Array'
}
