/** A snapshot and its changes as tables, row after row: an export takes as much memory as a piece of it. */
import { changeItemsOf } from '../api/operations/changes.ts'
import { textAt } from '../memory/text-table.ts'
import { type ChangeEntry, changeEntries } from '../snapshot/changes/change-directory.ts'
import { peopleOf, readChangeFile } from '../snapshot/changes/change-file.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { StoredPeers } from '../snapshot/people/peer-lists.ts'
import { textsOf } from '../snapshot/text-tables.ts'
import { ComparedFacts } from '../sync/changes/facts.ts'

/** Type of a column's values; `json` is any value, which a file without lists holds as text. */
export type ColumnType = 'text' | 'integer' | 'number' | 'json'

/** A column; its cells may be null. */
export interface ExportColumn {
  readonly name: string
  readonly type: ColumnType
}

/** A table to be written; its rows can be read once. */
export interface ExportTable {
  readonly name: string
  readonly columns: readonly ExportColumn[]
  /** Number of rows, at least approximately; for progress. */
  readonly rowCount: number
  readonly rows: Iterable<readonly unknown[]>
}

function columns(spec: Readonly<Record<string, ColumnType>>): ExportColumn[] {
  return Object.entries(spec).map(([name, type]) => ({ name, type }))
}

/**
 * The tables of a snapshot: `people` by rank, `topics`, `ranks` (all members of all topics), `handles` and
 * identifiers with their owners, and `connections`: the best people that each is connected with, as peers has them.
 */
export function snapshotTables(snapshot: Snapshot): ExportTable[] {
  const facts = new ComparedFacts(snapshot)
  const { sections, header } = snapshot
  const { authorities } = header.counts
  const sdus = Array.from({ length: authorities }, (_, ordinal) => facts.sduOf(ordinal))
  const starts = sections['topic.member-starts']
  return [
    {
      name: 'people',
      columns: columns({
        sdu: 'text',
        name: 'text',
        bio: 'text',
        country_name: 'text',
        topics: 'json',
        socials: 'json',
        website: 'text',
        authority_score: 'number',
        core_topic: 'text',
        core_rank: 'integer',
        followers: 'integer',
      }),
      rowCount: authorities,
      rows: people(facts, snapshot),
    },
    {
      name: 'topics',
      columns: columns({ topic: 'text', members: 'integer' }),
      rowCount: facts.labels.length,
      rows: facts.labels.map((label, topic) => [label, starts[topic + 1]! - starts[topic]!]),
    },
    {
      name: 'ranks',
      columns: columns({ topic: 'text', rank: 'integer', sdu: 'text', share: 'number' }),
      rowCount: starts.at(-1) ?? 0,
      rows: ranks(facts.labels, snapshot, sdus),
    },
    {
      name: 'handles',
      columns: columns({ platform: 'text', handle: 'text', sdu: 'text' }),
      rowCount: authorities,
      rows: handles(facts, sdus),
    },
    {
      name: 'connections',
      columns: columns({ sdu: 'text', peer: 'text' }),
      rowCount: authorities,
      rows: connections(snapshot, sdus),
    },
  ]
}

function* people(
  facts: ComparedFacts,
  { sections, header }: Snapshot,
): Generator<readonly unknown[], void> {
  for (let ordinal = 0; ordinal < header.counts.authorities; ordinal += 1) {
    const { sdu, name, bio, country, topics, socials, website } = facts.profileOf(ordinal)
    yield [
      ...[sdu, name, bio, country, topics, socials, website],
      facts.scoreOf(ordinal) / 100,
      facts.coreTopicOf(ordinal),
      sections['authority.core-ranks'][ordinal],
      sections['authority.followers'][ordinal],
    ]
  }
}

/** The share of the topic is 0 to 1; all of a topic are 1. */
function* ranks(
  labels: readonly string[],
  { sections }: Snapshot,
  sdus: readonly string[],
): Generator<readonly unknown[], void> {
  const starts = sections['topic.member-starts']
  for (const [topic, label] of labels.entries()) {
    for (let at = starts[topic]!; at < starts[topic + 1]!; at += 1) {
      const sdu = sdus[sections['topic.members'][at]!]
      yield [label, at - starts[topic]! + 1, sdu, sections['topic.shares'][at]! / 2 ** 32]
    }
  }
}

function* handles(
  facts: ComparedFacts,
  sdus: readonly string[],
): Generator<readonly unknown[], void> {
  const keys = textsOf(facts.snapshot, 'handle')
  for (const [ordinal, sdu] of sdus.entries()) {
    for (const { handle, platform } of facts.claimsOf(ordinal)) {
      yield [facts.platforms[platform], textAt(keys, handle), sdu]
    }
  }
}

function* connections(
  { sections }: Snapshot,
  sdus: readonly string[],
): Generator<readonly unknown[], void> {
  const peers = new StoredPeers(sections)
  for (const [ordinal, sdu] of sdus.entries()) {
    for (const peer of peers.of(ordinal)) yield [sdu, sdus[peer]]
  }
}

/**
 * The changes that a directory has, in the order in which they happened.
 * @param since the id of the snapshot behind which they begin, or its beginning; all changes unless given.
 * @returns undefined if no change leads to that snapshot.
 */
export function changeTable(directory: string, since?: string): ExportTable | undefined {
  const entries = changeEntries(directory)
  const place = since === undefined ? -1 : entries.findIndex(({ id }) => id.startsWith(since))
  if (since !== undefined && place < 0) return undefined
  const wanted = entries.slice(place + 1)
  return {
    name: 'changes',
    columns: columns({
      number: 'integer',
      snapshot: 'text',
      type: 'text',
      sdu: 'text',
      topic: 'text',
      before: 'json',
      after: 'json',
    }),
    rowCount: wanted.length,
    rows: changes(wanted),
  }
}

function* changes(entries: readonly ChangeEntry[]): Generator<readonly unknown[], void> {
  for (const { number, id, path } of entries) {
    for (const person of peopleOf(readChangeFile(path))) {
      for (const { type, sdu, topic, before, after } of changeItemsOf(person)) {
        yield [number, id, type, sdu, topic, before, after]
      }
    }
  }
}
