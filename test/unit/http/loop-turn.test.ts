/** The present turn of the event loop: its bytes until it ends, and when its share of requests and time is used up. */
import { setImmediate as nextCheck } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LoopTurn } from '../../../src/http/loop-turn.ts'
import { corkBytes } from '../../../src/http/unread.ts'
import { limits } from '../../../src/limits.ts'

const bytesUntilEnd = corkBytes / 2
const { turnRequestsMax: requestsMax, turnMsMax: msMax } = limits

/** A turn whose end is awaited, and a clock; `take` counts requests, and returns how often the turn was full. */
function begun() {
  const scene = { nowMs: 0 }
  const turn = new LoopTurn(() => scene.nowMs)
  const begin = () => turn.add(bytesUntilEnd + 1)
  const take = (requests: number) => {
    let found = 0
    for (let count = 0; count < requests; count += 1) if (turn.isFull()) found += 1
    return found
  }
  begin()
  return { scene, turn, begin, take }
}

describe('the bytes of a turn', () => {
  it('add up until it ends', async () => {
    const { turn } = begun()
    expect(turn.add(10)).toBe(bytesUntilEnd + 11)
    expect(turn.add(10)).toBe(bytesUntilEnd + 21)
    await nextCheck()
    await nextCheck()
    expect(turn.add(10)).toBe(10)
  })

  it('are those of several turns while they are few', async () => {
    const { turn } = begun()
    await nextCheck()
    await nextCheck()
    turn.add(bytesUntilEnd / 2)
    await nextCheck()
    await nextCheck()
    expect(turn.add(bytesUntilEnd / 2)).toBe(bytesUntilEnd)
  })
})

describe('a turn is full', () => {
  it('when more requests than its share and as much time are used up, and again after as many more', () => {
    const { scene, take } = begun()
    expect(take(requestsMax)).toBe(0)
    scene.nowMs = msMax
    expect(take(1)).toBe(1)
    expect(take(requestsMax)).toBe(0)
    scene.nowMs = 2 * msMax
    expect(take(1)).toBe(1)
  })

  it('neither by requests alone nor by time alone', () => {
    const { scene, take } = begun()
    expect(take(100_000)).toBe(0)
    scene.nowMs = msMax
    expect(take(1)).toBe(1)
    scene.nowMs = 10_000
    expect(take(requestsMax)).toBe(0)
  })

  it('by the requests of no other turn', async () => {
    const { scene, begin, take } = begun()
    for (let turn = 1; turn < 10; turn += 1) {
      scene.nowMs += 1_000
      expect(take(requestsMax)).toBe(0)
      await nextCheck()
      await nextCheck()
      begin()
    }
  })
})
