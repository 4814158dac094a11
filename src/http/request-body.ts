/**
 * The body of a request, gathered in one buffer that grows with it: memory follows its size, not the number of its
 * pieces. A body in one piece is not copied. Bytes, pieces and time are bounded, and until it is whole it must
 * arrive at a minimum rate.
 */
import type { Api } from '../api/api.ts'
import { type ApiReply, copiedBytes } from '../api/exchange.ts'
import { limits } from '../limits.ts'
import type { Problem } from '../problems.ts'
import { type FairPlaces, type Occupant, refuseForNow } from './fair-places.ts'

export interface BodyBounds {
  readonly bytesMax: number
  readonly piecesMax: number
  readonly secondsMax: number
  /** Its `Content-Length`; absent or '' without one. */
  readonly contentLength?: string | undefined
}

/** The source of its pieces; each piece is valid during the call only. */
export interface BodySource {
  onData(handler: (piece: ArrayBuffer, isLast: boolean) => void): unknown
}

/** A body, or its problem and whether reading the rest would cost too much, so that the connection ends. */
type GatheredBody =
  | { readonly body: Uint8Array; readonly problem?: undefined; readonly isCostly?: undefined }
  | { readonly problem: Problem; readonly isCostly: boolean; readonly body?: undefined }

const firstBytes = 4_096

const { bodyWindowSeconds, bodyWindowBytesMin } = limits

export class UnfinishedBodies {
  readonly #clock: () => number
  readonly #bodies = new Set<UnfinishedBody>()

  /** @param clock milliseconds, from any origin. */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Gathers a body. Calls back once: with the whole body, which is valid during the call, or with its problem
   * as soon as that is known.
   * @returns a function to call if the connection ends first; then there is no call back.
   */
  gather(
    source: BodySource,
    bounds: BodyBounds,
    then: (gathered: GatheredBody) => void,
  ): () => void {
    const drop = () => void this.#bodies.delete(body)
    const body = new UnfinishedBody(bounds, this.#clock(), (gathered) => {
      drop()
      then(gathered)
    })
    this.#bodies.add(body)
    source.onData((piece, isLast) => {
      if (this.#bodies.has(body)) body.take(piece, isLast, this.#clock())
    })
    return drop
  }

  /** Refuses bodies that come too slowly; to be called about every second. */
  refuseSlow(): void {
    const nowMs = this.#clock()
    for (const body of this.#bodies) body.refuseIfSlow(nowMs)
  }
}

class UnfinishedBody {
  readonly #bounds: BodyBounds
  readonly #startedMs: number
  readonly #then: (gathered: GatheredBody) => void
  #buffer = new Uint8Array(0)
  #bytes = 0
  #pieces = 0
  /** The beginning of the current window of the rate, and the bytes that had come by then. */
  #windowMs: number
  #windowBytes = 0

  constructor(bounds: BodyBounds, startedMs: number, then: (gathered: GatheredBody) => void) {
    this.#bounds = bounds
    this.#startedMs = startedMs
    this.#windowMs = startedMs
    this.#then = then
  }

  take(piece: ArrayBuffer, isLast: boolean, nowMs: number): void {
    const start = this.#bytes
    this.#pieces += 1
    this.#bytes += piece.byteLength
    const excessive = this.#excess(nowMs)
    if (excessive !== undefined) this.#then(excessive)
    else if (isLast && start === 0) this.#then({ body: new Uint8Array(piece) })
    else {
      if (this.#bytes > this.#buffer.length) {
        this.#buffer = grown(this.#buffer, this.#bytes, this.#bounds)
      }
      this.#buffer.set(new Uint8Array(piece), start)
      if (isLast) this.#then({ body: this.#buffer.subarray(0, this.#bytes) })
    }
  }

  refuseIfSlow(nowMs: number): void {
    const excessive = this.#excess(nowMs)
    if (excessive !== undefined) this.#then(excessive)
    else if (nowMs - this.#windowMs >= bodyWindowSeconds * 1000) {
      const came = this.#bytes - this.#windowBytes
      this.#windowMs = nowMs
      this.#windowBytes = this.#bytes
      const detail = `brought less than ${bodyWindowBytesMin} bytes in ${bodyWindowSeconds} s`
      if (came < bodyWindowBytesMin) this.#then(wrong('request-timeout', detail, true))
    }
  }

  #excess(nowMs: number): WrongBody | undefined {
    const seconds = (nowMs - this.#startedMs) / 1000
    return excess({ bytes: this.#bytes, pieces: this.#pieces, seconds }, this.#bounds)
  }
}

type WrongBody = Extract<GatheredBody, { problem: Problem }>

function wrong(code: Problem['code'], detail: string, isCostly: boolean): WrongBody {
  return { problem: { code, detail: `the body ${detail}` }, isCostly }
}

/** The problem of the bound that was passed, if any. Reading the rest of a body that is only too large is cheap. */
function excess(
  { bytes, pieces, seconds }: { bytes: number; pieces: number; seconds: number },
  { bytesMax, piecesMax, secondsMax }: BodyBounds,
): WrongBody | undefined {
  if (bytes > bytesMax) return wrong('payload-too-large', `is larger than ${bytesMax} bytes`, false)
  if (pieces > piecesMax) {
    return wrong('payload-too-large', `comes in more than ${piecesMax} pieces`, true)
  }
  if (seconds <= secondsMax) return undefined
  return wrong('request-timeout', `took more than ${secondsMax} s`, true)
}

/**
 * A copy with room for a number of bytes, and for the declared length or twice the buffer, up to the
 * bound. Memory that is not written to takes no page.
 */
function grown(
  buffer: Uint8Array,
  bytes: number,
  { bytesMax, contentLength }: BodyBounds,
): Uint8Array<ArrayBuffer> {
  const expected = Number(contentLength) || 0
  const wanted = Math.max(bytes, buffer.length * 2, firstBytes, expected)
  const larger = new Uint8Array(Buffer.allocUnsafeSlow(Math.min(bytesMax, wanted)).buffer)
  larger.set(buffer)
  return larger
}

/** A body whose head was admitted, or is decided upon anew when `soon` resolves. */
interface AwaitedBody {
  readonly api: Api
  readonly bodies: UnfinishedBodies
  readonly places: FairPlaces
  readonly source: BodySource
  readonly bounds: BodyBounds
  readonly occupant: Occupant
  readonly soon: Promise<void> | undefined
}

/**
 * Reads a body in a place of its own. Calls back once.
 * @param take gets the whole body, which is valid during the call unless it is late: then behind `soon`.
 * @returns a function to call at the end of the request: it gives the place back.
 */
export function readBody(
  { api, bodies, places, source, bounds, occupant, soon }: AwaitedBody,
  refuse: (reply: ApiReply) => void,
  take: (body: Uint8Array, isLate: boolean) => void,
): () => void {
  const leave = places.take(occupant)
  if (leave === undefined) {
    refuse(refuseForNow(api, 'bodies are being read'))
    return () => {}
  }
  const drop = bodies.gather(source, bounds, ({ body, problem, isCostly }) => {
    // The rest of a refused body is not read.
    if (problem !== undefined) refuse({ ...api.refuse(problem), isLast: isCostly })
    else if (soon === undefined) take(body, false)
    else {
      const kept = copiedBytes(body)
      void soon.then(() => take(kept, true))
    }
  })
  return () => {
    drop()
    leave()
  }
}
