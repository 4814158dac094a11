/**
 * Latencies of a search for two words, a match and a batch of 1,000 handles behind all doors, in a tight loop in this
 * process and at rest, with 300 µs of sleep before each request: the spread of the loop, the median at rest by that of
 * the loop in the same run, and bytes. The service's code is bundled, as it is built. Only ratios of one run compare,
 * and p99.9 of a loaded machine is the machine's: a figure is to be taken on a machine at rest. So that the machine's own
 * part is seen, as many turns of a loop that does nothing but look at the clock stand between the requests.
 */
import { join } from 'node:path'
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { limits } from '../../src/limits.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { Random } from '../../test/support/random.ts'
import { bytesPerCall } from '../shared/allocated.ts'
import type { BenchOptions } from '../shared/bench.ts'
import { bundled } from '../shared/bundled.ts'
import { table } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'
import { drawHandles } from './batches.ts'
import { type Ask, type CutTarget, cutTarget, type doorsOf } from './doors.ts'
import { twoWordsOf } from './requests.ts'

/** A kind of request in both manners; times in microseconds. */
export interface LoopRow {
  readonly name: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  readonly p999Us: number
  /** p99.9 of turns that do nothing for as long as the median request of the warm-up takes. */
  readonly idleP999Us: number
  /** The median at rest. */
  readonly restUs: number
  /** Allocated by a request of the loop, on the mean, behind all requests that were timed. */
  readonly bytes: number
  readonly wanted: string
}

/** How many requests: before, in the loop, at rest, and counted. */
interface LoopPlan {
  readonly warm: number
  readonly loop: number
  readonly rest: number
  readonly counted: number
}

const plans: Readonly<
  Record<BenchOptions['size'], Readonly<Record<'single' | 'batch', LoopPlan>>>
> = {
  tiny: {
    single: { warm: 20, loop: 50, rest: 20, counted: 100 },
    batch: { warm: 2, loop: 10, rest: 10, counted: 50 },
  },
  full: {
    single: { warm: 10_000, loop: 20_000, rest: 2_000, counted: 4_000 },
    batch: { warm: 200, loop: 2_000, rest: 200, counted: 100 },
  },
}

/** The loop and the rest take turns so often. */
const rounds = 10
const restMs = 0.3
const batches = 50

/** One kind: the n-th request, and what is wanted of it. */
interface LoopKind {
  readonly name: string
  readonly plan: LoopPlan
  readonly target: (n: number) => CutTarget
  readonly wanted: string
}

/** Measures all kinds, one after the other. @param served the same snapshot, to draw requests from. */
export async function measureLoops(
  snapshot: Snapshot,
  served: ActiveSnapshot,
  { size, report }: BenchOptions,
): Promise<LoopRow[]> {
  const source = join(import.meta.dirname, 'doors.ts')
  const bundle = await bundled<{ readonly doorsOf: typeof doorsOf }>(source)
  const { counted: ask } = bundle.doorsOf(snapshot)
  return loopKinds(served, plans[size]).map((kind) => {
    report(`tight loops: ${kind.name}`)
    return rowOf(kind, ask)
  })
}

function loopKinds(
  served: ActiveSnapshot,
  { single, batch }: (typeof plans)['full'],
): readonly LoopKind[] {
  const { catalog } = served
  const { authorities } = catalog.counts
  const total = single.warm + single.loop + single.rest + single.counted
  const random = new Random(29, total)
  const order = random.permutation(authorities)
  // No text is asked twice: an answer that was asked before is copied.
  const texts = Array.from({ length: total }, (_, at) =>
    twoWordsOf(catalog, order[at % authorities]!, random),
  )
  const handles = drawHandles(served, batches * limits.batchValuesMax)
  const targets = (paths: readonly string[]) => {
    const cut = paths.map(cutTarget)
    return (n: number) => cut[n % cut.length]!
  }
  const [words, matches] = [texts, handles].map((values) => values.map(encodeURIComponent))
  const bodies = Array.from({ length: batches }, (_, at) => {
    const from = at * limits.batchValuesMax
    const body = Buffer.from(
      JSON.stringify({ handles: handles.slice(from, from + limits.batchValuesMax) }),
    )
    return { path: '/api/v1/match', query: '', body }
  })
  return [
    {
      name: 'two words',
      plan: single,
      target: targets(words!.map((each) => `/api/v1/index?query=${each}`)),
      wanted: 'p99.9 at most 4 times p50, at rest at most 2; 1,000 bytes',
    },
    {
      name: 'match',
      plan: single,
      target: targets(matches!.map((each) => `/api/v1/match?handles=${each}`)),
      wanted: 'p99.9 at most 4 times p50; 200 bytes',
    },
    {
      name: `batch of ${limits.batchValuesMax}`,
      plan: batch,
      target: (n) => bodies[n % batches]!,
      wanted: 'p99.9 at most 4 times p50',
    },
  ]
}

function rowOf({ name, plan, target, wanted }: LoopKind, ask: Ask): LoopRow {
  const { warm, loop, rest, counted } = plan
  let next = 0
  const warmUs = new Float64Array(warm)
  for (; next < warm; next += 1) warmUs[next] = timeOf(ask, target(next), 0)
  // The last half is warm.
  const turnUs = shareOf(warmUs.subarray(warm / 2).sort(), 0.5)
  const loopUs = new Float64Array(loop)
  const idleUs = new Float64Array(loop)
  const restUs = new Float64Array(rest)
  for (let round = 0; round < rounds; round += 1) {
    for (const [timesUs, sleepMs] of [
      [loopUs, 0],
      [restUs, restMs],
    ] as const) {
      const from = Math.floor((timesUs.length * round) / rounds)
      const to = Math.floor((timesUs.length * (round + 1)) / rounds)
      for (let at = from; at < to; at += 1, next += 1) {
        timesUs[at] = timeOf(ask, target(next), sleepMs)
        if (sleepMs === 0) idleUs[at] = timeOf(waitUs, turnUs, 0)
      }
    }
  }
  loopUs.sort()
  return {
    name,
    requests: loop,
    p50Us: shareOf(loopUs, 0.5),
    p99Us: shareOf(loopUs, 0.99),
    p999Us: shareOf(loopUs, 0.999),
    idleP999Us: shareOf(idleUs.sort(), 0.999),
    restUs: shareOf(restUs.sort(), 0.5),
    bytes: bytesPerCall(counted, (index) => ask(target(next + index))),
    wanted,
  }
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/** Microseconds of a request, or of another thing that is done, behind a sleep. */
function timeOf<Given>(make: (given: Given) => unknown, given: Given, sleepMs: number): number {
  if (sleepMs > 0) Atomics.wait(never, 0, 0, sleepMs)
  const startedMs = performance.now()
  make(given)
  return (performance.now() - startedMs) * 1000
}

/** Looks at the clock for so many microseconds. */
function waitUs(us: number): void {
  const endMs = performance.now() + us / 1000
  while (performance.now() < endMs);
}

/** A table of the kinds. */
export function loopsReport(rows: readonly LoopRow[]): string[] {
  return table(rows, {
    'tight loop': ({ name }) => name,
    requests: ({ requests }) => requests,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(2),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(2),
    'p99.9 µs': ({ p999Us }) => p999Us.toFixed(2),
    'p99.9 by p50': ({ p50Us, p999Us }) => (p999Us / p50Us).toFixed(2),
    'idle p99.9 µs': ({ idleP999Us }) => idleP999Us.toFixed(2),
    'at rest p50 µs': ({ restUs }) => restUs.toFixed(2),
    'at rest by loop': ({ p50Us, restUs }) => (restUs / p50Us).toFixed(2),
    bytes: ({ bytes }) => bytes.toFixed(0),
    wanted: ({ wanted }) => wanted,
  })
}
