/** The intake from a source that is no file: what a sync needs to know of any source is in its seam. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Collector } from '../../../src/indexer/collector.ts'
import { Interner } from '../../../src/memory/interner.ts'
import { Removals } from '../../../src/snapshot/store/removals.ts'
import { Rejects } from '../../../src/source/rejects.ts'
import type { ConnectionRecord } from '../../../src/source/schema.ts'
import type { Batches, ConnectionBatch, Source, SourceEntry } from '../../../src/source/source.ts'
import { BestNames } from '../../../src/sync/best-names.ts'
import {
  type Intake,
  type IntakeCounts,
  rejectProblem,
  takeSource,
} from '../../../src/sync/intake.ts'
import { LeftOut } from '../../../src/sync/removals/removal.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { authority, connection } from '../../support/records.ts'
import { tableAt } from '../../support/table-sections.ts'

const tableRows = tableAt(new URL('intake.tsv', import.meta.url))

async function* inBatches<T>(entries: readonly SourceEntry<T>[]): Batches<T> {
  for (const entry of entries) yield [entry]
}

function rowsOf<T>(table: string, records: readonly T[]): SourceEntry<T>[] {
  return records.map((value, row) => ({
    position: `${table}[id=${(row + 1) * 10}]`,
    raw: JSON.stringify(value),
    value,
  }))
}

/** Connections between SDUs, numbered from 1,000 by twos, and among them one that is none. */
function columnsOf(records: readonly ConnectionRecord[]): ConnectionBatch {
  const sdus = new Interner()
  const from = Uint32Array.from(records, (record) => sdus.intern(record.from))
  const to = Uint32Array.from(records, (record) => sdus.intern(record.to))
  return {
    sdus: sdus.textsFrom(0),
    from,
    to,
    weights: new Float64Array(records.length).fill(1),
    kinds: new Uint8Array(records.length),
    numbers: Uint32Array.from(records, (_, index) => 1_000 + 2 * index),
    others: [{ place: 2, number: 1_003, record: undefined }],
    progress: 1,
  }
}

const connections = [connection('1', '2'), connection('1', '404'), connection('405', '2')]
const noConnection: SourceEntry<ConnectionRecord> = {
  position: 'connections[id=none]',
  raw: '?',
  value: undefined,
  field: 'record',
  reason: 'is none',
}

const [, toNobody, fromNobody] = rowsOf('connections', connections)
const rejected = [toNobody!, noConnection, fromNobody!]
const mark = { source: 'tables', watermark: '7', fingerprint: 'watermark 7' }

/** A table of people and one of connections; `asked` gets the numbers of those wanted once more. */
function tables(
  shown: readonly SourceEntry<ConnectionRecord>[],
  asked: number[] = [],
  isSteady = true,
): Source {
  return {
    name: 'tables',
    lookIntervalMs: 1,
    fingerprint: async () => 'watermark 7',
    stamp: async () => ({ version: '7', extent: '7' }),
    read: async () => ({
      corrections: inBatches([]),
      authorities: inBatches(
        rowsOf('people', [
          authority({ sdu: '1' }),
          authority({ sdu: '2' }),
          authority({ sdu: '1' }),
        ]),
      ),
      topics: inBatches(rowsOf('topics', [{ topic: 'Rust', aliases: ['!'] }])),
      connections: (async function* () {
        yield columnsOf(connections)
      })(),
      connectionsAt: (numbers) => {
        asked.push(...numbers)
        return inBatches(shown)
      },
      fingerprint: () => 'watermark 7',
      isSteady: async () => isSteady,
      mark: () => mark,
      close: () => asked.push(-1),
    }),
  }
}

const progress = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }
const leftOut = new LeftOut(new Removals('0'.repeat(64), []))
const names = new BestNames()
const silent = {
  progress,
  onThreads: false,
  leftOut,
  corrections: [],
  names,
  lookalikes: 'leave-out',
}

describe('the intake from tables', () => {
  it('takes what is right and rejects the rest by the positions that the source gives', async () => {
    const path = join(temporaryDirectory(), 'rejects.ndjson')
    const rejects = new Rejects(path, () => {})
    const collector = new Collector()
    const asked: number[] = []
    const intake = await takeSource(tables(rejected, asked), collector, rejects, silent)
    rejects.close()
    expect(intake).toEqual({
      tallies: {
        corrections: { records: 0, rejects: 0, dangling: 0, leftOutFields: 0 },
        authorities: { records: 3, rejects: 1, dangling: 0, leftOutFields: 0 },
        topics: { records: 1, rejects: 1, dangling: 0, leftOutFields: 0 },
        connections: { records: 4, rejects: 1, dangling: 2, leftOutFields: 0 },
      },
      fingerprint: 'watermark 7',
      mark,
      correctedEnds: new Set(),
    })
    expect(collector.authorities).toBe(2)
    expect(collector.connections.from.length).toBe(1)
    expect(asked).toEqual([1_002, 1_003, 1_004, -1])
    const written = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(written.map((line) => JSON.parse(line).position)).toEqual([
      'people[id=30]',
      'topics[id=10]',
      'connections[id=20]',
      'connections[id=none]',
      'connections[id=30]',
    ])
  })

  it.each([
    [
      'rejected connections are not there any more',
      [noConnection],
      true,
      'the connections were changed while they were read',
    ],
    [
      'what was read was not there at one moment',
      rejected,
      false,
      'tables was changed while it was read',
    ],
  ])('is refused when %s, and ends the reading', async (_, again, isSteady, message) => {
    const rejects = new Rejects(join(temporaryDirectory(), 'rejects.ndjson'), () => {})
    const asked: number[] = []
    const taking = takeSource(tables(again, asked, isSteady), new Collector(), rejects, silent)
    await expect(taking).rejects.toMatchObject({ code: 'source-unreadable', message })
    expect(asked.at(-1)).toBe(-1)
    rejects.close()
  })
})

const fewRejects = {
  ...{ rejectShareMax: 0.01, fileRejectShareMax: 0.1 },
  ...{ leftOutShareMax: 0.25, danglingShareMax: 0.5 },
}

function intakeWith(
  tallies: Partial<Record<keyof Intake['tallies'], Partial<IntakeCounts>>>,
): Intake {
  const tally = (kind: keyof Intake['tallies'], records: number): IntakeCounts => ({
    ...{ records, rejects: 0, dangling: 0, leftOutFields: 0 },
    ...tallies[kind],
  })
  return {
    tallies: {
      corrections: tally('corrections', 0),
      authorities: tally('authorities', 100),
      topics: tally('topics', 10),
      connections: tally('connections', 1_000),
    },
    fingerprint: '',
    mark: undefined,
    correctedEnds: new Set(),
  }
}

describe('what may be rejected', () => {
  it.each(tableRows('what may be rejected'))('%s', (_, tallies, problem) => {
    const found = rejectProblem(intakeWith(JSON.parse(tallies)), fewRejects, false)
    expect(found ?? '').toBe(problem)
  })

  it('is not more fields that are left out, but for the first snapshot', () => {
    const fields = (leftOutFields: number) => intakeWith({ authorities: { leftOutFields } })
    expect(rejectProblem(fields(26), fewRejects, false)).toMatch('26 fields of 100 authorities')
    expect(rejectProblem(fields(260), fewRejects, true)).toBeUndefined()
  })
})
