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

const scale = '`bench/scale.ts`, 2026-11-22'
const here = '2026-11-26, two threads of one core, other work beside it'
const graph =
  '`bench/graph.ts`, the slope from 5,000,000 to 10,000,000 connections of 100,000 people, 2026-11-26, load of 8 beside it'

export const slopes = {
  file: { value: 846, unit: 'bytes of a snapshot a person', from: `${scale}, 10,000,000 people` },
  texts: {
    value: 489,
    unit: 'bytes of these that are summaries and profiles',
    from: `sections of the snapshot of 100,000 people of \`bench/scale.ts\`, ${here}`,
  },
  lookups: {
    value: 125,
    unit: 'bytes of these that are ready-made items, lists of peers and evidence that stay on disk with the texts',
    from: 'sections of the snapshot of 1,000,000 people of `bench/scale.ts`, 2026-11-26',
  },
  memory: {
    value: 858,
    unit: 'bytes of memory of a service a person',
    from: `${scale}, the slope from 1,000,000 to 10,000,000 people`,
  },
  process: {
    value: 310_000_000,
    unit: 'bytes of memory of a service without people',
    from: `${scale}, the same`,
  },
  swap: {
    value: 2.17,
    unit: 'snapshots in memory while one takes the place of another',
    from: '`bench/swap.ts`, 2026-11-22, 1,000,000 people',
  },
  gzip: {
    value: 0.42,
    unit: 'of the bytes of a snapshot on the network',
    from: `\`gzip -1\` of the snapshot of 100,000 people, ${here}`,
  },
  syncCpu: {
    value: 144,
    unit: 'microseconds of processor time of a sync a person',
    from: `the slope from 30,000 (11.6 s) to 100,000 people (21.7 s), ${here}`,
  },
  syncMemory: {
    value: 1_156,
    unit: 'bytes of memory of a sync a person',
    from: `${scale}, 10,000,000 people`,
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
  redisKey: {
    value: 125,
    unit: 'bytes of Redis a key with an expiry, beside its own bytes and those of its value',
    from: `Redis 7.0.15, 200,000 keys, \`used_memory\`, ${here}`,
  },
  redisKeys: {
    value: 3,
    unit: 'keys a person: two handles and an SDU',
    from: '`bench/library.ts`, 2026-11-22, 1,000,000 people have 2,007,084 handles on platforms',
  },
  redisBytes: {
    value: 834,
    unit: 'bytes of keys and values a person: a summary under each handle, the profile under the SDU, 40 bytes a name of a key',
    from: 'the sections above',
  },
  gibHour: {
    value: 0.0102,
    unit: 'USD for a GiB of memory an hour',
    from: 'm7g.large on demand, 0.0816 USD for 8 GiB (us-east-1, [June 2026](https://www.factualminds.com/blog/amazon-ec2-on-demand-pricing-instance-families-2026/))',
  },
} as const satisfies Record<string, Slope>
