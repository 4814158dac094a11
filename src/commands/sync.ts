/**
 * The `sync` command: source records → a new snapshot, published and announced. Whatever fails
 * before the announcement leaves the snapshot that is being served as it is.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../build/build.ts'
import { Collector, type Complaint } from '../build/collector.ts'
import { Refusal } from '../problems.ts'
import { headerOf } from '../snapshot/file.ts'
import { announce, publish, readPointer, retain } from '../snapshot/store.ts'
import { createProgress, type Progress } from '../source/progress.ts'
import { type Batches, readSource } from '../source/reader.ts'
import { Rejects } from '../source/rejects.ts'
import { type Call, type Command, command } from './command.ts'

const settings = ['source', 'snapshots', 'keep', 'rejectShareMax', 'createdAt', 'json'] as const

export const syncCommand: Command = command({
  operands: '',
  settings,
  help: 'build a snapshot from source records and announce it',
  run: async (call) => {
    const progress = createProgress(call.terminal)
    try {
      printResult(call, await syncOnce(call, progress))
    } finally {
      progress.stop()
    }
  },
})

/** What one sync did. */
interface SyncResult {
  readonly id: string
  readonly path: string
  /** False when the snapshot of this content was already the current one. */
  readonly published: boolean
  readonly authorities: number
  readonly records: number
  readonly rejects: number
  readonly removed: readonly string[]
  readonly seconds: number
}

type SyncCall = Call<(typeof settings)[number]>

async function syncOnce({ values, clock }: SyncCall, progress: Progress): Promise<SyncResult> {
  const started = clock()
  mkdirSync(values.snapshots, { recursive: true })
  const rejects = new Rejects(join(values.snapshots, 'rejects.ndjson'), progress.note)
  const collector = new Collector()
  const { digest, records } = await collect(values.source, collector, rejects, progress)
  if (rejects.exceeds(values.rejectShareMax, records)) {
    const share = `${rejects.count} of ${records} records rejected`
    throw new Refusal('too-many-rejects', `${values.source}: ${share}; nothing was published`)
  }
  if (collector.authorities === 0) {
    throw new Refusal('source-unreadable', `${values.source}: no authority is left to index`)
  }
  const { counts, sections } = build(collector, phases(progress))
  progress.phase('checksumming')
  const header = headerOf({ createdAt: values.createdAt, sourceDigest: digest, counts }, sections)
  progress.phase('writing')
  const current = readPointer(values.snapshots, 'CURRENT')
  const { path, written } = publish(values.snapshots, { header, sections }, progress.update)
  announce(values.snapshots, header.id)
  return {
    id: header.id,
    path,
    published: written || current !== header.id,
    authorities: counts.authorities,
    records,
    rejects: rejects.count,
    removed: retain(values.snapshots, values.keep),
    seconds: (clock() - started) / 1000,
  }
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
  directory: string,
  collector: Collector,
  rejects: Rejects,
  progress: Progress,
): Promise<{ digest: string; records: number }> {
  const onProgress = (read: { bytesRead: number; bytesTotal: number }) =>
    progress.update(read.bytesRead / read.bytesTotal)
  const source = await readSource(directory, { onProgress })
  let records = 0
  try {
    progress.phase('reading authorities')
    records += await take(source.authorities, rejects, (record) => collector.addAuthority(record))
    progress.phase('reading topics')
    records += await take(source.topics, rejects, (record) => collector.addTopic(record))
    progress.phase('reading connections')
    records += await take(source.connections, rejects, (record) => collector.addConnection(record))
  } finally {
    rejects.close()
  }
  return { digest: source.digest(), records }
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
      else for (const complaint of add(line.value)) rejects.add({ ...line, ...complaint })
    }
    lines += batch.length
  }
  return lines
}

function printResult({ values, terminal }: SyncCall, result: SyncResult): void {
  if (values.json) {
    terminal.print(JSON.stringify(result))
    return
  }
  const { id, published, authorities, rejects, seconds } = result
  const what = published ? 'published and announced' : 'unchanged'
  terminal.print(
    `${what}: snapshot ${id}, ${authorities} authorities, ${rejects} rejects, ${seconds.toFixed(1)} s`,
  )
  if (rejects > 0) terminal.print(`rejects: ${join(values.snapshots, 'rejects.ndjson')}`)
}
