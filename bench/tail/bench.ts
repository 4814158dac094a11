/**
 * Look-ups of people behind the head of a snapshot, which a Redis cluster of six processes or a single Redis answers, and
 * of people of the head, beside the same service with the whole snapshot: latencies at half of the load that saturates
 * the service with the cluster, processor time of the service and of Redis a request, and what Redis is asked. All
 * of it runs on this machine. Every answer is compared with that of the whole snapshot.
 */
import { join } from 'node:path'
import { Children } from '../../test/support/processes/children.ts'
import { hasRedis } from '../../test/support/servers/redis-cluster.ts'
import { sizesIn } from '../scale/bench.ts'
import type { Bench, BenchOptions, BenchSize } from '../shared/bench.ts'
import { startLoad } from '../shared/load/load.ts'
import { OpenLoop } from '../shared/load/open-loop.ts'
import { measuredOf, type TailTiming } from './measure.ts'
import { report, type TailRow } from './rows.ts'
import { setScene } from './scene.ts'

/** How much is measured. */
interface Plan extends TailTiming {
  readonly sizes: readonly number[]
}

const plans: Readonly<Record<BenchSize, Plan>> = {
  tiny: { sizes: [300], people: 40, connections: 4, capacitySeconds: 0.3, seconds: 0.4, rounds: 1 },
  full: {
    sizes: [100_000],
    people: 20_000,
    connections: 32,
    capacitySeconds: 3,
    seconds: 5,
    rounds: 5,
  },
}

const root = 'bench/data/scale'

/** The bench, as commands run it. */
export const tailBench: Bench = {
  name: 'tail',
  flags: ['sizes'],
  run: async (options) => {
    const rows = await run(options)
    const problems = rows.flatMap(({ problems: each }) => each)
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** Runs the bench at each size of the plan, or at those that are asked for. @throws Error without Redis. */
export async function run(options: BenchOptions): Promise<TailRow[]> {
  if (!hasRedis()) {
    throw new Error('no Redis: apt-get install --no-install-recommends redis-server')
  }
  const plan = plans[options.size]
  const rows: TailRow[] = []
  for (const people of sizesIn(options.flags?.sizes) ?? plan.sizes) {
    rows.push(...(await rowsAt(people, plan, options)))
  }
  return rows
}

async function rowsAt(authorities: number, plan: Plan, options: BenchOptions): Promise<TailRow[]> {
  const children = new Children(options.signal)
  const directory = join(options.directory ?? root, String(authorities))
  const scene = await setScene(children, authorities, directory, plan.people, options)
  try {
    const load = startLoad(children, options.size, undefined)
    const openLoop = new OpenLoop(children, undefined)
    return await measuredOf(scene, { load, openLoop }, plan, options.report)
  } finally {
    await scene.stop()
    await children.close()
  }
}
