/** Turns of the event loop: one number within a turn, another one after it, also where Node does not count them. */
import { setImmediate as nextCheck } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { LoopTurns } from '../../../src/process/loop-turns.ts'

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
