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

/** CRC-32. @param rest called behind each piece. */
export function checksumOfPieces(
  pieces: Iterable<Uint8Array>,
  rest: () => void = () => {},
): number {
  let checksum = 0
  for (const piece of pieces) {
    checksum = crc32(piece, checksum)
    rest()
  }
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

/**
 * Bytes of a file in pieces, which end where the file does. @throws the errors of the file.
 * @param into memory for all of them; without it each piece is valid until the next.
 */
export function* piecesOfFile(
  file: number,
  position: number,
  bytes: number,
  into?: Uint8Array,
): Generator<Uint8Array, void, undefined> {
  const room = into ?? Buffer.allocUnsafe(Math.min(pieceBytes, bytes))
  for (let done = 0; done < bytes; done += pieceBytes) {
    const start = into === undefined ? 0 : done
    const piece = room.subarray(start, start + Math.min(pieceBytes, bytes - done))
    if (!fillFrom(file, piece, position + done)) return
    yield piece
  }
}
