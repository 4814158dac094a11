/**
 * Full and incremental syncs of the same changed people by turns, each a process of its own: processor time of all
 * threads, and their ratio. Both begin with the snapshot of the people before the change. Connections are the same, or
 * those of the changed people are of another kind. The snapshots of both must have the same bytes.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathOf, readPointer } from '../../src/snapshot/store/directory.ts'
import { Children } from '../../test/support/processes/children.ts'
import { cpuSeconds } from '../../test/support/processes/proc.ts'
import { program } from '../../test/support/processes/service.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { generate } from '../shared/data/source.ts'
import { table } from '../shared/report.ts'

/** What a round took, seconds of processor time. */
interface Round {
  readonly full: number
  readonly incremental: number
}

interface IncrementalRow {
  readonly people: number
  readonly connections: 'the same' | 'changed, too'
  readonly rounds: readonly Round[]
  readonly keptBytes: number
  readonly isSame: boolean
}

const plans = {
  tiny: { people: 300, rounds: 1 },
  full: { people: 100_000, rounds: 3 },
} as const

const changedEvery = 100

/** The bench, as commands run it. */
export const incrementalBench: Bench = {
  name: 'incremental',
  flags: ['people', 'rounds'],
  run: async (options) => {
    const rows = await run(options)
    const problems = rows
      .filter(({ isSame }) => !isSame)
      .map(({ connections }) => `connections ${connections}: the snapshots differ`)
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** Runs all rounds, of unchanged and of changed connections. */
export async function run({
  size,
  flags,
  signal,
  report,
}: BenchOptions): Promise<IncrementalRow[]> {
  const people = Number(flags?.people ?? plans[size].people)
  const rounds = Number(flags?.rounds ?? plans[size].rounds)
  const directory = mkdtempSync(join(tmpdir(), 'bench-incremental-'))
  const children = new Children(signal)
  try {
    report(`${people} people`)
    const source = join(directory, 'source')
    generate({ authorities: people, directory: source, connectionsPer: 5, bioWordsMax: 8 })
    const before = join(directory, 'before')
    await sync(children, source, before, ['--incremental'])
    const rows: IncrementalRow[] = []
    for (const connections of ['the same', 'changed, too'] as const) {
      report(`connections ${connections}`)
      const changed = join(directory, 'changed')
      change(source, changed, connections === 'changed, too')
      const taken = await roundsOf(children, { directory, before, changed }, rounds)
      rows.push({ people, connections, keptBytes: statSync(join(before, 'KEPT')).size, ...taken })
    }
    return rows
  } finally {
    await children.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

interface Places {
  readonly directory: string
  /** Snapshots of the people before the change, with what their sync kept. */
  readonly before: string
  /** The source with the change. */
  readonly changed: string
}

async function roundsOf(children: Children, { directory, before, changed }: Places, count: number) {
  const rounds: Round[] = []
  let isSame = true
  for (let round = 0; round < count; round += 1) {
    const syncedBy = async (name: string, more: readonly string[]) => {
      const snapshots = join(directory, name)
      rmSync(snapshots, { recursive: true, force: true })
      cpSync(before, snapshots, { recursive: true })
      const seconds = await sync(children, changed, snapshots, more)
      const bytes = readFileSync(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!))
      return { seconds, bytes }
    }
    const full = await syncedBy('full', [])
    const incremental = await syncedBy('incremental', ['--incremental'])
    isSame &&= full.bytes.equals(incremental.bytes)
    rounds.push({ full: full.seconds, incremental: incremental.seconds })
  }
  return { rounds, isSame }
}

/** Processor time of a sync. @throws Error when it fails. */
async function sync(
  children: Children,
  source: string,
  snapshots: string,
  more: readonly string[],
): Promise<number> {
  const fixed = ['--created-at', '2026-01-01T00:00:00Z', '--force', '--dangling-share-max', '1']
  const args = [program, 'sync', '--source', source, '--snapshots', snapshots, ...fixed, ...more]
  const before = cpuSeconds(process.pid).children
  const child = children.start({ name: 'the sync', command: process.execPath, args })
  await child.end()
  if (child.process.exitCode !== 0) throw new Error(`the sync has failed: ${child.errors}`)
  return cpuSeconds(process.pid).children - before
}

/** Writes a source in which one person in a hundred leaves, has another SDU, another name or another bio, by turns. */
function change(source: string, changed: string, areConnectionsChanged: boolean): void {
  rmSync(changed, { recursive: true, force: true })
  mkdirSync(changed)
  cpSync(join(source, 'topics.ndjson'), join(changed, 'topics.ndjson'))
  const sdus = new Set<string>()
  const people = linesOf(source, 'authorities').flatMap((line, index) => {
    if ((index + 1) % changedEvery !== 0) return [line]
    const record = JSON.parse(line)
    sdus.add(record.sdu)
    return changedRecord(record, (index + 1) / changedEvery)
  })
  writeLines(changed, 'authorities', people)
  const ofThem = (line: string) => sdus.has(JSON.parse(line).from)
  const connections = linesOf(source, 'connections').map((line) =>
    areConnectionsChanged && ofThem(line)
      ? JSON.stringify({ ...JSON.parse(line), kind: 'mentions' })
      : line,
  )
  writeLines(changed, 'connections', connections)
}

/** Every line ends, as those that were read did: else connections that are the same would differ in a byte. */
function writeLines(source: string, name: string, lines: readonly string[]): void {
  writeFileSync(join(source, `${name}.ndjson`), `${lines.join('\n')}\n`)
}

function linesOf(source: string, name: string): string[] {
  return readFileSync(join(source, `${name}.ndjson`), 'utf8')
    .trimEnd()
    .split('\n')
}

function changedRecord(record: { sdu: string; name: string; bio: string }, turn: number): string[] {
  const turned = (text: string) => text.split(' ').reverse().join(' ')
  const { sdu, name, bio } = record
  const changes = [
    undefined,
    { sdu: `9${sdu.slice(1)}0` },
    { name: turned(name) },
    { bio: turned(bio) },
  ]
  const change = changes[turn % changes.length]
  return change === undefined ? [] : [JSON.stringify({ ...record, ...change })]
}

/** One row of unchanged and one of changed connections. */
function report(rows: readonly IncrementalRow[]): string[] {
  return table(rows, {
    people: ({ people }) => people.toLocaleString('en'),
    connections: ({ connections }) => connections,
    'full CPU s': ({ rounds }) => median(rounds.map(({ full }) => full)).toFixed(1),
    'incremental CPU s': ({ rounds }) =>
      median(rounds.map(({ incremental }) => incremental)).toFixed(1),
    'ratio, median of rounds': ({ rounds }) =>
      median(rounds.map(({ full, incremental }) => incremental / full)).toFixed(2),
    'kept bytes a person': ({ keptBytes, people }) => (keptBytes / people).toFixed(0),
    'same bytes': ({ isSame }) => (isSame ? 'yes' : 'no'),
  })
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!
}
