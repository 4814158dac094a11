/**
 * From records to what is made of them, without a command and without a file: what the tests of
 * build, catalog and serve begin with.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { ladder } from '../../src/engine/interpret/ways/ladder.ts'
import { Collector, type Complaint } from '../../src/indexer/collector.ts'
import { build } from '../../src/indexer/indexer.ts'
import { type Snapshot, snapshotHeaderOf } from '../../src/snapshot/file.ts'
import { type Records, recordsOf } from './records.ts'

/** The records as collected, and every complaint in their order. */
export function collected(partial: Partial<Records>): {
  collector: Collector
  complaints: Complaint[]
} {
  const { authorities, topics, connections } = recordsOf(partial)
  const collector = new Collector()
  const complaints = [
    ...authorities.flatMap((record) => collector.addAuthority(record)),
    ...collector.settleClaims(),
    ...topics.flatMap((record) => collector.addTopic(record)),
    ...connections.flatMap((record) => collector.addConnection(record)),
  ]
  return { collector, complaints }
}

/** The snapshot of the records. */
export function snapshotOf(records: Partial<Records>, createdAt: string | null = null): Snapshot {
  const { recipe, counts, sections } = build(collected(records).collector)
  const content = { createdAt, sourceFingerprint: '0'.repeat(64), recipe, counts }
  return { header: snapshotHeaderOf(content, sections), sections }
}

/** The snapshot of the records, ready to answer; by all ways of search unless some are named. */
export function servedOf(records: Partial<Records>, ways?: readonly string[]): ActiveSnapshot {
  const some = ways && ladder.filter(({ name }) => ways.includes(name))
  return activate(snapshotOf(records), { ways: some })
}

/** A new directory, removed when the test is done. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'index-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
