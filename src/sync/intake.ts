/**
 * Records into the collector: everything that a source holds, in the order that the collector needs,
 * and everything that is wrong with it into the rejects. No record is both taken whole and rejected.
 */
import type { Collector, Complaint } from '../indexer/collector.ts'
import { uint32Column } from '../memory/columns.ts'
import { Refusal } from '../problems.ts'
import type { Rejects } from '../source/rejects.ts'
import type { Batches, Reading, RecordEntry, Reject, Source } from '../source/source.ts'
import type { Progress } from './progress.ts'

/** What was read: how many records, and the fingerprint of them all. */
export interface Intake {
  readonly records: number
  readonly fingerprint: string
}

/**
 * Reads a source to its end.
 * @throws Refusal `source-unreadable`.
 */
export async function takeSource(
  source: Source,
  collector: Collector,
  rejects: Rejects,
  { progress, onThreads }: { readonly progress: Progress; readonly onThreads: boolean },
): Promise<Intake> {
  const reading = await source.read({ onProgress: progress.update, onThreads })
  let records = 0
  try {
    progress.phase('reading authorities')
    records += await take(reading.authorities, rejects, (record) => collector.addAuthority(record))
    progress.phase('reading topics')
    records += await take(reading.topics, rejects, (record) => collector.addTopic(record))
    progress.phase('reading connections')
    records += await takeConnections(reading, collector, rejects)
    return { records, fingerprint: reading.fingerprint() }
  } finally {
    reading.close()
  }
}

/**
 * Hands all connections to the collector; returns how many there were. Those that it rejects are read
 * once more to find what is wrong with them: nothing is kept of the millions that are right.
 */
async function takeConnections(
  reading: Reading,
  collector: Collector,
  rejects: Rejects,
): Promise<number> {
  const rejected = uint32Column()
  let records = 0
  for await (const batch of reading.connections) {
    collector.addConnections(batch, (number) => rejected.push(number))
    records += batch.from.length + batch.others.length
  }
  if (rejected.length > 0) {
    const before = rejects.count
    await take(reading.connectionsAt(rejected.view()), rejects, (record) =>
      collector.connectionComplaints(record),
    )
    if (rejects.count - before !== rejected.length) {
      throw new Refusal('source-unreadable', 'the connections were changed while they were read')
    }
  }
  return records
}

/** Hands every record to `add`, every fault and complaint to the rejects; returns how many entries. */
async function take<T>(
  batches: Batches<T>,
  rejects: Rejects,
  add: (record: T) => readonly Complaint[],
): Promise<number> {
  let entries = 0
  for await (const batch of batches) {
    for (const entry of batch) {
      if ('reason' in entry) rejects.add(entry)
      else for (const complaint of add(entry.value)) rejects.add(rejectOf(entry, complaint))
    }
    entries += batch.length
  }
  return entries
}

function rejectOf({ position, raw }: RecordEntry<unknown>, complaint: Complaint): Reject {
  return { position, raw, ...complaint }
}
