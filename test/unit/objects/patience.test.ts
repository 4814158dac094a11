import { describe, expect, it } from 'vitest'
import { BackOff, Pace } from '../../../src/objects/patience.ts'

describe('waiting after failures', () => {
  it('doubles up to a minute, never in step with others', () => {
    const least = new BackOff(() => 0)
    const most = new BackOff(() => 0.999_999)
    const waits = Array.from({ length: 9 }, () => [least.nextMs(), Math.round(most.nextMs())])
    expect(waits).toEqual([
      [250, 500],
      [500, 1_000],
      [1_000, 2_000],
      [2_000, 4_000],
      [4_000, 8_000],
      [8_000, 16_000],
      [16_000, 32_000],
      [30_000, 60_000],
      [30_000, 60_000],
    ])
  })

  it('begins anew after a success', () => {
    const backOff = new BackOff(() => 0)
    backOff.nextMs()
    backOff.nextMs()
    backOff.reset()
    expect([backOff.nextMs(), backOff.failures]).toEqual([250, 1])
  })
})

describe('a pace', () => {
  function paceOf(bytesPerSecond: number) {
    let now = 10_000
    const slept: number[] = []
    const sleep = async (milliseconds: number) => {
      slept.push(milliseconds)
      now += milliseconds
    }
    const pace = new Pace(bytesPerSecond, () => now, sleep)
    return { pace, slept, after: (milliseconds: number) => (now += milliseconds) }
  }

  it('lets so many bytes a second, and no more', async () => {
    const { pace, slept } = paceOf(1_000)
    for (let piece = 0; piece < 20; piece += 1) await pace.take(500)
    // The first second is free.
    expect(slept.reduce((sum, each) => sum + each, 0)).toBe(9_000)
  })

  it('saves up no more than a second', async () => {
    const { pace, slept, after } = paceOf(1_000)
    after(3_600_000)
    await pace.take(1_000)
    await pace.take(1_000)
    expect(slept).toEqual([1_000])
  })

  it('of 0 is none', async () => {
    const { pace, slept } = paceOf(0)
    await pace.take(1e12)
    expect(slept).toEqual([])
  })
})
