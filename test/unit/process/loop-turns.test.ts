/**
 * Turns of the event loop: one number within a turn, another one after it, also where Node does not count them; a
 * turn is full when its share of requests and of time is used up.
 */
import { setImmediate as nextCheck } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FullTurns, LoopTurns } from '../../../src/process/loop-turns.ts'

describe.each([
  ['by the count of the loop', undefined],
  ['where Node tells no count', {}],
])('a turn, %s', (_, timing) => {
  it('has one number until it ends, and another one afterwards', async () => {
    const turns = new LoopTurns(timing)
    await nextCheck()
    const first = turns.current()
    await Promise.resolve()
    expect(turns.current()).toBe(first)
    await nextCheck()
    await nextCheck()
    expect(turns.current()).not.toBe(first)
  })
})

describe('a turn is full', () => {
  /** Counts requests of turns; returns the number of those that found their turn full. */
  function counted() {
    const scene = { turn: 1, nowMs: 0 }
    const turns = { current: () => scene.turn }
    const full = new FullTurns({ requests: 1_000, ms: 50 }, turns, () => scene.nowMs)
    const take = (requests: number) => {
      let found = 0
      for (let count = 0; count < requests; count += 1) if (full.isFull()) found += 1
      return found
    }
    return { scene, take }
  }

  it('when as many requests and as much time are used up, and again after as many more', () => {
    const { scene, take } = counted()
    expect(take(1_000)).toBe(0)
    scene.nowMs = 50
    expect(take(128)).toBe(1)
    expect(take(900)).toBe(0)
    scene.nowMs = 100
    expect(take(228)).toBe(1)
  })

  it('neither by requests alone nor by time alone', () => {
    const { scene, take } = counted()
    expect(take(100_000)).toBe(0)
    scene.turn = 2
    expect(take(900)).toBe(0)
    scene.nowMs = 10_000
    expect(take(50)).toBe(0)
  })

  it('by the requests of no other turn', () => {
    const { scene, take } = counted()
    for (let turn = 1; turn < 200; turn += 1) {
      scene.turn = turn
      scene.nowMs += 1_000
      expect(take(1_000)).toBe(0)
    }
  })
})
