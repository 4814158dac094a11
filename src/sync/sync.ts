/**
 * One sync: source records → a new snapshot, published, and announced if the gates let it through.
 * A failure before the announcement leaves the active snapshot as it is.
 */
import { join } from 'node:path'
import { openEngine } from '../engine/open.ts'
import { Collector } from '../indexer/collector.ts'
import { build } from '../indexer/indexer.ts'
import { KeywordThread } from '../indexer/keyword-thread.ts'
import { Keywords } from '../indexer/keywords.ts'
import { recipeVersion } from '../indexer/recipe.ts'
import type { ContestedTopic } from '../indexer/topic-phrases.ts'
import { Refusal } from '../problems.ts'
import { UnnamedFile } from '../process/unnamed-file.ts'
import type { Gates } from '../settings/gates.ts'
import type { Values } from '../settings.ts'
import { retainChanges } from '../snapshot/changes/change-directory.ts'
import { type StoredFacts, storedFactsOf } from '../snapshot/facts.ts'
import { type Snapshot, sealed } from '../snapshot/file.ts'
import { Owners } from '../snapshot/people/owners.ts'
import {
  announce,
  closeTexts,
  factsIfReadable,
  loadIfWhole,
  pathOf,
  publish,
  removeSnapshot,
  retain,
} from '../snapshot/store/directory.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import { heldBack, syncedAtMs, takeRelease } from '../snapshot/store/states.ts'
import { FiledTexts } from '../snapshot/texts/filed-texts.ts'
import { Rejects } from '../source/rejects.ts'
import type { Source } from '../source/source.ts'
import { openSource } from '../source/uri.ts'
import { BestNames } from './best-names.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { fingerprintOf, sourceMark } from './fingerprint.ts'
import { currentId, gateProblem, pastOf, probeProblems, refusalOf } from './gates.ts'
import { eraseFromHistory, writeHistory } from './history.ts'
import {
  type Intake,
  type IntakeCounts,
  nothingTaken,
  rejectProblem,
  takeSource,
  totalOf,
} from './intake.ts'
import { eachPhaseOnce, freeingEachPhase, type Progress } from './progress.ts'
import { openShared, type SharedStore } from './remote/shared-store.ts'
import { settleKey } from './removals/key-place.ts'
import { correctionsInForce, eraseCorrections } from './removals/recorded-corrections.ts'
import { LeftOut, removeHolders, requireList } from './removals/removal.ts'
import type { syncSettings } from './sync-settings.ts'

export interface SyncOptions extends Values<Exclude<(typeof syncSettings)[number], 'gate'>>, Gates {
  readonly clock: () => number
  readonly progress: Progress
  /** Keywords are found and connections read on threads beside this one. */
  readonly onThreads?: boolean
}

export interface SyncResult extends IntakeCounts {
  readonly id: string
  readonly path: string
  /** False when the current snapshot is of this source and recipe already. */
  readonly published: boolean
  readonly authorities: number
  readonly removed: readonly string[]
  readonly seconds: number
  readonly number?: number
}

interface Job extends SyncOptions {
  readonly opened: Source
  readonly shared: SharedStore | undefined
}

/** A job that reads its source, and who is left out of it by what is known. */
interface Reading extends Job {
  readonly leftOut: LeftOut
  readonly names: BestNames
}

type Outcome = Omit<SyncResult, 'seconds' | 'number'>

/** A sync begins anew when another one has announced something meanwhile. */
const triesMax = 3

/**
 * @throws Refusal `already-running`, `source-unreadable`, `too-many-rejects`, `build-limit`,
 * `held-back` when the snapshot does not pass the gates; `store-refused` when the disk is full;
 * `wrong-usage` for a source that is none; `announced-meanwhile`, `storage-unreachable`,
 * `storage-refused` where it is shared.
 */
export async function syncOnce(options: SyncOptions): Promise<SyncResult> {
  const { source, map, snapshots, publish, progress } = options
  const opened = openSource(source, map)
  const shared = publish === '' ? undefined : await openShared(options)
  const job = { ...options, opened, shared, progress: freeingEachPhase(progress) }
  return withDirectoryLock(snapshots, async () => {
    await shared?.prove()
    for (let tries = 1; ; tries += 1) {
      try {
        return await syncAlone(job)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        // The directory holds these for services to read.
        const isHeldBack = error.code === 'held-back' || error.code === 'too-many-rejects'
        if (isHeldBack) await shared?.reportSync()
        if (error.code !== 'announced-meanwhile' || tries === triesMax) throw error
        progress.note(`${error.message}; beginning anew behind that`)
      }
    }
  })
}

async function syncAlone(job: Job): Promise<SyncResult> {
  const { snapshots, removalKey, shared, history, clock, progress } = job
  await shared?.catchUp()
  const moved = settleKey(snapshots, removalKey)
  if (moved !== undefined) progress.note(moved)
  requireList(snapshots)
  eraseCorrections(snapshots, readRemovals(snapshots))
  const startedMs = clock()
  const id = currentId(job)
  if (id !== undefined) progress.phase('comparing with the current snapshot')
  let current = id === undefined ? undefined : factsIfReadable(snapshots, id)
  let result = await unchanged(job, current?.header)
  if (result === undefined) {
    const leftOut = new LeftOut(readRemovals(snapshots), current && new Owners(current))
    const names = new BestNames(current)
    // Reading a source takes as much memory as a snapshot.
    current = undefined
    result = await publishSource({ ...job, leftOut, names })
  }
  if (!result.published) await shared?.announce(result.id)
  heldBack.remove(snapshots)
  syncedAtMs.write(snapshots, clock())
  await shared?.reportSync()
  retainChanges(snapshots, clock() - history)
  const holders = removeHolders(snapshots, readRemovals(snapshots), result.id)
  const removed = [...result.removed, ...holders]
  const seconds = (clock() - startedMs) / 1000
  return { ...result, removed, seconds, ...(shared !== undefined && { number: shared.number }) }
}

/** Undefined unless the current snapshot is whole and what this source would give. */
async function unchanged(
  job: Job,
  header: StoredFacts['header'] | undefined,
): Promise<Outcome | undefined> {
  const { opened, snapshots, createdAt, force, progress } = job
  if (force) return undefined
  if (header === undefined || header.createdAt !== createdAt) return undefined
  if (header.recipe !== recipeVersion) return undefined
  const fingerprint = await opened.fingerprint(progress.update, sourceMark.read(snapshots).value)
  const now = fingerprintOf(job, fingerprint, readRemovals(snapshots))
  if (header.sourceFingerprint !== now) return undefined
  if (loadIfWhole(snapshots, header.id) === undefined) return undefined
  return {
    id: header.id,
    path: pathOf(snapshots, header.id),
    published: false,
    authorities: header.counts.authorities,
    ...nothingTaken,
    removed: [],
  }
}

/** Reads, builds, writes, verifies, compares, announces. What one step leaves in memory is plain values. */
async function publishSource(job: Reading): Promise<Outcome> {
  const { snapshots, shared, keep, progress, clock } = job
  const { intake, before, written, header, next, probes } = await writtenOf(job)
  const { removals } = job.leftOut
  try {
    const past = pastOf(snapshots, next, before)
    const force = job.force || takeRelease(snapshots, intake.fingerprint)
    const { correctedEnds } = intake
    const problem = gateProblem({ ...job, force }, { probes, past, correctedEnds, nowMs: clock() })
    if (problem !== undefined) throw refusalOf(job, 'held-back', problem, intake.fingerprint)
    if (before !== header.id) {
      progress.phase('writing what changed')
      const pair = typeof past === 'object' ? past : undefined
      writeHistory({ snapshots, header, current: before, pair, removals, nowMs: clock() })
    }
  } catch (error) {
    if (written) removeSnapshot(snapshots, header.id)
    throw error
  } finally {
    closeTexts(next)
  }
  eraseFromHistory(snapshots, removals)
  if (shared === undefined) announce(snapshots, header.id)
  else await shared.announce(header.id)
  return {
    id: header.id,
    path: pathOf(snapshots, header.id),
    published: written || before !== header.id,
    authorities: header.counts.authorities,
    ...totalOf(intake),
    removed: retain(snapshots, keep),
  }
}

/** Nothing else of the snapshot stays in memory; the file of its texts is open. */
async function writtenOf(job: Reading) {
  const { intake, before, written, snapshot } = await publishedOf(job)
  job.progress.phase('checking')
  try {
    const engine = openEngine(snapshot)
    return {
      intake,
      before,
      written,
      header: snapshot.header,
      probes: probeProblems(snapshot, engine),
      next: storedFactsOf(snapshot),
    }
  } catch (error) {
    closeTexts(snapshot)
    throw error
  }
}

/** Its profiles are in a file before, and afterwards in that of the snapshot. */
async function publishedOf(job: Reading) {
  const { snapshots, progress } = job
  const texts = new FiledTexts(new UnnamedFile(snapshots, 'profiles.tmp'))
  try {
    const { intake, made } = await madeOf(job, texts)
    progress.phase('writing')
    const before = currentId(job)
    return { intake, before, ...publish(snapshots, made, progress.update) }
  } finally {
    texts.close()
  }
}

const contestedNamedMax = 10

/** Texts of people up to so many bytes stay in memory; the rest goes to a file in the directory. */
const textBytesInMemoryMax = 1 << 26
const overflowName = 'texts.tmp'

async function madeOf(
  job: Reading,
  texts: FiledTexts,
): Promise<{ intake: Intake; made: Snapshot }> {
  const { snapshots, createdAt, progress, leftOut } = job
  const keywords = job.onThreads ? await KeywordThread.start() : new Keywords()
  const newOverflow = () => new UnnamedFile(snapshots, overflowName)
  const spilling = { memoryBytesMax: textBytesInMemoryMax, newOverflow }
  const collector = new Collector(keywords, (end) => leftOut.has(end), spilling, job)
  try {
    const intake = await collect(job, collector)
    leftOut.settle((end) => collector.isOwned(end))
    if (leftOut.removals.digest !== readRemovals(snapshots).digest)
      leftOut.removals.write(snapshots)
    const joined = build(collector, texts, eachPhaseOnce(progress))
    const { recipe, counts, sections, contested } = joined(await keywords.sections())
    noteContested(contested, progress)
    progress.phase('checksumming')
    const sourceFingerprint = fingerprintOf(job, intake.fingerprint, leftOut.removals)
    const content = { createdAt, sourceFingerprint, recipe, counts }
    return { intake, made: sealed(content, sections, texts) }
  } finally {
    // After a refusal a watch syncs again in the same process.
    collector.items.clear()
    await keywords.close()
  }
}

/** @throws Refusal `too-many-rejects`, or `source-unreadable` when no person is left. */
async function collect(job: Reading, collector: Collector): Promise<Intake> {
  const { opened, snapshots, onThreads = false, progress, leftOut } = job
  const path = join(snapshots, 'rejects.ndjson')
  const rejects = new Rejects(path, progress.note, (raw) => leftOut.isNamedIn(raw))
  let intake: Intake
  try {
    const corrections = correctionsInForce(snapshots)
    intake = await takeSource(opened, collector, rejects, { ...job, onThreads, corrections })
  } finally {
    rejects.close()
  }
  if (intake.mark !== undefined) sourceMark.write(snapshots, intake.mark)
  const problem = rejectProblem(intake, job, job.force || leftOut.owners === undefined)
  if (problem !== undefined) throw refusalOf(job, 'too-many-rejects', problem, intake.fingerprint)
  if (collector.authorities === 0) {
    throw new Refusal('source-unreadable', `${opened.name}: no authority is left to index`)
  }
  return intake
}

/** Topics whose names mean something else in a search: one line, the largest first. */
function noteContested(contested: readonly ContestedTopic[], progress: Progress): void {
  if (contested.length === 0) return
  const named = contested
    .toSorted((a, b) => b.members - a.members)
    .slice(0, contestedNamedMax)
    .map(({ key, members, meaning }) => `"${key}" (members: ${members}) is ${meaning}`)
  const more = contested.length > contestedNamedMax ? ', …' : ''
  progress.note(
    `${contested.length} names of topics mean something else in a search: ${named.join(', ')}${more}`,
  )
}
