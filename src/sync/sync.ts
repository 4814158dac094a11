/**
 * One sync: source records → a new snapshot, published, and announced if the gates let it through.
 * Whatever fails before the announcement leaves the snapshot that is being served as it is.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Collector, type Complaint } from '../indexer/collector.ts'
import { build } from '../indexer/indexer.ts'
import { KeywordWorker } from '../indexer/keyword-worker.ts'
import { recipeVersion } from '../indexer/recipe.ts'
import { uint32Column } from '../memory/columns.ts'
import { Refusal } from '../problems.ts'
import { acquireLock } from '../process/lock.ts'
import type { Values } from '../settings.ts'
import { headerOf, type Snapshot } from '../snapshot/file.ts'
import {
  announce,
  loadIfWhole,
  pathOf,
  publish,
  readPointer,
  retain,
  unpublish,
} from '../snapshot/store.ts'
import { digestSource } from '../source/files.ts'
import { type Batches, type RecordLine, readSource, type Source } from '../source/reader.ts'
import { type Reject, Rejects } from '../source/rejects.ts'
import { changeProblems, probeProblems } from './gates.ts'
import type { Progress } from './progress.ts'

/** The settings of a sync. */
export const syncSettings = [
  'source',
  'snapshots',
  'keep',
  'rejectShareMax',
  'authoritiesChangeMax',
  'topicsChangeMax',
  'coreTopicsChangeMax',
  'createdAt',
  'force',
] as const

/** What a sync is run with. */
export interface SyncOptions extends Values<(typeof syncSettings)[number]> {
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly progress: Progress
  /** Whether keywords are found and connections are read on threads beside this one. */
  readonly onThreads?: boolean
}

/** What one sync did. */
export interface SyncResult {
  readonly id: string
  readonly path: string
  /** False when the current snapshot was already made of this source, by this recipe. */
  readonly published: boolean
  readonly authorities: number
  readonly records: number
  readonly rejects: number
  readonly removed: readonly string[]
  readonly seconds: number
}

/**
 * A build runs for minutes without giving way to a heartbeat. On one host a dead holder is known at
 * once; only from another host or container does it take this long.
 */
const staleAfterMs = 15 * 60_000

/**
 * Runs one sync, alone in its snapshot directory.
 * @throws Refusal `already-running`, `source-unreadable`, `too-many-rejects`, `build-limit`,
 * `held-back` when the snapshot does not pass the gates.
 */
export async function syncOnce(options: SyncOptions): Promise<SyncResult> {
  mkdirSync(options.snapshots, { recursive: true })
  const lock = acquireLock(join(options.snapshots, 'sync.lock'), {
    clock: options.clock,
    staleAfterMs,
  })
  try {
    return (await unchanged(options)) ?? (await publishSource(options))
  } finally {
    lock.release()
  }
}

/** Nothing to do when the current snapshot is whole and made of this very source as it is made now. */
async function unchanged(options: SyncOptions): Promise<SyncResult | undefined> {
  const { snapshots, source, createdAt, force, progress, clock } = options
  const startedMs = clock()
  const id = readPointer(snapshots, 'CURRENT')
  if (id === undefined || force) return undefined
  progress.phase('comparing with the current snapshot')
  const current = loadIfWhole(snapshots, id)
  if (current === undefined || current.header.createdAt !== createdAt) return undefined
  if (current.header.recipe !== recipeVersion) return undefined
  const digest = await digestSource(source, ({ bytesRead, bytesTotal }) =>
    progress.update(bytesRead / bytesTotal),
  )
  if (digest !== current.header.sourceFingerprint) return undefined
  const { authorities } = current.header.counts
  const seconds = (clock() - startedMs) / 1000
  const path = pathOf(snapshots, id)
  return { id, path, published: false, authorities, records: 0, rejects: 0, removed: [], seconds }
}

async function publishSource(options: SyncOptions): Promise<SyncResult> {
  const { snapshots, source, rejectShareMax, createdAt, keep, progress, clock } = options
  const startedMs = clock()
  const rejects = new Rejects(join(snapshots, 'rejects.ndjson'), progress.note)
  const collector = new Collector(options.onThreads ? new KeywordWorker() : undefined)
  const { digest, records } = await collect(options, collector, rejects)
  if (rejects.exceeds(rejectShareMax, records)) {
    const share = `${rejects.count} of ${records} records rejected`
    throw new Refusal('too-many-rejects', `${source}: ${share}; nothing was published`)
  }
  if (collector.authorities === 0) {
    throw new Refusal('source-unreadable', `${source}: no authority is left to index`)
  }
  const { recipe, counts, sections } = build(collector, phases(progress))
  progress.phase('checksumming')
  const content = { createdAt, sourceFingerprint: digest, recipe, counts }
  const header = headerOf(content, sections)
  progress.phase('writing')
  const before = readPointer(snapshots, 'CURRENT')
  const { snapshot, written } = publish(snapshots, { header, sections }, progress.update)
  progress.phase('checking')
  const problem = gateProblem(options, snapshot, before)
  if (problem !== undefined) {
    if (written) unpublish(snapshots, header.id)
    throw new Refusal('held-back', `${source}: ${problem}; nothing was published`)
  }
  announce(snapshots, header.id)
  return {
    id: header.id,
    path: pathOf(snapshots, header.id),
    published: written || before !== header.id,
    authorities: counts.authorities,
    records,
    rejects: rejects.count,
    removed: retain(snapshots, keep),
    seconds: (clock() - startedMs) / 1000,
  }
}

/** Why a snapshot is held back: it answers wrongly, or differs too much from the current one. */
function gateProblem(
  options: SyncOptions,
  next: Snapshot,
  before: string | undefined,
): string | undefined {
  const probes = probeProblems(next)
  if (probes.length > 0) return `the snapshot answers wrongly: ${probes.join('; ')}`
  if (options.force || before === undefined || before === next.header.id) return undefined
  const current = loadIfWhole(options.snapshots, before)
  const changes = current === undefined ? [] : changeProblems(current, next, options)
  return changes.length === 0 ? undefined : `${changes.join('; ')}; if this is meant, use --force`
}

/** Passes the phases of the build on to the progress, which wants to hear of each once. */
function phases(progress: Progress): (phase: string, fraction: number) => void {
  let current = ''
  return (phase, fraction) => {
    if (phase !== current) progress.phase(phase)
    current = phase
    progress.update(fraction)
  }
}

async function collect(
  { source: directory, onThreads = false, progress }: SyncOptions,
  collector: Collector,
  rejects: Rejects,
): Promise<{ digest: string; records: number }> {
  const onProgress = (read: { bytesRead: number; bytesTotal: number }) =>
    progress.update(read.bytesRead / read.bytesTotal)
  const source = await readSource(directory, { onProgress, connectionThread: onThreads })
  let records = 0
  try {
    progress.phase('reading authorities')
    records += await take(source.authorities, rejects, (record) => collector.addAuthority(record))
    progress.phase('reading topics')
    records += await take(source.topics, rejects, (record) => collector.addTopic(record))
    progress.phase('reading connections')
    records += await takeConnections(source, collector, rejects)
  } finally {
    source.close()
    rejects.close()
  }
  return { digest: source.digest(), records }
}

function rejectOf({ file, line, raw }: RecordLine<unknown>, complaint: Complaint): Reject {
  return { file, line, raw, ...complaint }
}

/**
 * Hands all connections to the collector; answers how many there were. Lines that it rejects are read
 * once more to tell what is wrong with them: nothing is kept of the millions that are right.
 */
async function takeConnections(
  source: Source,
  collector: Collector,
  rejects: Rejects,
): Promise<number> {
  const rejected = uint32Column()
  let lines = 0
  for await (const batch of source.connections) {
    collector.addConnections(batch, (line) => rejected.push(line))
    lines += batch.from.length + batch.others.length
  }
  if (rejected.length > 0) {
    const before = rejects.count
    await take(source.connectionLines(rejected.view()), rejects, (record) =>
      collector.connectionComplaints(record),
    )
    if (rejects.count - before !== rejected.length) {
      throw new Refusal('source-unreadable', 'connections.ndjson was changed while it was read')
    }
  }
  return lines
}

/** Hands every record to `add`, every fault and complaint to the rejects; answers how many lines. */
async function take<T>(
  batches: Batches<T>,
  rejects: Rejects,
  add: (record: T) => readonly Complaint[],
): Promise<number> {
  let lines = 0
  for await (const batch of batches) {
    for (const line of batch) {
      if ('reason' in line) rejects.add(line)
      else for (const complaint of add(line.value)) rejects.add(rejectOf(line, complaint))
    }
    lines += batch.length
  }
  return lines
}
