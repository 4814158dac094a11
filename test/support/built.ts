/** From records to what is made of them, without a command and without a file. */
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { ladder } from '../../src/engine/interpret/ways/ladder.ts'
import { Collector, type Complaint } from '../../src/indexer/collector.ts'
import { build } from '../../src/indexer/indexer.ts'
import { Keywords } from '../../src/indexer/keywords.ts'
import { type Snapshot, sealed } from '../../src/snapshot/file.ts'
import { filedInMemory, withTexts } from './filed-in-memory.ts'
import { type Records, recordsOf } from './records.ts'

export { temporaryDirectory } from './temporary-directory.ts'

/** The snapshot of the records, ready to answer; by all ways of search unless some are named. */
export function servedOf(records: Partial<Records>, ways?: readonly string[]): ActiveSnapshot {
  const some = ways && ladder.filter(({ name }) => ways.includes(name))
  return activate(snapshotOf(records), { ways: some })
}

export function collected(partial: Partial<Records>): {
  collector: Collector
  keywords: Keywords
  complaints: Complaint[]
} {
  const { authorities, topics, connections } = recordsOf(partial)
  const keywords = new Keywords()
  const collector = new Collector(keywords)
  const complaints = [
    ...authorities.flatMap((record) => collector.addAuthority(record)),
    ...collector.settleClaims(),
    ...topics.flatMap((record) => collector.addTopic(record)),
    ...connections.flatMap((record) => collector.addConnection(record)),
  ]
  return { collector, keywords, complaints }
}

export function snapshotOf(records: Partial<Records>, createdAt: string | null = null): Snapshot {
  const { collector, keywords } = collected(records)
  const texts = filedInMemory()
  const { recipe, counts, sections: others } = build(collector, texts)(keywords.sections())
  const sections = withTexts(others, texts, counts)
  const content = { createdAt, sourceFingerprint: '0'.repeat(64), recipe, counts }
  return sealed(content, sections)
}
