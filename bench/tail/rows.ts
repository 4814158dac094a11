/** The figures of the bench of tails, and the tables that show them. */
import type { PacedMeasured } from '../shared/load/open-loop.ts'
import { type Columns, table } from '../shared/report.ts'

/** The look-ups that are measured. */
export type LookUp = 'match, tail' | 'detail, tail' | 'match, head'

/** The services: with the whole snapshot, with a single Redis, and with a cluster of six. */
export type Store = 'whole' | 'single' | 'cluster'

/** A kind of look-up at a service. Latencies are medians of the rounds, all else is of all rounds. */
export interface TailRow extends Pick<PacedMeasured, 'p50Us' | 'p99Us' | 'p999Us' | 'lateP999Us'> {
  readonly authorities: number
  readonly head: number
  readonly lookUp: LookUp
  readonly store: Store
  /** Requests a second: half of what saturates the service with the cluster. */
  readonly ratePerSecond: number
  readonly failed: number
  /** Answers that are not those of the whole snapshot. */
  readonly wrong: number
  /** Processor time a request, in microseconds: of the service, and of all processes of Redis. */
  readonly serviceUs: number
  readonly redisUs: number
  /** Processor time of a request at the service with the whole snapshot by that of this one: the median of the rounds. */
  readonly headRatio: number
  /** Blocks that Redis was asked for, and times that it read from its connections, for a request. */
  readonly blocks: number
  readonly reads: number
  /** Bytes of memory of all processes of Redis (`used_memory`, copies included) for each person behind the head. */
  readonly redisBytes: number
  /** Latencies of a plain client that asks the same Redis once a request, at the same rate, in the same rounds; 0 for none. */
  readonly plainP50Us: number
  readonly plainP99Us: number
  readonly problems: readonly string[]
}

const columns: Columns<TailRow> = {
  people: ({ authorities }) => authorities.toLocaleString('en'),
  head: ({ head }) => head.toLocaleString('en'),
  'look-up': ({ lookUp }) => lookUp,
  store: ({ store }) => store,
  'rate/s': ({ ratePerSecond }) => ratePerSecond.toFixed(0),
  failed: ({ failed }) => failed,
  wrong: ({ wrong }) => wrong,
  'p50 µs': ({ p50Us }) => p50Us.toFixed(0),
  'p99 µs': ({ p99Us }) => p99Us.toFixed(0),
  'p99.9 µs': ({ p999Us }) => p999Us.toFixed(0),
  'late p99.9 µs': ({ lateP999Us }) => lateP999Us.toFixed(0),
  'GET p50, p99 µs': ({ plainP50Us, plainP99Us }) =>
    plainP99Us === 0 ? '-' : `${plainP50Us.toFixed(0)}, ${plainP99Us.toFixed(0)}`,
  'p99 by GET': ({ p99Us, plainP99Us }) =>
    plainP99Us === 0 ? '-' : (p99Us / plainP99Us).toFixed(2),
  'service µs': ({ serviceUs }) => serviceUs.toFixed(1),
  'whole by it': ({ headRatio }) => headRatio.toFixed(3),
  'Redis µs': ({ redisUs }) => redisUs.toFixed(1),
  'blocks a request': ({ blocks }) => blocks.toFixed(2),
  'reads a request': ({ reads }) => reads.toFixed(2),
  'Redis bytes a person': ({ redisBytes }) => redisBytes.toFixed(0),
}

/** The table of all look-ups at all services. */
export function report(rows: readonly TailRow[]): string[] {
  return table(rows, columns)
}
