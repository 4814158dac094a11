/**
 * The threads of servers that are asked nothing: how often each wakes, and for how long it works. Counts of the
 * system, which hold on a busy machine, too; processor time is longer there.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ThreadActivity, threadActivities } from '../../test/support/processes/proc.ts'
import { table } from '../shared/report.ts'
import { type Target, targetNames } from './targets.ts'

/** A thread of a server, or several, at rest. */
export interface RestRow {
  readonly target: string
  readonly thread: string
  readonly wakesPerSecond: number
  /** Microseconds of processor time a second. */
  readonly workUsPerSecond: number
  /** The most wakes a second that it should have. */
  readonly wanted: string
}

/** Time until what a start leaves to be done is done. */
const settleMs = 3_000

/** The most wakes a second that a thread of the service should have. */
const wantedWakes = { main: '< 20', serving: '< 25', others: '-' } as const

/** Watches the servers that are one process, all at the same time. Empty on a system that does not count. */
export async function watchAtRest(targets: readonly Target[], seconds: number): Promise<RestRow[]> {
  if (!existsSync('/proc/self/schedstat')) return []
  const watched = targets.flatMap(({ kind, pid }) => (pid === undefined ? [] : [{ kind, pid }]))
  await sleep(Math.min(settleMs, seconds * 1_000))
  const before = watched.map(({ pid }) => threadActivities(pid))
  const startedMs = performance.now()
  await sleep(seconds * 1_000)
  const passed = (performance.now() - startedMs) / 1_000
  return watched.flatMap(({ kind, pid }, index) => {
    const rates = ratesOf(before[index]!, threadActivities(pid), passed)
    return rowsOf(targetNames[kind], pid, rates, kind === 'service')
  })
}

/** Wakes and seconds of work a second. */
function ratesOf(
  before: ReadonlyMap<number, ThreadActivity>,
  after: ReadonlyMap<number, ThreadActivity>,
  seconds: number,
): ReadonlyMap<number, ThreadActivity> {
  const rates = [...after].map(([thread, { wakes, workSeconds }]): [number, ThreadActivity] => {
    const { wakes: woken = 0, workSeconds: worked = 0 } = before.get(thread) ?? {}
    return [
      thread,
      { wakes: (wakes - woken) / seconds, workSeconds: (workSeconds - worked) / seconds },
    ]
  })
  return new Map(rates)
}

/** The main thread, which in the ceiling is the one that serves; of the service, the one that wakes most beside it; all others. */
function rowsOf(
  target: string,
  pid: number,
  rates: ReadonlyMap<number, ThreadActivity>,
  isService: boolean,
): RestRow[] {
  const main = rates.get(pid)!
  const others = [...rates].filter(([thread]) => thread !== pid).map(([, rate]) => rate)
  others.sort((a, b) => b.wakes - a.wakes)
  const row = (thread: keyof typeof wantedWakes, ...all: readonly ThreadActivity[]): RestRow => ({
    target,
    thread,
    wakesPerSecond: all.reduce((sum, { wakes }) => sum + wakes, 0),
    workUsPerSecond: all.reduce((sum, { workSeconds }) => sum + workSeconds * 1e6, 0),
    wanted: isService ? wantedWakes[thread] : '-',
  })
  if (!isService) return [row('main', main), row('others', ...others)]
  const [serving, ...left] = others
  return [row('main', main), row('serving', serving!), row('others', ...left)]
}

/** A table of the threads. */
export function restReport(rows: readonly RestRow[]): string[] {
  return table(rows, {
    'at rest': ({ target }) => target,
    thread: ({ thread }) => thread,
    'wakes a second': ({ wakesPerSecond }) => wakesPerSecond.toFixed(1),
    wanted: ({ wanted }) => wanted,
    'processor time a second, µs': ({ workUsPerSecond }) => workUsPerSecond.toFixed(0),
  })
}
