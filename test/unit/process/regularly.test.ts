/** Repeated work: its moments, what a late thread leaves out, and how it ends. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Regularly } from '../../../src/process/timing/regularly.ts'

/** A time between two of the moments of every task here. */
const startMs = 1_000_037

describe('regular work', () => {
  let nowMs = startMs
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    nowMs = startMs
    vi.spyOn(process, 'hrtime').mockImplementation((() => [
      Math.floor(nowMs / 1_000),
      (nowMs % 1_000) * 1e6,
    ]) as unknown as typeof process.hrtime)
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  function pass(ms: number): void {
    for (let step = 0; step < ms; step += 1) {
      nowMs += 1
      vi.advanceTimersByTime(1)
    }
  }

  it('is done at the multiples of its interval, whenever it began, so that tasks share their moments', () => {
    const moments: [string, number][] = []
    const first = new Regularly(100, () => moments.push(['first', nowMs]))
    pass(20)
    const second = new Regularly(50, () => moments.push(['second', nowMs]))
    pass(150)
    first.stop()
    second.stop()
    expect(moments).toEqual([
      ['first', 1_000_100],
      ['second', 1_000_100],
      ['second', 1_000_150],
      ['first', 1_000_200],
      ['second', 1_000_200],
    ])
  })

  it('says how late it is, and leaves out the moments that a held up thread has missed', () => {
    const late: number[] = []
    const work = new Regularly(50, (lateMs) => late.push(lateMs))
    pass(13)
    // The thread stands still from a moment on, and goes on between two others.
    nowMs += 177
    vi.advanceTimersByTime(50)
    pass(23)
    work.stop()
    expect(late).toEqual([0, 127, 0])
  })

  it('goes on when the work fails, and ends when it is stopped, also by the work', () => {
    let done = 0
    const work = new Regularly(50, () => {
      done += 1
      if (done === 2) work.stop()
      throw new Error('a failure of the work')
    })
    expect(() => pass(13)).toThrow('a failure of the work')
    expect(() => pass(50)).toThrow('a failure of the work')
    pass(500)
    expect(done).toBe(2)
  })
})
