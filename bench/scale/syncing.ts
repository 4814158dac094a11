/**
 * A sync as a process of its own: its time, its memory and its processor time phase by phase. Phases are those that the
 * sync reports on stderr, so that a phase which comes or goes in the program does so here.
 */
import { rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Child, Children } from '../../test/support/processes/children.ts'
import { cpuSeconds, residentBytes } from '../../test/support/processes/proc.ts'
import { program } from '../../test/support/processes/service.ts'

/** What a sync took. */
export interface Syncing {
  readonly seconds: number
  /** Processor time of all its threads. */
  readonly cpuSeconds: number
  /** The same by phase, from the line that names it to the next such line: threads that run beside a phase count to it. */
  readonly phases: Readonly<Record<string, number>>
  /** Resident memory of all its threads, the most. */
  readonly peakBytes: number
}

/** Runs a sync into a new directory, and looks at it while it runs. @throws Error when it fails. */
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
  let peakBytes = 0
  let soFar = 0
  const look = () => {
    if (!child.isRunning) return
    const { peak } = residentBytes(child.process.pid!)
    if (peak > 0) peakBytes = peak
    soFar = cpuSeconds(child.process.pid!).own
  }
  const timer = setInterval(look, lookMs)
  const phases = phasesOf(child, () => {
    look()
    return soFar
  })
  await child.end()
  clearInterval(timer)
  const seconds = (performance.now() - startedAt) / 1000
  if (child.process.exitCode !== 0) throw new Error(`the sync has failed: ${child.errors}`)
  const cpu = cpuSeconds(process.pid).children - before
  return { seconds, cpuSeconds: cpu, phases: phases.ending(cpu), peakBytes }
}

const lookMs = 20

/** What comes before the first phase. */
const starting = 'starting'

/** Processor time by phase. @param now the seconds of the process by now. */
function phasesOf(child: Child, now: () => number) {
  const took = new Map<string, number>()
  let [phase, since] = [starting, 0]
  const begin = (next: string, at: number) => {
    took.set(phase, (took.get(phase) ?? 0) + at - since)
    phase = next
    since = at
  }
  createInterface({ input: child.process.stderr! }).on('line', (line) => {
    const next = phaseIn(line)
    if (next !== undefined) begin(next, now())
  })
  return {
    ending: (seconds: number): Record<string, number> => {
      begin('', seconds)
      return Object.fromEntries(took)
    },
  }
}

/** The phase that a line of stderr begins; notes have more than words. */
function phaseIn(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined
  const { event, level, message } = JSON.parse(line) as Record<string, string>
  const isPhase = event === 'sync' && level === 'info' && /^[a-z ]+$/i.test(message!)
  return isPhase ? message : undefined
}
