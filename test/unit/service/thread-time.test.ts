/** The clock of a thread's own work. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { threadClock } from '../../../src/service/thread-time.ts'
import { temporaryDirectory } from '../../support/built.ts'

function fileOf(text: string): string {
  const file = join(temporaryDirectory(), 'schedstat')
  writeFileSync(file, text)
  return file
}

describe('the clock of a thread', () => {
  it('counts nanoseconds on a processor, in milliseconds', () => {
    const file = fileOf('2500000 70000000 12\n')
    const clock = threadClock(file)
    expect(clock()).toBe(2.5)
    writeFileSync(file, '4000000 90000000 13\n')
    expect(clock()).toBe(4)
  })

  it.skipIf(process.platform !== 'linux')('goes on with work, and not with waiting', async () => {
    const clock = threadClock()
    const startedMs = clock()
    const slept = performance.now()
    await sleep(200)
    const sleptMs = performance.now() - slept
    expect(clock() - startedMs).toBeLessThan(sleptMs)
    const beforeMs = clock()
    while (clock() === beforeMs);
    expect(clock()).toBeGreaterThan(beforeMs)
  })

  it('is the wall clock where the system tells nothing', () => {
    for (const file of [fileOf('0 0 0\n'), fileOf('none'), join(temporaryDirectory(), 'absent')]) {
      const clock = threadClock(file)
      const before = performance.now()
      expect(clock()).toBeGreaterThanOrEqual(before)
      expect(clock()).toBeLessThanOrEqual(performance.now())
    }
  })
})
