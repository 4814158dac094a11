/**
 * Bytes on their way between memory and a file, a piece at a time, and their CRC-32. The same pieces everywhere: those of a
 * snapshot, of what lies beside it and of what a sync keeps.
 */
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Bytes moved at once: large enough for the disk, small enough for the checksum to hit the cache. */
export const pieceBytes = 1 << 18

export function* inPieces(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes)
  }
}

export function checksumOf(bytes: Uint8Array): number {
  return checksumOfPieces(inPieces(bytes))
}

export function checksumOfPieces(pieces: Iterable<Uint8Array>): number {
  let checksum = 0
  for (const piece of pieces) checksum = crc32(piece, checksum)
  return checksum
}

/** False if the file ends before. */
export function fillFrom(file: number, into: Uint8Array, position: number): boolean {
  for (let done = 0; done < into.length; ) {
    const read = readSync(file, into, done, into.length - done, position + done)
    if (read === 0) return false
    done += read
  }
  return true
}

/** The same; returns the CRC-32 of what was read, or undefined. @param rest called behind each piece. */
export function fillChecked(
  file: number,
  into: Uint8Array,
  position: number,
  rest: () => void,
): number | undefined {
  let checksum = 0
  let at = position
  for (const piece of inPieces(into)) {
    if (!fillFrom(file, piece, at)) return undefined
    checksum = crc32(piece, checksum)
    at += piece.length
    rest()
  }
  return checksum
}

/** Bytes of a file in pieces, each valid until the next; they end where the file does. @throws the errors of the file. */
export function* piecesOfFile(
  file: number,
  position: number,
  bytes: number,
): Generator<Uint8Array, void, undefined> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, bytes))
  for (let done = 0; done < bytes; done += piece.length) {
    const part = piece.subarray(0, Math.min(piece.length, bytes - done))
    if (!fillFrom(file, part, position + done)) return
    yield part
  }
}
