/** What nobody means: disks, clocks, threads and processes that fail under load. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'

import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fakeTimeLibrary, fakeTimeVariables } from '../../processes/fake-time.ts'
import type { Attack, Scene } from '../attack.ts'
import { askVictim, untilReady } from '../victim.ts'

/** Whether a command succeeds; what it prints is of no use. */
function succeeds(command: string, ...words: string[]): boolean {
  return spawnSync(command, words, { stdio: 'ignore' }).status === 0
}

/** Tries something in a directory of its own. */
function canDo(trial: (directory: string) => boolean): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'abuse-'))
  try {
    return trial(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const paid = '/api/v1/index?query=rust&limit=1'

/** Waits until what is sold is refused. */
async function untilRefused({ service }: Scene): Promise<void> {
  await service.child.until(async () => (await askVictim(service, '/readyz')).status === 503)
  const { status } = await askVictim(service, paid)
  if (status !== 503) throw new Error(`not ready, and yet answered ${status}`)
}

function mountSmall(directory: string): boolean {
  return succeeds('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory)
}

const fullDisk: Attack = {
  name: 'the disk of the ledger is full',
  allows: 'refusals',
  lack: () => {
    const canMount = canDo((directory) => mountSmall(directory) && succeeds('umount', directory))
    return canMount ? undefined : 'needs root, to mount a small disk'
  },
  prepare: ({ data }) => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', data])
    return {}
  },
  restore: ({ data }) => void succeeds('umount', '-l', data),
  run: async (scene) => {
    const ballast = join(scene.data, 'ballast')
    fillDisk(ballast)
    await untilRefused(scene)
    await sleep(scene.size === 'full' ? 10_000 : 500)
    unlinkSync(ballast)
    await untilReady(scene.service)
    return { seen: '503 until there was room' }
  },
}

/** Writes a file until there is no room for another page. The ledger may take some of it meanwhile. */
function fillDisk(file: string): void {
  const page = Buffer.alloc(4_096)
  const descriptor = openSync(file, 'w')
  try {
    for (;;) writeSync(descriptor, page)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(descriptor)
  }
}

function setImmutable(file: string, isImmutable: boolean): boolean {
  return succeeds('chattr', isImmutable ? '+i' : '-i', file)
}

/** A disk that Linux makes read-only after an error refuses writes to open files, too. */
const readOnlyDisk: Attack = {
  name: 'the ledger cannot be written any more',
  allows: 'refusals',
  lack: () => {
    const canSet = canDo((directory) => {
      const file = join(directory, 'ledger')
      writeFileSync(file, '')
      return setImmutable(file, true) && setImmutable(file, false)
    })
    return canSet ? undefined : 'needs root and chattr +i, to have writes refused'
  },
  restore: ({ data }) => void setImmutable(join(data, 'ledger.db-wal'), false),
  run: async (scene) => {
    const file = join(scene.data, 'ledger.db-wal')
    setImmutable(file, true)
    await untilRefused(scene)
    await sleep(scene.size === 'full' ? 10_000 : 500)
    setImmutable(file, false)
    await untilReady(scene.service)
    return { seen: '503 until it could' }
  },
}

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
    return { seen: isRefused ? 'the other was refused' : 'the other was ended' }
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
    return { seen: 'sold on' }
  },
}

/** A serving thread fails while this is asked of it; another takes its place. */
const deadThread: Attack = {
  name: 'a serving thread dies under load',
  allows: 'cut connections',
  prepare: ({ directory }) => ({
    words: ['--threads', '2'],
    nodeWords: ['--import', resolve('test/support/thread-killer.mjs')],
    variables: { KILL_THREADS: join(directory, 'kill') },
  }),
  run: async ({ service, directory, size }) => {
    const deaths = size === 'full' ? 5 : 1
    for (let death = 1; death <= deaths; death += 1) {
      writeFileSync(join(directory, 'kill.one'), '')
      await service.child.until(async () => {
        const said = await askVictim(service, '/readyz').then(
          (response) => response.json() as Promise<{ thread_deaths: number; ready: boolean }>,
          () => undefined,
        )
        return said?.ready === true && said.thread_deaths === death
      })
      if (size === 'full') await sleep(15_000)
    }
    return { seen: `${deaths} replaced` }
  },
}

/** What has no malice behind it. */
export const accidents: readonly Attack[] = [
  fullDisk,
  readOnlyDisk,
  stopped,
  clockJumps,
  deadThread,
]
