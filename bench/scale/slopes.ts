/**
 * What was measured of one person, one sync, one key of Redis, and what memory costs: each figure with where it is
 * from. `on-paper.ts` computes from them alone.
 */

/** A measured figure. */
export interface Slope {
  readonly value: number
  readonly unit: string
  /** Which bench or page said so, and when. */
  readonly from: string
}

const scale = '`bench/scale.ts`, 2026-11-27, the slope from 100,000 to 1,000,000 people'
const here = '2026-11-26, two threads of one core, other work beside it'
const graph =
  '`bench/graph.ts`, the slope from 5,000,000 to 10,000,000 connections of 100,000 people, 2026-11-26, load of 8 beside it'

const redisFrom = '`bench/tail.ts`, 2026-11-27, 100,000 people, 10,000 of them in the head'

/**
 * Microseconds of processor time of a sync a person, by phase, in the order of the phases (`bench/scale.ts`, 2026-11-27, the slope from
 * 100,000 to 1,000,000 people).
 */
export const syncPhases: Readonly<Record<string, number>> = {
  'reading authorities': 90.2,
  'reading topics': 0.1,
  'reading connections': 3.4,
  'ranking authorities': 13.3,
  'ranking topics': 33.8,
  'collecting peers': 4.8,
  'making JSON': 11.3,
  'indexing keywords': 1.2,
  checksumming: 0.3,
  writing: 3.3,
  checking: 0.2,
  'writing what changed': 0.4,
}

export const slopes = {
  file: {
    value: 714,
    unit: 'bytes of a snapshot a person',
    from: '`bench/scale.ts`, 2026-11-27, 1,000,000 people',
  },
  memory: { value: 811, unit: 'bytes of memory of a service a person', from: scale },
  memoryDisk: {
    value: 355,
    unit: 'the same with texts on disk',
    from: '`bench/tiers.ts`, 2026-11-27, the slope from 100,000 to 1,000,000 people',
  },
  process: {
    value: 148_000_000,
    unit: 'bytes of memory of a service without people',
    from: scale,
  },
  swap: {
    value: 2.39,
    unit: 'snapshots in memory while one takes the place of another',
    from: '`bench/swap.ts`, 2026-11-27, 1,000,000 people',
  },
  gzip: {
    value: 0.42,
    unit: 'of the bytes of a snapshot on the network',
    from: `\`gzip -1\` of the snapshot of 100,000 people, ${here}`,
  },
  syncCpu: {
    value: Object.values(syncPhases).reduce((sum, each) => sum + each, 0),
    unit: 'microseconds of processor time of a sync a person',
    from: scale,
  },
  syncMemory: {
    value: 1_156,
    unit: 'bytes of memory of a sync a person',
    from: '`bench/scale.ts`, 2026-11-22, 10,000,000 people, format 12',
  },
  edgeMemory: {
    value: 57.7,
    unit: 'bytes of memory of a sync a connection, sorted and ranked in memory',
    from: graph,
  },
  edgeIntakeCpu: {
    value: 0.18,
    unit: 'microseconds of processor time a connection to take it into columns',
    from: graph,
  },
  edgeSortCpu: {
    value: 0.44,
    unit: 'microseconds a connection to sort it into rows',
    from: graph,
  },
  edgeRankCpu: {
    value: 0.57,
    unit: 'microseconds a connection for 20 rounds of PageRank',
    from: graph,
  },
  diskEdgesMemory: {
    value: 486_000_000,
    unit: 'bytes of memory of a process with any number of connections, with `--engine duckdb` and 256 MiB',
    from: '`bench/graph.ts`, 488 MB with 5,000,000 connections and 486 MB with 10,000,000, 2026-11-26, load of 8 beside it',
  },
  diskEdgeIntakeCpu: {
    value: 0.43,
    unit: 'microseconds a connection to take it into the table, with the engine',
    from: graph,
  },
  diskEdgeSortCpu: {
    value: 2.8,
    unit: 'microseconds a connection to sort it into files, with the engine',
    from: graph,
  },
  diskEdgeRankCpu: {
    value: 1.01,
    unit: 'microseconds a connection for 20 rounds of PageRank from files',
    from: graph,
  },
  diskEdge: {
    value: 71.4,
    unit: 'bytes on disk a connection while it is sorted, where three of five endorse both ways',
    from: graph,
  },
  diskEdgeRanked: {
    value: 41.6,
    unit: 'bytes on disk a connection while it is ranked',
    from: graph,
  },
  redis: {
    value: 3_521,
    unit: 'bytes of memory of Redis a person behind the head: blocks of names, people and explanations, one copy',
    from: redisFrom,
  },
  gibHour: {
    value: 0.0102,
    unit: 'USD for a GiB of memory an hour',
    from: 'm7g.large on demand, 0.0816 USD for 8 GiB (us-east-1, [June 2026](https://www.factualminds.com/blog/amazon-ec2-on-demand-pricing-instance-families-2026/))',
  },
} as const satisfies Record<string, Slope>
