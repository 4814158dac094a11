/**
 * The body of a request, gathered in one buffer that grows with it: memory follows its size, not the number of its
 * pieces. A body in one piece is not copied. Bytes, pieces and time are bounded, and until it is whole it must
 * arrive at a minimum rate.
 */
import type { Api } from '../api/api.ts'
import { type ApiReply, copiedBytes } from '../api/exchange.ts'
import type { KeyOwner } from '../ledger/live/keyring.ts'
import { limits } from '../limits.ts'
import type { Problem } from '../problems.ts'
import { type FairPlaces, refuseForNow } from './fair-places.ts'

export interface BodyBounds {
  readonly bytesMax: number
  readonly piecesMax: number
  readonly secondsMax: number
}

/** The connection that a body comes from; each piece is valid during the call only. */
export interface BodySource {
  onData(handler: (piece: ArrayBuffer, isLast: boolean) => void): unknown
  onAborted(handler: () => void): unknown
}

/** The outcome for a head: a refusal ends its request, or answers it; one that says `soon` is decided upon anew. */
export interface AdmittedHead {
  readonly refusal?: ApiReply | undefined
  /** The account that the request counts for; undefined if it needs no key. */
  readonly account?: number | undefined
  readonly owner?: KeyOwner | undefined
  /** As in `ApiRequest`. */
  readonly takenNs?: number | undefined
}

interface AwaitedBody {
  readonly places: FairPlaces
  readonly source: BodySource
  readonly bounds: BodyBounds
  readonly address: string
  /** @param canWait whether it is called again when the refusal says `soon`, once the body is read. */
  readonly admit: (canWait: boolean) => AdmittedHead
  readonly refuse: (reply: ApiReply) => void
  /** Gets the whole body, which is valid during the call. */
  readonly take: (admitted: AdmittedHead, body: Uint8Array) => void
  /** Called when the connection ends, also after the body was taken. */
  readonly onGone: () => void
}

const firstBytes = 4_096

const { bodyWindowSeconds, bodyWindowBytesMin } = limits

export class UnfinishedBodies {
  readonly #api: Api
  readonly #clock: () => number
  readonly #bodies = new Set<UnfinishedBody>()

  /** @param clock milliseconds, from any origin. */
  constructor(api: Api, clock: () => number) {
    this.#api = api
    this.#clock = clock
  }

  /**
   * Admits the head of a request, and reads its body in a place of its own. Calls `refuse` or `take` once, unless the
   * connection ends before.
   */
  read({ places, source, bounds, address, admit, refuse, take, onGone }: AwaitedBody): void {
    const admitted = admit(true)
    const { refusal, account } = admitted
    const isAwaited = refusal === undefined || refusal.soon !== undefined
    const leave = isAwaited ? places.take({ account, address }) : undefined
    if (leave === undefined) {
      refuse(isAwaited ? refuseForNow(this.#api, 'bodies are being read') : refusal)
      return
    }
    let isOver = false
    const end = () => {
      isOver = true
      this.#bodies.delete(body)
      leave()
    }
    const settle = (settled: AdmittedHead, whole: Uint8Array) => {
      end()
      if (settled.refusal === undefined) take(settled, whole)
      else refuse(settled.refusal)
    }
    const body = new UnfinishedBody(bounds, this.#clock(), (problem, isLast) => {
      end()
      // The rest of a refused body is not read.
      refuse({ ...this.#api.refuse(problem), isLast })
    })
    this.#bodies.add(body)
    source.onAborted(() => {
      end()
      onGone()
    })
    source.onData((piece, isLast) => {
      if (!this.#bodies.has(body)) return
      const whole = body.add(piece, isLast, this.#clock())
      if (whole === undefined) return
      if (refusal === undefined) {
        settle(admitted, whole)
        return
      }
      this.#bodies.delete(body)
      const kept = copiedBytes(whole)
      void refusal.soon!.then(() => {
        if (!isOver) settle(admit(false), kept)
      })
    })
  }

  /** Refuses bodies that come too slowly; to be called about every second. */
  refuseSlow(): void {
    const nowMs = this.#clock()
    for (const body of this.#bodies) body.refuseIfSlow(nowMs)
  }
}

/** Why a body is refused, and whether reading the rest would cost too much, so that the connection ends. */
type RefuseBody = (problem: Problem, isLast: boolean) => void

class UnfinishedBody {
  readonly #bounds: BodyBounds
  readonly #startedMs: number
  readonly #refuse: RefuseBody
  #buffer = new Uint8Array(0)
  #bytes = 0
  #pieces = 0
  /** The beginning of the current window of the rate, and the bytes that had come by then. */
  #windowMs: number
  #windowBytes = 0

  constructor(bounds: BodyBounds, startedMs: number, refuse: RefuseBody) {
    this.#bounds = bounds
    this.#startedMs = startedMs
    this.#windowMs = startedMs
    this.#refuse = refuse
  }

  /** Returns the body once it is whole. */
  add(piece: ArrayBuffer, isLast: boolean, nowMs: number): Uint8Array | undefined {
    const start = this.#bytes
    this.#pieces += 1
    this.#bytes += piece.byteLength
    if (this.#isExcessive(nowMs)) return undefined
    if (isLast && start === 0) return new Uint8Array(piece)
    if (this.#bytes > this.#buffer.length) this.#grow()
    this.#buffer.set(new Uint8Array(piece), start)
    return isLast ? this.#buffer.subarray(0, this.#bytes) : undefined
  }

  refuseIfSlow(nowMs: number): void {
    if (this.#isExcessive(nowMs) || nowMs - this.#windowMs < bodyWindowSeconds * 1000) return
    const came = this.#bytes - this.#windowBytes
    this.#windowMs = nowMs
    this.#windowBytes = this.#bytes
    const detail = `the body brought less than ${bodyWindowBytesMin} bytes in ${bodyWindowSeconds} s`
    if (came < bodyWindowBytesMin) this.#refuse({ code: 'request-timeout', detail }, true)
  }

  /** Refuses a body that has passed a bound. Reading the rest of one that is only too large is cheap. */
  #isExcessive(nowMs: number): boolean {
    const { bytesMax, piecesMax, secondsMax } = this.#bounds
    if (this.#bytes > bytesMax) {
      const detail = `the body is larger than ${bytesMax} bytes`
      this.#refuse({ code: 'payload-too-large', detail }, false)
    } else if (this.#pieces > piecesMax) {
      const detail = `the body comes in more than ${piecesMax} pieces`
      this.#refuse({ code: 'payload-too-large', detail }, true)
    } else if (nowMs - this.#startedMs > secondsMax * 1000) {
      const detail = `the body took more than ${secondsMax} s`
      this.#refuse({ code: 'request-timeout', detail }, true)
    } else return false
    return true
  }

  /** Makes room for all bytes, and for twice the buffer, up to the bound. Memory that is not written to takes no page. */
  #grow(): void {
    const wanted = Math.max(this.#bytes, this.#buffer.length * 2, firstBytes)
    const bytes = Math.min(this.#bounds.bytesMax, wanted)
    const larger = new Uint8Array(Buffer.allocUnsafeSlow(bytes).buffer)
    larger.set(this.#buffer)
    this.#buffer = larger
  }
}
