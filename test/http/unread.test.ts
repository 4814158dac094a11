/** Answers that are read slowly, or not at all: what waits, and what becomes of it. */
import { describe, expect, it } from 'vitest'
import { UnreadAnswers } from '../../src/http/unread.ts'

/** A connection that takes so many bytes at a time. */
class SlowConnection {
  readonly taken: number[] = []
  isPaused = false
  isClosed = false
  readonly #bytesAtOnce: number
  #total = 0
  #onWritable: (offset: number) => boolean = () => true
  #onAborted = () => {}

  constructor(bytesAtOnce: number) {
    this.#bytesAtOnce = bytesAtOnce
  }

  tryEnd(chunk: Uint8Array, totalBytes: number): [boolean, boolean] {
    this.#total = totalBytes
    this.taken.push(...chunk.subarray(0, this.#bytesAtOnce))
    return [chunk.length <= this.#bytesAtOnce, this.taken.length === totalBytes]
  }

  onWritable(handler: (offset: number) => boolean): void {
    this.#onWritable = handler
  }

  onAborted(handler: () => void): void {
    this.#onAborted = handler
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  close(): void {
    this.isClosed = true
  }

  /** Its other end reads what there is, as often as it takes. */
  readAll(): void {
    while (this.taken.length < this.#total) this.#onWritable(this.taken.length)
  }

  leave(): void {
    this.#onAborted()
  }
}

function watched(bytesMax: number) {
  const seen = { bytes: 0, untaken: 0, over: [] as boolean[] }
  const unread = new UnreadAnswers({
    bytesMax,
    random: () => 0.5,
    onChange: (bytes) => {
      seen.bytes += bytes
    },
    onUntaken: () => {
      seen.untaken += 1
    },
  })
  const onOver = (isTaken: boolean) => void seen.over.push(isTaken)
  return { unread, seen, onOver }
}

const answer = () => Uint8Array.from({ length: 1_000 }, (_, index) => index % 251)

describe('an answer that is offered', () => {
  it('reaches a slow reader whole, whatever becomes of its bytes here', () => {
    const { unread, seen, onOver } = watched(10_000)
    const connection = new SlowConnection(7)
    const body = answer()
    unread.offer(connection, body, onOver)
    expect([connection.isPaused, seen.bytes, seen.over]).toEqual([true, 1_000, []])
    body.fill(255)
    connection.readAll()
    expect(connection.taken).toEqual([...answer()])
    expect([connection.isPaused, seen.bytes, seen.over]).toEqual([false, 0, [true]])
    expect(seen.untaken).toBe(0)
  })

  it('is not taken by who leaves, and waits no longer', () => {
    const { unread, seen, onOver } = watched(10_000)
    const connection = new SlowConnection(7)
    unread.offer(connection, answer(), onOver)
    connection.leave()
    expect(seen).toEqual({ bytes: 0, untaken: 1, over: [false] })
  })

  it('does not wait above the bound: its connection is closed', () => {
    const { unread, seen, onOver } = watched(1_500)
    unread.offer(new SlowConnection(7), answer(), onOver)
    const second = new SlowConnection(7)
    unread.offer(second, answer(), onOver)
    expect(second.isClosed).toBe(true)
    expect(seen).toEqual({ bytes: 1_000, untaken: 1, over: [false] })
  })

  it('is not kept where all of it is taken at once', () => {
    const { unread, seen, onOver } = watched(1_500)
    unread.offer(new SlowConnection(1_000), answer(), onOver)
    expect(seen).toEqual({ bytes: 0, untaken: 0, over: [true] })
  })
})
