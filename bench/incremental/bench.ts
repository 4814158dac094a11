/**
 * Full and incremental syncs of the same changed people by turns, each a process of its own: time, processor time of all
 * threads, memory, and the ratio of the two. Both begin with the snapshot of the people before the change. One person in a
 * hundred has changed, or in ten, or everybody; connections are the same, or those of the changed people are of another
 * kind. The snapshots of both must have the same bytes.
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
import { type Syncing, syncOf } from '../scale/syncing.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { generate } from '../shared/data/source.ts'
import { table } from '../shared/report.ts'
import { median } from '../shared/rounds.ts'

/** What the syncs of a round took. */
interface Round {
  readonly full: Syncing
  readonly incremental: Syncing
}

/** What has changed. */
interface Change {
  /** One person of so many has. */
  readonly every: number
  readonly connections: 'the same' | 'changed, too'
}

interface IncrementalRow extends Change {
  readonly people: number
  readonly rounds: readonly Round[]
  readonly keptBytes: number
  readonly isSame: boolean
}

const plans = {
  tiny: { people: 300, rounds: 1 },
  full: { people: 100_000, rounds: 3 },
} as const

const allChanges: readonly Change[] = [
  { every: 100, connections: 'the same' },
  { every: 100, connections: 'changed, too' },
  { every: 10, connections: 'changed, too' },
  { every: 1, connections: 'changed, too' },
]

/** The bench, as commands run it. */
export const incrementalBench: Bench = {
  name: 'incremental',
  flags: ['people', 'rounds'],
  run: async (options) => {
    const rows = await run(options)
    const problems = rows
      .filter(({ isSame }) => !isSame)
      .map((row) => `${nameOf(row)}: the snapshots differ`)
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** Runs all rounds of all changes. */
export async function run(options: BenchOptions): Promise<IncrementalRow[]> {
  const { size, signal, report } = options
  const people = numberOf(options, 'people') ?? plans[size].people
  const rounds = numberOf(options, 'rounds') ?? plans[size].rounds
  const directory = mkdtempSync(join(tmpdir(), 'bench-incremental-'))
  const children = new Children(signal)
  try {
    report(`${people} people`)
    const source = join(directory, 'source')
    generate({ authorities: people, directory: source, connectionsPer: 5, bioWordsMax: 8 })
    const before = join(directory, 'before')
    await sync(children, source, before, ['--incremental'])
    const keptBytes = statSync(join(before, 'KEPT')).size
    const rows: IncrementalRow[] = []
    for (const change of allChanges) {
      report(nameOf(change))
      const changed = join(directory, 'changed')
      writeChanged(source, changed, change)
      const taken = await roundsOf(children, { directory, before, changed }, rounds)
      rows.push({ people, ...change, keptBytes, ...taken })
    }
    return rows
  } finally {
    await children.close()
    rmSync(directory, { recursive: true, force: true })
  }
}

function nameOf({ every, connections }: Change): string {
  return `one person in ${every} changed, connections ${connections}`
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
      const taken = await sync(children, changed, snapshots, more)
      const bytes = readFileSync(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!))
      return { taken, bytes }
    }
    const full = await syncedBy('full', [])
    const incremental = await syncedBy('incremental', ['--incremental'])
    isSame &&= full.bytes.equals(incremental.bytes)
    rounds.push({ full: full.taken, incremental: incremental.taken })
  }
  return { rounds, isSame }
}

/** A sync that goes on from what is there. @throws Error when it fails. */
function sync(
  children: Children,
  source: string,
  snapshots: string,
  more: readonly string[],
): Promise<Syncing> {
  const fixed = ['--created-at', '2026-01-01T00:00:00Z', '--force', '--dangling-share-max', '1']
  return syncOf(children, source, snapshots, { goesOn: true, words: [...fixed, ...more] })
}

/** Writes a source in which people leave, have another SDU, another name or another bio, by turns. */
function writeChanged(source: string, changed: string, { every, connections }: Change): void {
  rmSync(changed, { recursive: true, force: true })
  mkdirSync(changed)
  cpSync(join(source, 'topics.ndjson'), join(changed, 'topics.ndjson'))
  const sdus = new Set<string>()
  const people = linesOf(source, 'authorities').flatMap((line, index) => {
    if ((index + 1) % every !== 0) return [line]
    const record = JSON.parse(line)
    sdus.add(record.sdu)
    return changedRecord(record, (index + 1) / every)
  })
  writeLines(changed, 'authorities', people)
  const ofThem = (line: string) => sdus.has(JSON.parse(line).from)
  const lines = linesOf(source, 'connections').map((line) =>
    connections === 'changed, too' && ofThem(line)
      ? JSON.stringify({ ...JSON.parse(line), kind: 'mentions' })
      : line,
  )
  writeLines(changed, 'connections', lines)
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

/** A row for each change. */
function report(rows: readonly IncrementalRow[]): string[] {
  const column =
    (way: keyof Round, taken: 'seconds' | 'cpuSeconds' | 'peakBytes', by = 1, digits = 1) =>
    ({ rounds }: IncrementalRow) =>
      (median(rounds.map((round) => round[way][taken])) / by).toFixed(digits)
  return table(rows, {
    people: ({ people }) => people.toLocaleString('en'),
    changed: ({ every }) => `${100 / every} %`,
    connections: ({ connections }) => connections,
    'full s': column('full', 'seconds'),
    'CPU s': column('full', 'cpuSeconds'),
    'peak GB': column('full', 'peakBytes', 1e9, 2),
    'incremental s': column('incremental', 'seconds'),
    'its CPU s': column('incremental', 'cpuSeconds'),
    'its peak GB': column('incremental', 'peakBytes', 1e9, 2),
    'ratio of CPU, median of rounds': ({ rounds }) =>
      median(
        rounds.map(({ full, incremental }) => incremental.cpuSeconds / full.cpuSeconds),
      ).toFixed(2),
    'kept bytes a person': ({ keptBytes, people }) => (keptBytes / people).toFixed(0),
    'same bytes': ({ isSame }) => (isSame ? 'yes' : 'no'),
  })
}
