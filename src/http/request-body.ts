/**
 * The body of a request, gathered in one buffer that grows as it comes: what it costs is what it
 * holds, in however many pieces it arrives. One that comes whole is not copied. Bytes, pieces and time
 * are bounded.
 */
import type { Problem } from '../problems.ts'

/** What a body may take. */
export interface BodyBounds {
  readonly bytesMax: number
  readonly piecesMax: number
  readonly secondsMax: number
}

/** What its pieces come from; each is valid during the call only. */
export interface BodySource {
  onData(handler: (piece: ArrayBuffer, isLast: boolean) => void): unknown
}

/** A body, or what is wrong with it, and whether the rest of it is worth to be read. */
export type GatheredBody =
  | { readonly body: Uint8Array; readonly problem?: never }
  | { readonly problem: Problem; readonly isCostly: boolean; readonly body?: never }

const firstBytes = 4_096

/**
 * Calls back once: with the whole body, which is good during the call, or with what is wrong with it
 * as soon as it is.
 * @param clock milliseconds, from any origin.
 */
export function gatherBody(
  source: BodySource,
  bounds: BodyBounds,
  clock: () => number,
  then: (gathered: GatheredBody) => void,
): void {
  const startedMs = clock()
  let buffer = new Uint8Array(0)
  let bytes = 0
  let pieces = 0
  let isOver = false
  const end = (gathered: GatheredBody) => {
    isOver = true
    then(gathered)
  }
  source.onData((piece, isLast) => {
    if (isOver) return
    pieces += 1
    const seconds = (clock() - startedMs) / 1000
    const start = bytes
    bytes += piece.byteLength
    const excessive = excess({ bytes, pieces, seconds }, bounds)
    if (excessive !== undefined) {
      end(excessive)
      return
    }
    if (isLast && start === 0) {
      end({ body: new Uint8Array(piece) })
      return
    }
    if (bytes > buffer.length) buffer = grown(buffer, bytes, bounds.bytesMax)
    buffer.set(new Uint8Array(piece), start)
    if (isLast) end({ body: buffer.subarray(0, bytes) })
  })
}

/** Which bound was passed, if any. A body that is only too large costs nothing more to be read. */
function excess(
  { bytes, pieces, seconds }: { bytes: number; pieces: number; seconds: number },
  { bytesMax, piecesMax, secondsMax }: BodyBounds,
): Extract<GatheredBody, { problem: Problem }> | undefined {
  const of = (code: Problem['code'], detail: string, isCostly: boolean) => ({
    problem: { code, detail: `the body ${detail}` },
    isCostly,
  })
  if (bytes > bytesMax) return of('payload-too-large', `is larger than ${bytesMax} bytes`, false)
  if (pieces > piecesMax) {
    return of('payload-too-large', `comes in more than ${piecesMax} pieces`, true)
  }
  if (seconds <= secondsMax) return undefined
  return of('request-timeout', `took more than ${secondsMax} s`, true)
}

/** A copy with room for so many bytes, and for as many again where that is allowed. */
function grown(buffer: Uint8Array, bytes: number, bytesMax: number): Uint8Array<ArrayBuffer> {
  const wanted = Math.max(bytes, buffer.length * 2, firstBytes)
  const larger = new Uint8Array(Math.min(bytesMax, wanted))
  larger.set(buffer)
  return larger
}
