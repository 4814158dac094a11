/** How replies are written: what the buffer of the library is sure to hold, and what may be lost. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Api } from '../../../src/api/api.ts'
import type { ApiReply } from '../../../src/api/exchange.ts'
import { ReplyWriter } from '../../../src/http/reply-writer.ts'
import { UnreadAnswers } from '../../../src/http/unread.ts'
import type { HttpResponse } from '../../../src/http/wire-library.ts'
import type { Answered } from '../../../src/ledger/live/reservations.ts'
import { limits } from '../../../src/limits.ts'
import { ownerAt } from '../../support/ledger-fixture.ts'

/** A response on a connection that takes so many bytes of a body; notes what is done with it. */
class Response {
  readonly done: string[] = []
  onGone = () => {}
  #taken = 0
  readonly #takes: number

  constructor(takes = Number.MAX_SAFE_INTEGER) {
    this.#takes = takes
  }

  writeStatus(): void {}
  writeHeader(name: unknown, value: unknown): void {
    if (name === 'Connection') this.done.push(`${name}: ${value}`)
  }
  end(_body: Uint8Array, isLast = false): void {
    this.done.push(isLast ? 'end and close' : 'end')
  }
  endWithoutBody(): void {
    this.done.push('end without body')
  }
  tryEnd(chunk: Uint8Array, total: number): [boolean, boolean] {
    this.#taken += Math.min(chunk.length, this.#takes)
    this.done.push('offer')
    return [this.#taken === total, this.#taken === total]
  }
  getWriteOffset(): number {
    return this.#taken
  }
  onWritable(): void {}
  onAborted(handler: () => void): void {
    this.onGone = handler
  }
  cork(write: () => void): void {
    write()
  }
  close(): void {
    this.done.push('close')
    this.onGone()
  }
}

const charge = {
  owner: ownerAt(0),
  route: 'detail',
  search: undefined,
  askedMs: 0,
  queries: 10,
  profiles: 0,
  costMicroUsd: 10,
  asked: undefined,
} as const

/** Items in the first 50,000 bytes of an answer. */
const itemsOfHalf = 16_663

function writer(clock = () => 0) {
  /** Of each reply the items that were taken. */
  const charged: (number | 'all')[] = []
  /** Of each reply whose connection ended in its turn, the account. */
  const lost: number[] = []
  /** Of each reply that is over the bytes that were taken; undefined for all. */
  const settled: (number | undefined)[] = []
  const api = {
    written: (reply: Partial<ApiReply>, answered?: () => Answered) => {
      if (reply.charge !== undefined) charged.push(answered?.().queries ?? 'all')
    },
    unwritten: () => charged.push(0),
    lostBefore: (account: number) => lost.push(account),
  } as Partial<Api> as Api
  const unread = new UnreadAnswers({
    ...{ bytesMax: 1e9, random: () => 0.9, clock: () => 0 },
    ...{ onChange: () => {}, onUntaken: () => {} },
  })
  const replies = new ReplyWriter({ api, unread, onGone: () => {} }, clock)
  const write = (response: Response, bytes: number, more: Partial<ApiReply> = {}) => {
    const body = Buffer.alloc(bytes, '{},')
    body.write('"results":[')
    const answeredValues = () => (items: number) => items
    const settle = (bytes?: number) => void settled.push(bytes)
    const reply = { status: 200, headers: [], body, charge, answeredValues, settle, ...more }
    replies.write(response as unknown as HttpResponse, 'GET', reply, [])
    return response
  }
  return { charged, settled, lost, replies, write }
}

describe('a reply', () => {
  it('is written as it is where the buffer is sure to hold it', () => {
    const { charged, write } = writer()
    expect(write(new Response(), 1_000).done).toEqual(['end'])
    expect(charged).toEqual(['all'])
  })

  it('is offered where it is larger than the buffer, and waits for its connection', () => {
    const { charged, write } = writer()
    const response = write(new Response(50_000), 100_000)
    expect([response.done, charged]).toEqual([['offer'], []])
    response.onGone()
    expect(charged).toEqual([itemsOfHalf])
  })

  it('is offered behind others, and ends a connection that takes nothing of it at once', () => {
    const { charged, settled, write } = writer()
    for (let count = 0; count < 13; count += 1) write(new Response(), 1_000)
    expect(write(new Response(), 1_000).done).toEqual(['offer'])
    expect(write(new Response(0), 1_000).done).toEqual(['offer', 'close'])
    expect(charged.slice(13)).toEqual(['all', 0])
    expect(settled).toEqual([...Array(14).fill(undefined), 0])
  })

  it('is sure to be held again when all connections have had their turn', async () => {
    const { write } = writer()
    for (let count = 0; count < 13; count += 1) write(new Response(), 1_000)
    await nextTurn()
    // The first ends in the same turn of the loop.
    await nextTurn()
    expect(write(new Response(), 1_000).done).toEqual(['end'])
  })

  it('that is larger than the buffer and comes behind others waits only where some of it was taken', () => {
    const { charged, write } = writer()
    for (let count = 0; count < 13; count += 1) write(new Response(), 1_000)
    for (let count = 0; count < 13; count += 1) write(new Response(), 100_000)
    const begun = write(new Response(50_000), 100_000)
    expect([begun.done, charged.slice(26)]).toEqual([['offer'], []])
    expect(write(new Response(0), 100_000).done).toEqual(['offer', 'close'])
    begun.onGone()
    expect(charged.slice(26)).toEqual([0, itemsOfHalf])
  })

  it('that is the last of its connection is written in the next turn, if there is one', async () => {
    const { settled, write } = writer()
    const last = { status: 400, charge: undefined, isLast: true }
    const [response, gone] = [new Response(), new Response()]
    for (const each of [response, gone]) write(each, 100, last)
    gone.onGone()
    await nextTurn()
    expect([response.done, gone.done]).toEqual([['end and close'], []])
    expect(settled).toEqual([0, undefined])
  })

  it('asks its connection to close while the server parts, large or small', () => {
    const { replies, write } = writer()
    replies.isParting = true
    expect(write(new Response(), 1_000).done).toEqual(['end and close'])
    expect(write(new Response(), 100_000).done).toEqual(['Connection: close', 'offer'])
  })

  it('that fills a turn is written in the next one, and is not charged where its connection has ended', async () => {
    const scene = { nowMs: 0 }
    const { charged, lost, write } = writer(() => scene.nowMs)
    for (let count = 0; count < limits.turnRequestsMax; count += 1) write(new Response(), 10)
    scene.nowMs = limits.turnMsMax
    const written = Array.from({ length: 2 * limits.turnRequestsMax }, () =>
      write(new Response(), 10),
    )
    const later = written.filter(({ done }) => done.length === 0)
    expect(later).toHaveLength(1)
    expect(charged).toHaveLength(3 * limits.turnRequestsMax - 1)
    later[0]!.onGone()
    await nextTurn()
    expect([later[0]!.done, charged.at(-1), lost]).toEqual([[], 0, [0]])
  })

  it('is written at once where no turn has more than its share, however much time is over', async () => {
    const scene = { nowMs: 0 }
    const { write } = writer(() => scene.nowMs)
    for (let turn = 0; turn < 4; turn += 1) {
      scene.nowMs += 1_000
      for (let count = 0; count <= limits.turnRequestsMax; count += 1) {
        expect(write(new Response(), 1_000).done).not.toEqual([])
      }
      for (let ends = 0; ends < 2; ends += 1) await nextTurn()
    }
  })

  it.each([200, 304])(
    'of status %i that fills a turn is written in the next one',
    async (status) => {
      const scene = { nowMs: 0 }
      const { write } = writer(() => scene.nowMs)
      const reply = () => write(new Response(), 0, { status })
      for (let count = 0; count < limits.turnRequestsMax; count += 1) reply()
      scene.nowMs = limits.turnMsMax
      const written = Array.from({ length: 128 }, reply)
      const isLater = ({ done }: Response) => done.length === 0
      expect(written.filter(isLater)).toHaveLength(1)
      await nextTurn()
      expect(written.filter(isLater)).toEqual([])
    },
  )
})
