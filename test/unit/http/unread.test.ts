/** Answers that are read slowly, or not at all: what waits, and what becomes of it. */
import { describe, expect, it } from 'vitest'
import { UnreadAnswers } from '../../../src/http/unread.ts'
import type { HttpResponse } from '../../../src/http/wire-library.ts'

/** A connection that takes so many bytes at a time, whenever it takes any. */
class SlowConnection {
  readonly taken: number[] = []
  isClosed = false
  bytesAtOnce: number
  #total = 0
  #onWritable: (offset: number) => boolean = () => true
  #onAborted = () => {}

  constructor(bytesAtOnce: number) {
    this.bytesAtOnce = bytesAtOnce
  }

  tryEnd(chunk: Uint8Array, totalBytes: number): [boolean, boolean] {
    this.#total = totalBytes
    this.taken.push(...chunk.subarray(0, this.bytesAtOnce))
    return [chunk.length <= this.bytesAtOnce, this.taken.length === totalBytes]
  }

  getWriteOffset(): number {
    return this.taken.length
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#onWritable = handler
  }

  onAborted(handler: () => void): void {
    this.#onAborted = handler
  }

  cork(write: () => void): void {
    write()
  }

  close(): void {
    this.isClosed = true
    this.#onAborted()
  }

  readAll(): void {
    while (this.taken.length < this.#total) this.#onWritable(this.taken.length)
  }

  leave(): void {
    this.#onAborted()
  }
}

const wireOf = (connection: SlowConnection) => connection as unknown as HttpResponse

function watched(bytesMax: number) {
  /** `over` has for each answer that is over the bytes that were taken of it; undefined for all. */
  const seen = { bytes: 0, untaken: 0, over: [] as (number | undefined)[] }
  const time = { nowMs: 0 }
  const unread = new UnreadAnswers({
    bytesMax,
    random: () => 0.5,
    clock: () => time.nowMs,
    onChange: (bytes) => {
      seen.bytes += bytes
    },
    onUntaken: () => {
      seen.untaken += 1
    },
  })
  const onOver = (part?: Uint8Array) => void seen.over.push(part?.length)
  const offer = (connection: SlowConnection, body: Uint8Array, then = onOver) => {
    connection.tryEnd(body, body.length)
    unread.keepRest(wireOf(connection), body, then, true)
  }
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second += 1) {
      time.nowMs += 1_000
      unread.sweep()
    }
  }
  return { unread, seen, onOver, offer, pass }
}

const answer = (bytes = 1_000) => Uint8Array.from({ length: bytes }, (_, index) => index % 251)

describe('an answer that is offered', () => {
  it.each([
    ['an array', answer()],
    ['a Buffer', Buffer.from(answer())],
  ])('of %s reaches a slow reader whole, whatever becomes of its bytes here', (_, body) => {
    const { seen, offer } = watched(10_000)
    const connection = new SlowConnection(7)
    offer(connection, body)
    expect(seen).toEqual({ bytes: 1_000, untaken: 0, over: [] })
    body.fill(255)
    connection.readAll()
    expect(connection.taken).toEqual([...answer()])
    expect(seen).toEqual({ bytes: 0, untaken: 0, over: [undefined] })
  })

  it('waits no longer when its connection ends: what was taken is known, whatever became of its bytes here', () => {
    const { seen, offer } = watched(10_000)
    const connection = new SlowConnection(250)
    const body = answer()
    const parts: (Uint8Array | undefined)[] = []
    offer(connection, body, (part) => void parts.push(part))
    body.fill(255)
    connection.leave()
    expect(parts).toEqual([answer().subarray(0, 250)])
    expect(seen).toMatchObject({ bytes: 0, untaken: 1 })
  })

  it('does not wait above the bound: its connection is closed', () => {
    const { seen, offer } = watched(1_500)
    offer(new SlowConnection(10), answer())
    const second = new SlowConnection(10)
    offer(second, answer())
    expect(second.isClosed).toBe(true)
    expect(seen).toEqual({ bytes: 1_000, untaken: 1, over: [10] })
  })

  it('ends its connection where its head may be lost and nothing of it is taken at once', () => {
    const { unread, seen, onOver } = watched(10_000)
    const [begun, deaf] = [new SlowConnection(500), new SlowConnection(0)]
    for (const each of [begun, deaf]) {
      each.tryEnd(answer(), 1_000)
      unread.keepRest(wireOf(each), answer(), onOver, false)
    }
    expect([begun.isClosed, deaf.isClosed]).toEqual([false, true])
    expect(seen).toEqual({ bytes: 1_000, untaken: 1, over: [0] })
  })

  it('ends a connection that takes nothing for ten seconds, whatever the library does', () => {
    const { seen, offer, pass } = watched(100_000)
    const connection = new SlowConnection(0)
    offer(connection, answer(40_000))
    pass(9)
    expect(connection.isClosed).toBe(false)
    pass(1)
    expect(connection.isClosed).toBe(true)
    expect(seen).toEqual({ bytes: 0, untaken: 1, over: [0] })
  })

  it('arrives whole where only the sweeps find out that the connection takes more', () => {
    const { seen, offer, pass } = watched(100_000)
    const connection = new SlowConnection(100)
    offer(connection, answer(20_000))
    pass(60)
    expect([connection.isClosed, seen.over]).toEqual([false, []])
    expect(connection.taken.length).toBeGreaterThan(3_000)
    connection.readAll()
    expect(connection.taken).toEqual([...answer(20_000)])
    expect(seen).toEqual({ bytes: 0, untaken: 0, over: [undefined] })
  })
})
