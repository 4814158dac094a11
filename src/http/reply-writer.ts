/**
 * Writes replies to the wire. uWebSockets.js gathers the output of one turn of a connection in a buffer.
 * If more is written and the connection takes no more or was reset, the rest is lost and the process ends,
 * because no handler waits for the rest. So only replies that surely fit the buffer are written directly.
 * Anything else is offered, and charged by the items that the connection took.
 */
import { STATUS_CODES } from 'node:http'
import type { Api } from '../api/api.ts'
import { type ApiReply, copiedReply, type HeaderPairs } from '../api/exchange.ts'
import { answeredIn } from '../api/json-bytes.ts'
import { LoopTurn } from './loop-turn.ts'
import { corkBytes, type UnreadAnswers } from './unread.ts'
import { type HttpResponse, headerName } from './wire-library.ts'

/** Maximum bytes of the status line and of the lines that uWebSockets.js adds to a head. */
const ownHeadBytes = 256

/** The status in metrics of a request whose connection ended before it was answered. */
export const abandonedStatus = 499

export interface WrittenReply extends Omit<ApiReply, 'seconds' | 'soon'> {
  /**
   * Called once when the reply is over: without a number if all of it was handed to a connection that was still open, as
   * far as the server knew, else with the number of the bytes of its body that were, from its beginning.
   */
  readonly settle?: ((bytes?: number) => void) | undefined
}

interface ReplyWriterContext {
  readonly api: Api
  readonly unread: UnreadAnswers
  readonly onGone: () => void
}

export class ReplyWriter {
  /** Whether each connection gets `Connection: close` with its next reply. */
  isParting = false
  readonly #context: ReplyWriterContext
  /** Its bytes are an upper bound of those in the buffer. */
  readonly #turn: LoopTurn

  /** @param clock milliseconds, from any origin. */
  constructor(context: ReplyWriterContext, clock = performance.now.bind(performance)) {
    this.#context = context
    this.#turn = new LoopTurn(clock)
  }

  /**
   * Writes a reply, and charges what the connection took of it: while its request is handled, or later if the turn
   * is full, which ends a connection that has sent more requests behind it, and no other.
   */
  write(response: HttpResponse, method: string, reply: WrittenReply, more: HeaderPairs): void {
    const hasBody = method !== 'HEAD' && !isBodiless(reply.status)
    if (reply.isLast === true) this.writeLast(response, reply, more)
    else if (this.#isDue(hasBody)) {
      const kept = copiedReply(reply)
      this.#writeLater(response, kept, () => this.#writeNow(response, hasBody, kept, more))
    } else this.#writeNow(response, hasBody, reply, more)
  }

  /** Whether a reply is written in a later turn; now and then one without a body is, which cannot be offered. */
  #isDue(hasBody: boolean): boolean {
    return this.#turn.isFull() || (!hasBody && this.#context.unread.isDue(0))
  }

  writeLast(response: HttpResponse, reply: WrittenReply, more: HeaderPairs = []): void {
    const kept = copiedReply(reply)
    this.#writeLater(response, kept, () => {
      writeHead(response, kept, more)
      response.end(kept.body, true)
      this.#written(kept)
    })
  }

  /** Ends the connection without an answer, behind the answers that were written before. */
  endUnanswered(response: HttpResponse): void {
    let isGone = false
    response.onAborted(() => {
      isGone = true
    })
    setImmediate(() => {
      if (!isGone) response.close()
    })
  }

  #writeNow(
    response: HttpResponse,
    hasBody: boolean,
    reply: WrittenReply,
    more: HeaderPairs,
  ): void {
    if (hasBody) {
      this.#writeWhole(response, reply, more)
      return
    }
    gathered(response, this.#isSureToFit(headBytesOf(reply, more)), () => {
      writeHead(response, reply, more)
      response.endWithoutBody()
    })
    this.#written(reply)
  }

  #writeWhole(response: HttpResponse, reply: WrittenReply, more: HeaderPairs): void {
    const headBytes = headBytesOf(reply, more)
    const isLarge = headBytes + reply.body.length > corkBytes
    // A large body goes past the buffer; its head must not, or a part of it could be lost.
    const isSure = this.#isSureToFit(isLarge ? headBytes : headBytes + reply.body.length)
    if (isLarge || !isSure || this.#context.unread.isDue(reply.body.length)) {
      this.#offer(response, reply, more, isSure)
      return
    }
    writeHead(response, reply, more)
    if (this.isParting) response.end(reply.body, true)
    else response.end(reply.body)
    this.#written(reply)
  }

  #written(reply: WrittenReply): void {
    this.#context.api.written(reply)
    reply.settle?.()
  }

  /** @param isSure whether the buffer holds the head: else only a taken part of the body shows that it arrived. */
  #offer(response: HttpResponse, reply: WrittenReply, more: HeaderPairs, isSure: boolean): void {
    const { body, charge, settle } = reply
    let isWhole = false
    gathered(response, isSure, () => {
      writeHead(response, reply, more)
      if (this.isParting) response.writeHeader('Connection', 'close')
      isWhole = response.tryEnd(body, body.length)[1]
    })
    // Taken whole, nearly always: then nothing has to be kept of it.
    if (isWhole) {
      this.#written(reply)
      return
    }
    const { api, unread } = this.#context
    const values = reply.answeredValues?.()
    const onOver = (part?: Uint8Array) => {
      api.written({ charge }, part && (() => answeredIn(part, values)))
      settle?.(part?.length)
    }
    unread.keepRest(response, body, onOver, isSure)
  }

  /**
   * Writes after the requests that are at hand, when the buffer is empty, unless the connection has ended: then the reply
   * is not charged. uWebSockets.js ends a connection that has sent more of them behind this one.
   */
  #writeLater(response: HttpResponse, { charge, settle }: WrittenReply, write: () => void): void {
    const { api, onGone } = this.#context
    let isGone = false
    response.onAborted(() => {
      isGone = true
      onGone()
      api.unwritten({ charge })
      api.lostBefore(charge?.owner.accountSlot)
      settle?.(0)
    })
    setImmediate(() => {
      if (!isGone) response.cork(write)
    })
  }

  /** Counts bytes that are about to be written; whether the buffer surely holds them beside its content. */
  #isSureToFit(bytes: number): boolean {
    return this.#turn.add(bytes) <= corkBytes
  }
}

/** Has an answer sent whole: behind 16 KiB of a connection uWebSockets.js sends each word of a head by itself. */
function gathered(response: HttpResponse, isSureToFit: boolean, write: () => void): void {
  if (isSureToFit) write()
  else response.cork(write)
}

function headBytesOf({ head, headers }: WrittenReply, more: HeaderPairs): number {
  let bytes = ownHeadBytes + (head?.length ?? 0)
  for (const [name, value] of headers) bytes += name.length + value.length + 4
  for (const [name, value] of more) bytes += name.length + value.length + 4
  return bytes
}

const requestId = headerName('X-Request-Id')

/** Writes the status line and the headers; `more` are those that the reply does not have itself, and come last. */
function writeHead(response: HttpResponse, reply: WrittenReply, more: HeaderPairs): void {
  if (reply.status !== 200) {
    response.writeStatus(`${reply.status} ${STATUS_CODES[reply.status] ?? ''}`)
  }
  if (reply.head !== undefined) response.writeHeader(requestId, reply.head)
  for (const [name, value] of reply.headers) response.writeHeader(name, value)
  for (const [name, value] of more) response.writeHeader(name, value)
}

function isBodiless(status: number): boolean {
  return status === 304 || status === 204
}
