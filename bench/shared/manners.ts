/**
 * The same requests to servers of several manners, by turns in one run: each manner is a server
 * thread of its own, and what is compared is how many requests it answers in a second of work.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Children } from '../../test/support/processes/children.ts'
import { divideCores } from '../../test/support/processes/cores.ts'
import type { WorkerServer } from '../../test/support/processes/worker-server.ts'
import type { BenchSize } from './bench.ts'
import { type Load, type Order, startLoad } from './load/load.ts'
import { type Round, roundsOf } from './rounds.ts'

/** What is asked of whom, and for how long. */
export interface MannerOptions<M extends string> {
  readonly manners: readonly M[]
  readonly start: (manner: M) => WorkerServer
  readonly key: string
  /** A path with its query. */
  readonly target: string
  readonly size: BenchSize
  readonly rounds: number
  /** Of each manner in each round. */
  readonly seconds: number
}

const connections = 64

/** Starts the servers and measures them; they have ended when it returns. */
export async function mannerRounds<M extends string>(
  children: Children,
  { manners, start, key, target, size, rounds, seconds }: MannerOptions<M>,
): Promise<Round<M>[]> {
  const file = join(children.directory, 'targets')
  writeFileSync(file, `${target}\n`)
  const load = startLoad(children, size, divideCores()?.generator)
  const servers = new Map(manners.map((manner) => [manner, start(manner)]))
  const order = { key, file, offset: 0, connections, depth: 1, seconds }
  try {
    return await roundsOf(manners, rounds, (manner) =>
      throughput(servers.get(manner)!, load, order),
    )
  } finally {
    await Promise.all(Array.from(servers.values(), ({ end }) => end()))
  }
}

/**
 * Requests that a server answers in a second of work: of the time that its thread was on a
 * processor, as Linux counts it to the nanosecond, so that it does not matter who else had one
 * meanwhile. Elsewhere in a second that has passed.
 * @throws Error when a request fails.
 */
async function throughput(
  { place }: WorkerServer,
  load: Load,
  order: Omit<Order, 'port'>,
): Promise<number> {
  const { port, work } = await place
  const before = secondsOfWork(work)
  const measured = await load.fire({ ...order, port })
  if (measured.failed > 0) throw new Error(`${measured.failed} requests failed`)
  const seconds = before === undefined ? measured.seconds : secondsOfWork(work)! - before
  return measured.requests / seconds
}

function secondsOfWork(file: string): number | undefined {
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e9 : undefined
}
