/** The measurements: what saturates, latencies at half of that, processor time, and what Redis was asked. */
import { execFileSync } from 'node:child_process'
import { workSeconds } from '../../test/support/processes/proc.ts'
import type { Load } from '../shared/load/load.ts'
import type { OpenLoop, PacedMeasured } from '../shared/load/open-loop.ts'
import { median, type Round, roundsOf } from '../shared/rounds.ts'
import type { PlainLatencies } from './plain-client.ts'
import type { LookUp, Store, TailRow } from './rows.ts'
import type { RedisServers, Scene } from './scene.ts'

/** How much is measured. */
export interface TailTiming {
  /** Drawn from the records. */
  readonly people: number
  readonly connections: number
  readonly capacitySeconds: number
  /** Of each round, at a constant rate. */
  readonly seconds: number
  readonly rounds: number
}

const stores: readonly Store[] = ['whole', 'single', 'cluster']
const loadShare = 0.5
/** Above this the generator, not the service, would be measured. */
const ratePerSecondMax = 20_000

/** One run at the constant rate. */
interface Run extends PacedMeasured {
  readonly serviceUs: number
  readonly redisUs: number
  readonly blocks: number
  readonly reads: number
  readonly plain: PlainLatencies
}

/** Measures every kind of look-up at every service, the services by turns. */
export async function measuredOf(
  scene: Scene,
  generators: { readonly load: Load; readonly openLoop: OpenLoop },
  timing: TailTiming,
  report: (line: string) => void,
): Promise<TailRow[]> {
  const rows: TailRow[] = []
  for (const lookUp of Object.keys(scene.asked) as LookUp[]) {
    const capacity = await capacityOf(scene, generators.load, lookUp, timing)
    const ratePerSecond = Math.min(ratePerSecondMax, capacity * loadShare)
    report(`${lookUp}: ${ratePerSecond.toFixed(0)} requests a second, half of what saturates`)
    const runs: Record<Store, Run[]> = { whole: [], single: [], cluster: [] }
    const rounds = await roundsOf(stores, timing.rounds, async (store) => {
      const run = await runOf(scene, generators.openLoop, lookUp, store, timing, ratePerSecond)
      runs[store].push(run)
      return run.serviceUs
    })
    for (const store of stores) {
      rows.push(rowOf(scene, { lookUp, store, ratePerSecond }, runs[store].slice(1), rounds))
    }
  }
  return rows
}

/** Requests a second of the service with the cluster if each connection asks again when it is answered. */
async function capacityOf(
  { asked, services }: Scene,
  load: Load,
  lookUp: LookUp,
  { connections, capacitySeconds: seconds }: TailTiming,
): Promise<number> {
  const { port, key } = services.cluster
  const order = { port, key, file: asked[lookUp].targetsFile, offset: 0, connections, depth: 1 }
  // The first time the code is cold.
  await load.fire({ ...order, seconds })
  const measured = await load.fire({ ...order, seconds })
  if (measured.failed > 0) throw new Error(`${lookUp}: ${measured.failed} failed at full load`)
  return measured.requests / measured.seconds
}

async function runOf(
  { asked, services, redis, plain }: Scene,
  openLoop: OpenLoop,
  lookUp: LookUp,
  store: Store,
  { connections, seconds }: TailTiming,
  ratePerSecond: number,
): Promise<Run> {
  const { child, port, key } = services[store]
  const { targetsFile: file, expectationsFile: expectations } = asked[lookUp]
  const look = () => ({
    service: workSeconds(child.process.pid!),
    redis: redis[store].pids.reduce((sum, pid) => sum + workSeconds(pid), 0),
    ...countsOf(redis[store]),
  })
  const before = look()
  const paced = { port, key, file, expectations, offset: 0, ratePerSecond, seconds, connections }
  // A connection ends where a request comes behind one that waits.
  const measured = await openLoop.fire({ ...paced, waitingMax: 1 })
  const after = look()
  const isOfTail = lookUp !== 'match, head'
  const plainOf = isOfTail && store !== 'whole' ? plain[store] : undefined
  const aRequest = (name: keyof typeof before) => (after[name] - before[name]) / measured.requests
  return {
    ...measured,
    serviceUs: aRequest('service') * 1e6,
    redisUs: aRequest('redis') * 1e6,
    blocks: aRequest('blocks'),
    reads: aRequest('reads'),
    plain: (await plainOf?.fire(ratePerSecond, seconds)) ?? { p50Us: 0, p99Us: 0 },
  }
}

/** What servers say of themselves: keys that they were asked for, reads from their connections, and bytes that they hold. */
function countsOf({ ports }: RedisServers) {
  const counts = { blocks: 0, reads: 0, bytes: 0 }
  for (const port of ports) {
    const text = execFileSync('redis-cli', ['-p', String(port), 'info', 'all']).toString()
    const countOf = (name: string) =>
      Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0)
    counts.blocks += countOf('keyspace_hits') + countOf('keyspace_misses')
    counts.reads += countOf('total_reads_processed')
    counts.bytes += countOf('used_memory')
  }
  return counts
}

function rowOf(
  { authorities, head, redis }: Scene,
  kind: Pick<TailRow, 'lookUp' | 'store' | 'ratePerSecond'>,
  runs: readonly Run[],
  rounds: readonly Round<Store>[],
): TailRow {
  const medianOf = (figure: (run: Run) => number) => median(runs.map(figure))
  const sumOf = (figure: (run: Run) => number) => runs.reduce((sum, run) => sum + figure(run), 0)
  return {
    ...{ authorities, head, ...kind },
    failed: sumOf(({ failed }) => failed),
    wrong: sumOf(({ mixed }) => mixed),
    p50Us: medianOf(({ p50Us }) => p50Us),
    p99Us: medianOf(({ p99Us }) => p99Us),
    p999Us: medianOf(({ p999Us }) => p999Us),
    lateP999Us: medianOf(({ lateP999Us }) => lateP999Us),
    serviceUs: medianOf(({ serviceUs }) => serviceUs),
    redisUs: medianOf(({ redisUs }) => redisUs),
    headRatio: median(rounds.map((round) => round.whole / round[kind.store])),
    blocks: medianOf(({ blocks }) => blocks),
    reads: medianOf(({ reads }) => reads),
    redisBytes: countsOf(redis[kind.store]).bytes / (authorities - head),
    plainP50Us: medianOf(({ plain }) => plain.p50Us),
    plainP99Us: medianOf(({ plain }) => plain.p99Us),
    problems: runs.flatMap(({ problems }) => problems),
  }
}
