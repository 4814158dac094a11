/**
 * Records into the collector, in the order that it needs, and everything that is wrong with them
 * into the rejects. No record is both taken whole and rejected. Connections with an end that no
 * record has are counted apart: who is removed leaves them behind.
 */
import type { Collector, Complaint } from '../indexer/collector.ts'
import { uint32Column } from '../memory/columns.ts'
import { Refusal } from '../problems.ts'
import type { Gates } from '../settings/gates.ts'
import type { Owners } from '../snapshot/people/owners.ts'
import { type CorrectionRecord, Corrections } from '../source/corrections.ts'
import type { RejectSink } from '../source/rejects.ts'
import type { AuthorityRecord } from '../source/schema.ts'
import {
  type Batches,
  type RecordEntry,
  type Reject,
  type Source,
  type SourceMark,
  type SourceReading,
  unreadableRecord,
} from '../source/source.ts'
import type { BestNames } from './best-names.ts'
import type { Progress } from './progress.ts'
import type { LeftOut } from './removals/removal.ts'

const recordKinds = ['corrections', 'authorities', 'topics', 'connections'] as const

/** In the order in which they are read. */
export type RecordKindName = (typeof recordKinds)[number]

export interface IntakeCounts {
  readonly records: number
  readonly rejects: number
  /** Only because an end is an SDU that no record has; not among `rejects`. */
  readonly dangling: number
  /** Wrong, or claimed by others, too; not among `rejects`. */
  readonly leftOutFields: number
}

export const nothingTaken: IntakeCounts = { records: 0, rejects: 0, dangling: 0, leftOutFields: 0 }

export interface Intake {
  readonly tallies: Readonly<Record<RecordKindName, IntakeCounts>>
  readonly fingerprint: string
  readonly mark: SourceMark | undefined
  /** `platform:key`. */
  readonly correctedEnds: ReadonlySet<string>
}

type RejectLimits = Pick<
  Gates,
  'rejectShareMax' | 'fileRejectShareMax' | 'leftOutShareMax' | 'danglingShareMax'
>

type LimitedShare = [limit: keyof RejectLimits, count: number, of: number, problem: string]

interface IntakeOptions {
  readonly progress: Progress
  readonly onThreads: boolean
  readonly leftOut: LeftOut
  readonly corrections: readonly CorrectionRecord[]
  /** Names that no other may imitate, and what becomes of a record whose name does. */
  readonly names: BestNames
  readonly lookalikes: string
}

/** @throws Refusal `source-unreadable`, also when the source was changed meanwhile. */
export async function takeSource(
  source: Source,
  collector: Collector,
  rejects: RejectSink,
  { progress, onThreads, leftOut, corrections: recorded, names, lookalikes }: IntakeOptions,
): Promise<Intake> {
  const reading = await source.read({ onProgress: progress.update, onThreads })
  try {
    const known = new Corrections()
    const corrections = await take(reading.corrections, rejects, (record) => {
      known.add(record)
      return []
    })
    for (const each of recorded) known.add(each)
    progress.phase('reading authorities')
    const ready = () => collector.keywords.ready()
    const add = (record: AuthorityRecord, position: string) => {
      const { record: passed, complaints } = leftOut.pass(record, known.corrected(record))
      if (passed === undefined) return complaints
      const imitation =
        lookalikes === 'off' || !passed.verified || known.sets(record.sdu, 'name')
          ? undefined
          : names.suspicionOf(passed.sdu, passed.name)
      if (imitation !== undefined) {
        if (lookalikes === 'leave-out') return [...complaints, { field: 'name', reason: imitation }]
        progress.note(`${position} name: ${imitation}`)
      }
      const isCorrected = (field: 'socials' | 'identifiers') => known.sets(record.sdu, field)
      const origin = { position, isCorrected, isImitation: imitation !== undefined }
      const before = collector.authorities
      try {
        return [...complaints, ...collector.addAuthority(passed, origin)]
      } catch (error) {
        if (collector.authorities > before) throw error
        return [...complaints, faultOf(error)]
      }
    }
    const taken = await take(reading.authorities, rejects, add, ready)
    const authorities = settle(taken, collector, rejects, leftOut.owners)
    noteUnused(known, leftOut, progress)
    progress.phase('reading topics')
    const topics = await take(reading.topics, rejects, (record) => collector.addTopic(record))
    progress.phase('reading connections')
    const connections = await takeConnections(reading, collector, rejects, progress)
    const tallies = { corrections, authorities, topics, connections }
    if (!(await reading.isSteady())) {
      throw new Refusal('source-unreadable', `${source.name} was changed while it was read`)
    }
    const correctedEnds = collector.claims.correctedEnds()
    return { tallies, fingerprint: reading.fingerprint(), mark: reading.mark(), correctedEnds }
  } finally {
    reading.close()
  }
}

/** One record at most keeps a handle that several claim; the other claims are rejected. */
function settle(
  taken: IntakeCounts,
  collector: Collector,
  rejects: RejectSink,
  owners: Owners | undefined,
): IntakeCounts {
  const complaints = collector.settleClaims((end) => {
    const sdu = owners?.ownerOf(end)
    const authority = sdu === undefined ? -1 : collector.sdus.find(sdu)
    return authority < 0 ? undefined : authority
  })
  for (const { position, field, reason } of complaints) {
    rejects.add({ position, field, reason, raw: '' })
  }
  return { ...taken, leftOutFields: taken.leftOutFields + complaints.length }
}

function faultOf(error: unknown): Complaint {
  if (error instanceof Refusal) throw error
  return { field: 'record', reason: unreadableRecord(error) }
}

/** A correction outlives the record that it was for; that is no fault, but worth a line. */
function noteUnused(corrections: Corrections, leftOut: LeftOut, progress: Progress): void {
  const unused = corrections.unused().filter((sdu) => !leftOut.has(sdu))
  if (unused.length === 0) return
  progress.note(`corrections of ${unused.length} SDUs that no record has, the first ${unused[0]}`)
}

export function totalOf({ tallies }: Intake): IntakeCounts {
  const sumOf = (field: keyof IntakeCounts) =>
    recordKinds.reduce((sum, kind) => sum + tallies[kind][field], 0)
  return {
    records: sumOf('records'),
    rejects: sumOf('rejects'),
    dangling: sumOf('dangling'),
    leftOutFields: sumOf('leftOutFields'),
  }
}

/**
 * What has a limit, in the order in which a sync looks at it.
 * @param mayLose fields may get lost: no snapshot has them, or the sync is forced.
 */
export function limitedShares(intake: Intake, mayLose: boolean): LimitedShare[] {
  const { authorities, connections } = intake.tallies
  const { records, rejects } = totalOf(intake)
  const lost = mayLose ? 0 : authorities.leftOutFields
  const lostOf = `${lost} fields of ${authorities.records} authorities left out`
  const { dangling } = connections
  const danglingOf = `${dangling} of ${connections.records} connections have an end that no record has`
  return [
    ['rejectShareMax', rejects, records, `${rejects} of ${records} records rejected`],
    ...recordKinds.map((kind): LimitedShare => {
      const { records, rejects } = intake.tallies[kind]
      return ['fileRejectShareMax', rejects, records, `${rejects} of ${records} ${kind} rejected`]
    }),
    ['leftOutShareMax', lost, authorities.records, lostOf],
    ['danglingShareMax', dangling, connections.records, danglingOf],
  ]
}

/** The first limit that is exceeded. */
export function rejectProblem(
  intake: Intake,
  limits: RejectLimits,
  mayLose: boolean,
): string | undefined {
  // A larger limit for all records also raises the limit for one file.
  const fileRejectShareMax = Math.max(limits.fileRejectShareMax, limits.rejectShareMax)
  const most = { ...limits, fileRejectShareMax }
  const shares = limitedShares(intake, mayLose)
  return shares.find(([limit, count, of]) => count > most[limit] * of)?.[3]
}

/**
 * Rejected connections are read once more to find what is wrong with them: nothing is kept of the
 * millions that are right.
 */
async function takeConnections(
  reading: SourceReading,
  collector: Collector,
  rejects: RejectSink,
  progress: Progress,
): Promise<IntakeCounts> {
  const rejected = uint32Column()
  let records = 0
  for await (const batch of reading.connections) {
    collector.addConnections(batch, (number) => rejected.push(number))
    records += batch.from.length + batch.others.length
    progress.update(batch.progress)
  }
  if (rejected.length === 0) return { ...nothingTaken, records }
  const again = await take(reading.connectionsAt(rejected.view()), rejects, (record) =>
    collector.connectionComplaints(record),
  )
  if (again.rejects + again.dangling !== rejected.length) {
    throw new Refusal('source-unreadable', 'the connections were changed while they were read')
  }
  return { ...again, records }
}

/** @param ready resolves when the next batch may be added. */
async function take<T>(
  batches: Batches<T>,
  rejects: RejectSink,
  add: (record: T, position: string) => readonly Complaint[],
  ready?: () => Promise<void>,
): Promise<IntakeCounts> {
  const counts = { records: 0, rejects: 0, dangling: 0, leftOutFields: 0 }
  for await (const batch of batches) {
    for (const entry of batch) {
      if ('reason' in entry) {
        rejects.add(entry)
        counts.rejects += 1
        continue
      }
      const { value, position, complaints: fields = [] } = entry
      const complaints: readonly Complaint[] = [...fields, ...add(value, position)]
      for (const complaint of complaints) {
        rejects.add(rejectOf(entry, complaint))
        if (complaint.isDangling) counts.dangling += 1
        else if (complaint.isLeftOut) counts.leftOutFields += 1
        else if (!complaint.isReturn) counts.rejects += 1
      }
    }
    counts.records += batch.length
    await ready?.()
  }
  return counts
}

function rejectOf({ position, raw }: RecordEntry<unknown>, complaint: Complaint): Reject {
  const shown = complaint.isReturn ? '' : raw
  return { position, raw: shown, field: complaint.field, reason: complaint.reason }
}
