/**
 * A sync as a process of its own: its time, its memory and its processor time phase by phase. Phases are those that the
 * sync reports on stderr, so that a phase which comes or goes in the program does so here.
 */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Children } from '../../test/support/processes/children.ts'
import { cpuSeconds, openFileBytes, residentBytes } from '../../test/support/processes/proc.ts'
import { program } from '../../test/support/processes/service.ts'

/** What a sync or a part of it took. */
interface Taken {
  readonly seconds: number
  /** Processor time of all its threads. */
  readonly cpuSeconds: number
  /** Resident memory of all its threads, the most. */
  readonly peakBytes: number
  /** Bytes on disk of the files that it had open below the directory of snapshots, the most. */
  readonly diskBytes: number
}

/** What a sync took. */
export interface Syncing extends Taken {
  /** The same by phase, from the line that names it to the next such line: threads that run beside a phase count to it. */
  readonly phases: Readonly<Record<string, Taken>>
}

/** How a sync is run. */
interface SyncOptions {
  /** Whether the snapshots that are there stay, so that it goes on from them. */
  readonly goesOn?: boolean
  /** Further words of its command line. */
  readonly words?: readonly string[]
  /** Is called with the name of each phase. */
  readonly report?: (line: string) => void
}

/** Runs a sync, into a new directory unless it goes on from another, and looks at it while it runs. @throws Error when it fails. */
export async function syncOf(
  children: Children,
  source: string,
  snapshots: string,
  { goesOn = false, words = [], report = () => {} }: SyncOptions = {},
): Promise<Syncing> {
  if (!goesOn) rmSync(snapshots, { recursive: true, force: true })
  const args = [program, 'sync', '--source', source, '--snapshots', snapshots, ...words]
  const before = cpuSeconds(process.pid).children
  const child = children.start({ name: 'the sync', command: process.execPath, args })
  const phases = new Phases()
  let peakBytes = 0
  const look = () => {
    if (!child.isRunning) return
    const pid = child.process.pid!
    const { now, peak } = residentBytes(pid)
    // The memory of a process that ends is gone before the process is.
    if (!(peak > 0)) return
    peakBytes = peak
    phases.see({ cpuSeconds: cpuSeconds(pid).own, resident: now })
  }
  const lookAtDisk = () => {
    if (child.isRunning) phases.seeDisk(openFileBytes(child.process.pid!, resolve(snapshots)))
  }
  const timers = [setInterval(look, lookMs), setInterval(lookAtDisk, lookAtDiskMs)]
  createInterface({ input: child.process.stderr! }).on('line', (line) => {
    const phase = phaseIn(line)
    if (phase === undefined) return
    look()
    lookAtDisk()
    phases.begin(phase)
    report(phase)
  })
  await child.end()
  for (const timer of timers) clearInterval(timer)
  if (child.process.exitCode !== 0) throw new Error(`the sync has failed: ${child.errors}`)
  const cpu = cpuSeconds(process.pid).children - before
  return { ...phases.ending(cpu), cpuSeconds: cpu, peakBytes }
}

const lookMs = 20
const lookAtDiskMs = 200

/** What comes before the first phase. */
const starting = 'starting'

/** What each phase takes, by what is seen of the process meanwhile. */
class Phases {
  readonly #startedAt = performance.now()
  readonly #taken = new Map<string, Taken>()
  #phase = starting
  #since = this.#startedAt
  #cpuSince = 0
  #cpuSeconds = 0
  #peakBytes = 0
  #diskBytes = 0

  see({ cpuSeconds: seconds, resident }: { cpuSeconds: number; resident: number }): void {
    this.#cpuSeconds = seconds
    this.#peakBytes = Math.max(this.#peakBytes, resident)
  }

  seeDisk(bytes: number): void {
    this.#diskBytes = Math.max(this.#diskBytes, bytes)
  }

  begin(phase: string): void {
    const now = performance.now()
    const before = this.#taken.get(this.#phase)
    this.#taken.set(this.#phase, {
      seconds: (before?.seconds ?? 0) + (now - this.#since) / 1000,
      cpuSeconds: (before?.cpuSeconds ?? 0) + this.#cpuSeconds - this.#cpuSince,
      peakBytes: Math.max(before?.peakBytes ?? 0, this.#peakBytes),
      diskBytes: Math.max(before?.diskBytes ?? 0, this.#diskBytes),
    })
    this.#phase = phase
    this.#since = now
    this.#cpuSince = this.#cpuSeconds
    this.#peakBytes = 0
    this.#diskBytes = 0
  }

  /** @param seconds processor time of the whole process. */
  ending(seconds: number): Pick<Syncing, 'phases' | 'seconds' | 'diskBytes'> {
    this.#cpuSeconds = seconds
    this.begin('')
    const phases = Object.fromEntries(this.#taken)
    const diskBytes = Math.max(...Object.values(phases).map((taken) => taken.diskBytes))
    return { phases, diskBytes, seconds: (performance.now() - this.#startedAt) / 1000 }
  }
}

/** The phase that a line of stderr begins; notes have more than words. */
function phaseIn(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  const { event, level, message } = JSON.parse(line) as Record<string, string>
  const isPhase = event === 'sync' && level === 'info' && /^[a-z ]+$/i.test(message!)
  return isPhase ? message : undefined
}
