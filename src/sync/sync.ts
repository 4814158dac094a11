/**
 * One sync: source records → a new snapshot, published, and announced if the gates let it through.
 * Whatever fails before the announcement leaves the snapshot that is being served as it is.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Collector } from '../indexer/collector.ts'
import { build } from '../indexer/indexer.ts'
import { KeywordThread } from '../indexer/keyword-thread.ts'
import { recipeVersion } from '../indexer/recipe.ts'
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
import { Rejects } from '../source/rejects.ts'
import type { Source } from '../source/source.ts'
import { openSource } from '../source/uri.ts'
import { changeProblems, probeProblems } from './gates.ts'
import { type Intake, takeSource } from './intake.ts'
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
 * `held-back` when the snapshot does not pass the gates; `wrong-usage` for a source that is none.
 */
export async function syncOnce(options: SyncOptions): Promise<SyncResult> {
  const source = openSource(options.source)
  mkdirSync(options.snapshots, { recursive: true })
  const lock = acquireLock(join(options.snapshots, 'sync.lock'), {
    clock: options.clock,
    staleAfterMs,
  })
  try {
    return (await unchanged(options, source)) ?? (await publishSource(options, source))
  } finally {
    lock.release()
  }
}

/** Nothing to do when the current snapshot is whole and made of this very source as it is made now. */
async function unchanged(options: SyncOptions, source: Source): Promise<SyncResult | undefined> {
  const { snapshots, createdAt, force, progress, clock } = options
  const startedMs = clock()
  const id = readPointer(snapshots, 'CURRENT')
  if (id === undefined || force) return undefined
  progress.phase('comparing with the current snapshot')
  const current = loadIfWhole(snapshots, id)
  if (current === undefined || current.header.createdAt !== createdAt) return undefined
  if (current.header.recipe !== recipeVersion) return undefined
  const fingerprint = await source.fingerprint(progress.update)
  if (fingerprint !== current.header.sourceFingerprint) return undefined
  const { authorities } = current.header.counts
  const seconds = (clock() - startedMs) / 1000
  const path = pathOf(snapshots, id)
  return { id, path, published: false, authorities, records: 0, rejects: 0, removed: [], seconds }
}

async function publishSource(options: SyncOptions, source: Source): Promise<SyncResult> {
  const { snapshots, createdAt, keep, progress, clock } = options
  const startedMs = clock()
  const collector = new Collector(options.onThreads ? new KeywordThread() : undefined)
  const { fingerprint, records, rejects } = await collect(options, source, collector)
  const { recipe, counts, sections } = build(collector, eachPhaseOnce(progress))
  progress.phase('checksumming')
  const content = { createdAt, sourceFingerprint: fingerprint, recipe, counts }
  const header = headerOf(content, sections)
  progress.phase('writing')
  const before = readPointer(snapshots, 'CURRENT')
  const { snapshot, written } = publish(snapshots, { header, sections }, progress.update)
  progress.phase('checking')
  const problem = gateProblem(options, snapshot, before)
  if (problem !== undefined) {
    if (written) unpublish(snapshots, header.id)
    throw new Refusal('held-back', `${options.source}: ${problem}; nothing was published`)
  }
  announce(snapshots, header.id)
  return {
    id: header.id,
    path: pathOf(snapshots, header.id),
    published: written || before !== header.id,
    authorities: counts.authorities,
    records,
    rejects,
    removed: retain(snapshots, keep),
    seconds: (clock() - startedMs) / 1000,
  }
}

/**
 * Takes all records of the source.
 * @throws Refusal `too-many-rejects`, or `source-unreadable` when nobody is left.
 */
async function collect(
  { source: uri, snapshots, rejectShareMax, onThreads = false, progress }: SyncOptions,
  source: Source,
  collector: Collector,
): Promise<Intake & { readonly rejects: number }> {
  const rejects = new Rejects(join(snapshots, 'rejects.ndjson'), progress.note)
  let intake: Intake
  try {
    intake = await takeSource(source, collector, rejects, { progress, onThreads })
  } finally {
    rejects.close()
  }
  if (rejects.exceeds(rejectShareMax, intake.records)) {
    const share = `${rejects.count} of ${intake.records} records rejected`
    throw new Refusal('too-many-rejects', `${uri}: ${share}; nothing was published`)
  }
  if (collector.authorities === 0) {
    throw new Refusal('source-unreadable', `${uri}: no authority is left to index`)
  }
  return { ...intake, rejects: rejects.count }
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

/** Takes phases with every share of them, and passes each phase on once. */
function eachPhaseOnce(progress: Progress): (phase: string, fraction: number) => void {
  let current = ''
  return (phase, fraction) => {
    if (phase !== current) progress.phase(phase)
    current = phase
    progress.update(fraction)
  }
}
