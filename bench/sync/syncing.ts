/**
 * A sync as a process of its own. Phases are those that it reports on stderr, so that a phase which comes or goes
 * in the program does so here.
 */
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Children } from '../../test/support/processes/children.ts'
import { cpuSeconds, residentBytes } from '../../test/support/processes/proc.ts'
import { program } from '../../test/support/processes/service.ts'

export interface Syncing {
  readonly seconds: number
  /** Processor time of all its threads. */
  readonly cpuSeconds: number
  /** Resident memory of all its threads, the most. */
  readonly peakBytes: number
  /** Processor time by phase, from the line that names it to the next such line: threads that run beside a phase count to it. */
  readonly phases: Readonly<Record<string, number>>
}

/** @throws Error when the sync fails. */
export async function syncOf(
  children: Children,
  source: string,
  snapshots: string,
): Promise<Syncing> {
  rmSync(snapshots, { recursive: true, force: true })
  const args = [program, 'sync', '--source', source, '--snapshots', snapshots]
  const startedAt = performance.now()
  const before = cpuSeconds(process.pid).children
  const child = children.start({ name: 'the sync', command: process.execPath, args })
  const phases = new Phases()
  let peakBytes = 0
  const look = () => {
    if (!child.isRunning) return
    const pid = child.process.pid!
    const { peak } = residentBytes(pid)
    // The memory of a process that ends is gone before the process is.
    if (!(peak > 0)) return
    peakBytes = peak
    phases.seen = cpuSeconds(pid).own
  }
  const timer = setInterval(look, lookMs)
  createInterface({ input: child.process.stderr! }).on('line', (line) => {
    const phase = phaseIn(line)
    if (phase === undefined) return
    look()
    phases.begin(phase)
  })
  await child.end()
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1000
  if (child.process.exitCode !== 0) throw new Error(`the sync has failed: ${child.errors}`)
  const cpu = cpuSeconds(process.pid).children - before
  return { seconds, cpuSeconds: cpu, peakBytes, phases: phases.ending(cpu) }
}

const lookMs = 20

const starting = 'starting'

class Phases {
  seen = 0
  readonly #taken = new Map<string, number>()
  #phase = starting
  #since = 0

  begin(phase: string): void {
    const before = this.#taken.get(this.#phase) ?? 0
    this.#taken.set(this.#phase, before + this.seen - this.#since)
    this.#phase = phase
    this.#since = this.seen
  }

  ending(seconds: number): Syncing['phases'] {
    this.seen = seconds
    this.begin('')
    return Object.fromEntries(this.#taken)
  }
}

/** The phase that a line of stderr begins; notes have more than words. */
function phaseIn(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  const { event, level, message } = JSON.parse(line) as Record<string, string>
  const isPhase = event === 'sync' && level === 'info' && /^[a-z ]+$/i.test(message!)
  return isPhase ? message : undefined
}
