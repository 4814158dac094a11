/** The facts of a snapshot: the sections that syncs compare. */
import type { SnapshotHeader } from './header.ts'
import type { Counts, PageName, PlainName, Sections } from './sections.ts'
import type { StoredTexts } from './texts/stored-texts.ts'

const factNames = [
  ...['authority.scores', 'authority.core-topics', 'authority.followers'],
  ...['authority.provenances', 'provenance.text', 'provenance.starts'],
  ...['identity.json', 'identity.starts', 'identity.slots', 'profile.json', 'profile.starts'],
  ...['topic.labels', 'topic.label-starts', 'topic.member-starts', 'topic.members'],
  ...['evidence.endorser-shares', 'evidence.endorser-kinds', 'kind.text', 'kind.starts'],
  ...['topic-key.text', 'topic-key.starts', 'topic-key.slots', 'topic-key.topics'],
  ...['platform.text', 'platform.starts', 'handle.text', 'handle.starts', 'handle.slots'],
  ...['handle.node-starts', 'handle.nodes', 'handle.platforms', 'peer.starts', 'peer.gaps'],
] as const satisfies readonly PlainName[]

type FactName = (typeof factNames)[number]

/** The part of a snapshot that comparisons read; every `Snapshot` is one. */
export interface StoredFacts {
  readonly header: Pick<SnapshotHeader, 'id' | 'createdAt' | 'sourceFingerprint' | 'recipe'> & {
    readonly counts: Pick<Counts, 'authorities' | 'authoritiesPerPage' | 'topics'>
  }
  readonly sections: Pick<Sections, FactName | PageName>
  /** The profiles that stay in the file; then their sections hold those of the first people only. */
  readonly texts?: StoredTexts | undefined
}

export function isFact(name: string): boolean {
  return (factNames as readonly string[]).includes(
    name.startsWith('profile.json/') ? 'profile.json' : name,
  )
}

/** The facts of a snapshot without its other sections, which are more than half of its memory. */
export function storedFactsOf({ header, sections, texts }: StoredFacts): StoredFacts {
  const facts = Object.entries(sections).filter(([name]) => isFact(name))
  const kept = Object.fromEntries(facts) as unknown as StoredFacts['sections']
  return { header, sections: kept, texts }
}
