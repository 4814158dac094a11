import { describe, expect, it } from 'vitest'
import { switchTimeMs } from '../../../../src/sync/remote/activation.ts'

const second = 1_000
const hour = 3_600_000

describe('the time to switch', () => {
  it('is so long after the announcement, whenever it was read', () => {
    const announcedAtMs = 50_000
    const clocks = { writtenAtMs: 50_000, readAtMs: 58_000, readHereAtMs: 58_400 }
    expect(switchTimeMs({ announcedAtMs, ...clocks }, 30 * second)).toBe(80_000)
  })

  it('is the same moment on a node whose clock is an hour off, told by its own clock', () => {
    const announcement = { announcedAtMs: 50_000, writtenAtMs: 50_000, readAtMs: 58_000 }
    const ahead = { ...announcement, readHereAtMs: 58_000 + hour }
    const behind = { ...announcement, readHereAtMs: 58_000 - hour }
    expect(switchTimeMs(ahead, 30 * second)).toBe(80_000 + hour)
    expect(switchTimeMs(behind, 30 * second)).toBe(80_000 - hour)
  })

  it('follows the clock of the store where that of the publisher is off', () => {
    const clocks = { writtenAtMs: 50_000, readAtMs: 58_000, readHereAtMs: 58_000 }
    expect(switchTimeMs({ announcedAtMs: 50_000 + hour, ...clocks }, second)).toBe(51_000)
  })

  it('follows their own clocks where the store tells no time', () => {
    const clocks = { writtenAtMs: undefined, readAtMs: undefined, readHereAtMs: 58_000 }
    expect(switchTimeMs({ announcedAtMs: 50_000, ...clocks }, second)).toBe(51_000)
  })
})
