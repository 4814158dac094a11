/** Rows of summaries: they say what the sections say. */
import { expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, topic } from '../../support/records.ts'

it('say the places of identities, ranks, countries and core topics as the sections do', () => {
  const people = 9
  const snapshot = snapshotOf({
    authorities: Array.from({ length: people }, (_, index) =>
      authority({
        sdu: String(index + 1),
        name: 'N'.repeat(index * 7 + 1),
        countryName: ['France', 'Peru', 'Kenya'][index % 3]!,
        topics: [topic(index % 4 === 0 ? 'Rust' : 'Health')],
      }),
    ),
  })
  const {
    catalog,
    catalog: { identities, sections, summaryRows },
  } = activate(snapshot)
  const rows = summaryRows!
  const all = Array.from({ length: people }, (_, ordinal) => ordinal)
  const said = all.map((each) => [
    ...[rows.startOf(each), rows.endOf(each), rows.rankOf(each)],
    ...[rows.countryOf(each), rows.topicOf(each)],
  ])
  expect(said).toEqual(
    all.map((each) => [
      ...[identities.startOf(each), identities.endOf(each), catalog.coreRanks[each]],
      ...[sections['authority.countries'][each], sections['authority.core-topics'][each]],
    ]),
  )
  for (const column of [2, 3, 4]) {
    expect(new Set(said.map((row) => row[column])).size).toBeGreaterThan(1)
  }
})
