/**
 * Load: connections that ask for the paths of a file, each as soon as its last request is answered. By wrk where
 * it is installed, since it needs less time for a request than the servers do; else, and in a tiny run, by
 * autocannon.
 */

import { type Child, type Children, findProgram } from '../../../test/support/processes/children.ts'
import type { BenchSize } from '../bench.ts'

export interface Order {
  readonly port: number
  readonly key: string
  /** One path a line; the last one is followed by the first. */
  readonly file: string
  readonly offset: number
  readonly connections: number
  readonly seconds: number
}

/**
 * Latencies are from sending to the answer; those of wrk, corrected for coordinated omission, are rather longer
 * than shorter.
 */
export interface Measured {
  readonly requests: number
  readonly seconds: number
  /** Requests and connections that failed, and answers other than 200. */
  readonly failed: number
  readonly p50Us: number
  readonly p99Us: number
  readonly p999Us: number
}

export interface Load {
  readonly name: 'wrk' | 'autocannon'
  readonly fire: (order: Order) => Promise<Measured>
}

export function startLoad(children: Children, size: BenchSize, cores: string | undefined): Load {
  const wrk = size === 'full' ? findProgram('wrk') : undefined
  if (wrk !== undefined) return wrkLoad(wrk, children, cores)
  const file = new URL('./autocannon-program.ts', import.meta.url)
  const generator = children.startScript('autocannon', file, [], cores)
  return { name: 'autocannon', fire: (order) => generator.ask<Measured>(order) }
}

function wrkLoad(wrk: string, children: Children, cores: string | undefined): Load {
  const script = new URL('./load.lua', import.meta.url).pathname
  const fire: Load['fire'] = async (order) => {
    const args = [...wrkOptions(order), '--script', script, `http://127.0.0.1:${order.port}`]
    const { key, file, offset } = order
    args.push('--', key, file, String(offset))
    const child = children.start({ name: 'wrk', command: wrk, args, cores })
    await child.end()
    return JSON.parse(lastLine(child)) as Measured
  }
  return { name: 'wrk', fire }
}

function wrkOptions({ connections, seconds }: Order): string[] {
  // A search by an alternative may take seconds; by itself wrk counts those above two as failed.
  return ['--threads=1', `--connections=${connections}`, `--duration=${seconds}s`, '--timeout=30s']
}

function lastLine(wrk: Child): string {
  const line = wrk.output.trimEnd().split('\n').at(-1) ?? ''
  if (line.startsWith('{')) return line
  throw new Error(`wrk has failed: ${wrk.errors || wrk.output}`)
}
