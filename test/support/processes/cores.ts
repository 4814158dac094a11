/**
 * What answers has one core for itself, what asks has the others; and how busy the answering core was, which tells
 * whether a figure is the server's or the generator's.
 */
import { existsSync, readFileSync } from 'node:fs'
import { findProgram } from './children.ts'

/** Core numbers as taskset wants them. */
export interface Cores {
  readonly server: string
  readonly generator: string
}

/** One core for the server and the rest for the generator; undefined where that cannot be. */
export function divideCores(): Cores | undefined {
  const status = '/proc/self/status'
  if (!existsSync(status) || findProgram('taskset') === undefined) return undefined
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(status, 'utf8'))?.[1] ?? ''
  const [server, ...rest] = coresOf(list)
  if (server === undefined || rest.length === 0) return undefined
  return { server: String(server), generator: rest.join(',') }
}

/** `0-2,5` → 0, 1, 2, 5. */
function coresOf(list: string): number[] {
  return list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, step) => first + step)
  })
}

/** Clock ticks of 10 ms, the unit of /proc/stat on every Linux that Node runs on. */
const ticksPerSecond = 100

export function busySeconds(core: string): number {
  const line = new RegExp(`^cpu${core} (.+)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1]
  if (line === undefined) throw new Error(`/proc/stat knows no core ${core}`)
  const [user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0] = line
    .split(' ')
    .map(Number)
  return (user + nice + system + interrupt + softInterrupt) / ticksPerSecond
}
