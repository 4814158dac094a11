/** What Linux knows of a process: the memory it holds and the processor time it took. */
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of 10 ms, the unit of /proc/<pid>/stat on every Linux that Node runs on. */
const ticksPerSecond = 100

export function residentBytes(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const bytesOf = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024
  return { now: bytesOf('VmRSS'), peak: bytesOf('VmHWM') }
}

/** Seconds of processor time, to ten milliseconds; `own` is both that a process spent itself. */
interface CpuSeconds {
  readonly user: number
  readonly system: number
  readonly own: number
  readonly children: number
}

/**
 * Seconds of processor time (proc_pid_stat(5)): of a process with all its threads, and of those of
 * its children that have ended. The name in field 2 can hold anything, so fields are counted from
 * its closing bracket.
 */
export function cpuSeconds(pid: number): CpuSeconds {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return {
    user: user / ticksPerSecond,
    system: system / ticksPerSecond,
    own: (user + system) / ticksPerSecond,
    children: (childrenUser + childrenSystem) / ticksPerSecond,
  }
}

/** Seconds that the threads a process has were on a processor, to the nanosecond (schedstat). */
export function workSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const work = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  )
  return work.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e9
}
