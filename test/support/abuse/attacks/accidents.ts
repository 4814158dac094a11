/** What nobody means: a process that is stopped, and a clock that jumps, under load. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fakeTimeLibrary, fakeTimeVariables } from '../../processes/fake-time.ts'
import type { Attack } from '../attack.ts'
import { untilReady } from '../victim.ts'

/** Another service on the same ledger must be refused while the first is only held up. */
const stopped: Attack = {
  name: 'SIGSTOP for 30 s, another service started meanwhile',
  // What was sold before is not on the disk: nothing more is until it is.
  allows: 'refusals',
  run: async ({ service, size, children, data }) => {
    service.child.process.kill('SIGSTOP')
    const words = [resolve('dist/main.js'), 'serve', '--port', '0', '--json', '--data', data]
    const other = children.start({ name: 'another', command: process.execPath, args: words })
    await sleep(size === 'full' ? 30_000 : 2_000)
    const isRefused = !other.isRunning && other.process.exitCode === 1
    const said = other.errors
    await other.stop()
    service.child.process.kill('SIGCONT')
    await untilReady(service)
    if (size === 'full') await sleep(10_000)
    if (size === 'full' && !isRefused) throw new Error(`another service took the ledger: ${said}`)
  },
}

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

export const accidents: readonly Attack[] = [stopped, clockJumps]
