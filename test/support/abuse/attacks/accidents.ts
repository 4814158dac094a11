/** What nobody means: a clock that jumps, under load. That a stopped process keeps its lock: `test/unit/process/lock.test.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fakeTimeLibrary, fakeTimeVariables } from '../../processes/fake-time.ts'
import type { Attack } from '../attack.ts'
import { untilReady } from '../victim.ts'

const jumps = ['+1h', '-2h', '+30d', '-1d', '+0'] as const

/** The clock of the day jumps; that which only counts on goes on, as it does when one is set. */
const clockJumps: Attack = {
  name: 'clock jumps: +1 h, -2 h, +30 d, -1 d',
  lack: () => (fakeTimeLibrary() === undefined ? 'needs the package faketime' : undefined),
  prepare: ({ directory }) => {
    writeFileSync(join(directory, 'time'), '+0\n')
    return { variables: fakeTimeVariables(join(directory, 'time')) }
  },
  run: async ({ service, directory, size }) => {
    for (const jump of jumps) {
      writeFileSync(join(directory, 'time'), `${jump}\n`)
      await sleep(size === 'full' ? 5_000 : 1_500)
      await untilReady(service)
    }
  },
}

export const accidents: readonly Attack[] = [clockJumps]
