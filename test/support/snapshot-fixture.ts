/** Snapshots for the tests of the file: small ones that have something in every section. */
import { type Snapshot, sealed } from '../../src/snapshot/file.ts'
import type { Counts, PlainName, Sections } from '../../src/snapshot/sections.ts'
import { snapshotOf } from './built.ts'
import { authority, connection, type Records, social, topic } from './records.ts'

/** Four authorities; `ann` is a handle of two of them, and has no owner on a third platform. */
export const fixtureRecords: Partial<Records> = {
  authorities: [
    authority({
      sdu: '1',
      name: 'Ann Ünal',
      bio: 'Writes.',
      countryName: 'France',
      socials: [social('twitter', 'ann', 5)],
      authorityScore: 90,
      source: 'https://example.org/people',
      attributes: [{ key: 'region', value: 'Texas' }],
    }),
    authority({
      sdu: '2',
      topics: [topic('Go'), topic('Rust')],
      socials: [social('github', 'Ann'), social('youtube', '@bo')],
      authorityScore: 80,
      attributes: [
        { key: 'region', value: 'Texas' },
        { key: 'party', value: 'Independent' },
      ],
    }),
    authority({ sdu: '3', countryName: 'Peru', authorityScore: 70 }),
    authority({
      sdu: '4',
      topics: [topic('Go')],
      authorityScore: 70,
      identifiers: [{ scheme: 'wikidata', value: 'Q42' }],
    }),
  ],
  topics: [{ topic: 'Go', aliases: ['golang'] }],
  connections: [
    connection('1', '3'),
    connection('4', '1'),
    connection('2', '3', { kind: 'coauthor' }),
    connection('twitter:nobody', '4'),
    connection('instagram:ann', '3'),
  ],
}

const snapshot = snapshotOf(fixtureRecords)

/** The snapshot of the fixture; a test that changes a section copies it first. */
export function fixtureSnapshot(): Snapshot {
  return snapshot
}

/** A snapshot's content under a header that fits it: checksums, offsets and id are right. */
export function resealed(
  { header, sections }: Snapshot,
  changes: { sections?: Partial<Sections>; counts?: Partial<Counts> } = {},
): Snapshot {
  const changed = { ...sections, ...changes.sections } as Sections
  const counts = { ...header.counts, ...changes.counts }
  return sealed({ ...header, counts }, changed)
}

/** A snapshot whose sections contradict each other, under a header that fits them. */
export function contradictory(): Snapshot {
  return resealed(snapshot, { sections: withElement(snapshot.sections, 'peer.gaps', 0, 99) })
}

/** A copy of a section; its own, which the slice of a Buffer would not be. */
export function copyOf(sections: Sections, name: PlainName): Sections[PlainName] {
  const section = sections[name]
  const Elements = section.constructor as Uint8ArrayConstructor
  return new Elements(section) as Sections[PlainName]
}

/** A copy of a section with one element set; a negative index counts from the end. */
export function withElement(
  sections: Sections,
  name: PlainName,
  index: number,
  value: number,
): Partial<Sections> {
  const copy = copyOf(sections, name)
  copy[index < 0 ? copy.length + index : index] = value
  return { [name]: copy } as Partial<Sections>
}
