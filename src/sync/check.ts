/** What a sync would say about a source. Nothing is written, and no lock is taken. */
import { Collector } from '../indexer/collector.ts'
import { Keywords } from '../indexer/keywords.ts'
import { Refusal, unlessRefused } from '../problems.ts'
import { type GateName, type Gates, gateName } from '../settings/gates.ts'
import type { Values } from '../settings.ts'
import { Owners } from '../snapshot/people/owners.ts'
import { factsIfReadable, pointersOf } from '../snapshot/store/directory.ts'
import { readRemovals } from '../snapshot/store/removals.ts'
import type { TableReading } from '../source/source.ts'
import { openSource } from '../source/uri.ts'
import { BestNames } from './best-names.ts'
import {
  type Intake,
  type IntakeCounts,
  limitedShares,
  nothingTaken,
  type RecordKindName,
  rejectProblem,
  takeSource,
} from './intake.ts'
import type { Progress } from './progress.ts'
import { type RejectGroup, RejectGroups } from './reject-groups.ts'
import { correctionsInForce } from './removals/recorded-corrections.ts'
import { LeftOut } from './removals/removal.ts'

export const checkSettings = ['source', 'map', 'snapshots', 'lookalikes'] as const

interface SourceCheck {
  readonly source: string
  readonly counts: Readonly<Record<RecordKindName, IntakeCounts>>
  /** The most frequent first; also fields that records are taken without. */
  readonly faults: readonly RejectGroup[]
  readonly unreadColumns: Readonly<Record<string, readonly string[]>>
  readonly proposedMap?: string
  /** Absent where a sync would go on to its gates. */
  readonly refusal?: string
  readonly proposal?: string
}

/** @throws Refusal `source-unreadable`, `wrong-usage` as a sync does. */
export async function checkSource(
  options: Values<(typeof checkSettings)[number]> & Gates & { readonly progress: Progress },
): Promise<SourceCheck> {
  const { source, map, snapshots, lookalikes, progress } = options
  const opened = openSource(source, map)
  const tables = (await opened.tables?.()) ?? []
  const found = { source: opened.name, ...columnsOf(tables) }
  const lacking = tables.find(({ missing }) => missing.length > 0)
  if (lacking !== undefined) {
    const refusal = `${lacking.file} has no column for ${lacking.missing.join(' and ')}`
    return { ...found, counts: noCounts, faults: [], refusal }
  }
  const id = unlessRefused(() => pointersOf(snapshots).current)
  const current = id === undefined ? undefined : factsIfReadable(snapshots, id)
  const leftOut = new LeftOut(readRemovals(snapshots), current && new Owners(current))
  const collector = new Collector(new Keywords(), (end) => leftOut.has(end))
  const rejects = new RejectGroups((raw) => leftOut.isNamedIn(raw))
  const corrections = correctionsInForce(snapshots)
  const how = { progress, onThreads: false, leftOut, names: new BestNames(current), lookalikes }
  const intake = await takeSource(opened, collector, rejects, { ...how, corrections })
  const refusal = rejectProblem(intake, options, current === undefined)
  const isEmpty = collector.authorities === 0
  return {
    ...found,
    counts: intake.tallies,
    faults: rejects.sorted(),
    ...(refusal !== undefined && { refusal, proposal: proposalFor(intake, current === undefined) }),
    ...(isEmpty && { refusal: 'no authority is left to index' }),
  }
}

const noCounts = {
  corrections: nothingTaken,
  authorities: nothingTaken,
  topics: nothingTaken,
  connections: nothingTaken,
}

function columnsOf(tables: readonly TableReading[]) {
  const unread = tables.filter(({ unread }) => unread.length > 0)
  const lines = tables.flatMap(({ proposed }) => proposed)
  return {
    unreadColumns: Object.fromEntries(unread.map(({ file, unread }) => [file, unread])),
    ...(lines.length > 0 && { proposedMap: `${lines.join('\n')}\n` }),
  }
}

/** The least limits that let through what was counted, rounded up to a thousandth. */
function proposalFor(intake: Intake, isFirst: boolean): string {
  const least = new Map<GateName, number>()
  for (const [limit, count, of] of limitedShares(intake, isFirst)) {
    const share = Math.ceil((1000 * count) / Math.max(1, of)) / 1000
    least.set(limit, Math.max(share, least.get(limit) ?? 0))
  }
  const words = [...least].filter(([, share]) => share > 0)
  return words.map(([limit, share]) => `--gate ${gateName(limit)}=${share}`).join(' ')
}

export function checkLines({ counts, faults, ...check }: SourceCheck): string[] {
  const kinds = Object.entries(counts).filter(([, { records }]) => records > 0)
  const totals = kinds.map(([kind, { records, rejects, dangling, leftOutFields }]) => {
    const more = [
      `${rejects} rejected`,
      ...(dangling > 0 ? [`${dangling} dangling`] : []),
      ...(leftOutFields > 0 ? [`${leftOutFields} fields left out`] : []),
    ]
    return `${kind}: ${records} read, ${more.join(', ')}`
  })
  const found = faults.flatMap(({ field, reason, count, examples }) => [
    `${count} × ${field}: ${reason}`,
    ...examples.map(({ position, value }) => `    ${position}: ${value}`),
  ])
  const unread = Object.entries(check.unreadColumns).map(
    ([file, columns]) => `${file}: no field is read from ${columns.join(', ')}`,
  )
  const end =
    check.refusal === undefined
      ? 'a sync would take this and go on to its gates'
      : `a sync would be refused: ${check.refusal}`
  const { proposedMap } = check
  const map = proposedMap
    ? ['columns look like these fields; for a file that --map names:', proposedMap.trimEnd()]
    : []
  const hint = check.proposal ? [`to take the rest all the same: ${check.proposal}`] : []
  return [...totals, ...found, ...unread, ...map, end, ...hint]
}

/** @throws Refusal `too-many-rejects` where a sync would be refused. */
export function requireTakable({ source, refusal }: SourceCheck): void {
  if (refusal !== undefined) throw new Refusal('too-many-rejects', `${source}: ${refusal}`)
}
