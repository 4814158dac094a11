/** Texts of everybody in several pages: that nobody can tell them from one. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import { build } from '../../../src/indexer/indexer.ts'
import { type Snapshot, sealed, writeSnapshot } from '../../../src/snapshot/file.ts'
import { authoritiesPerPage, Profiles } from '../../../src/snapshot/people/profiles.ts'
import type { Sections } from '../../../src/snapshot/sections.ts'
import { loadSnapshot } from '../../../src/snapshot/store/directory.ts'
import { verifySections } from '../../../src/snapshot/verify/verify.ts'
import { ComparedFacts } from '../../../src/sync/changes/facts.ts'
import { ask, newApi } from '../../support/api-client.ts'
import { collected, temporaryDirectory } from '../../support/built.ts'
import { filedInMemory } from '../../support/filed-in-memory.ts'
import { fixtureRecords, fixtureSnapshot, withElement } from '../../support/snapshot-fixture.ts'

/** The snapshot of the fixture with so many of its four authorities on a page, from its file. */
function inPagesOf(perPage: number): Snapshot {
  const { collector, keywords } = collected(fixtureRecords)
  const texts = filedInMemory()
  const joined = build(collector, texts, () => {}, perPage)
  const { recipe, counts, sections } = joined(keywords.sections())
  const { createdAt, sourceFingerprint } = fixtureSnapshot().header
  const content = { createdAt, sourceFingerprint, recipe, counts }
  const path = join(temporaryDirectory(), 'paged.msgpack')
  writeSnapshot(path, sealed(content, sections, texts))
  return loadSnapshot(path)
}

const targets = [
  '/api/v1/index?query=rust',
  '/api/v1/index?query=writes',
  '/api/v1/index?query=go&fields=name,bio,topics',
  '/api/v1/index?query=rust&explain=true',
  '/api/v1/detail?sdus=1,2,3,4',
  '/api/v1/detail?sdus=4,1&fields=socials,website,rank',
  '/api/v1/peers?handles=nobody,ann',
  '/api/v1/match?handles=twitter:ann,github:ann,youtube:bo',
]

it.each([1, 2])('answers with %i to a page what it answers with all on one', (perPage) => {
  const paged = inPagesOf(perPage)
  const names = paged.header.sections.map(({ name }) => name)
  const behind = Array.from({ length: 4 / perPage - 1 }, (_, page) => `profile.json/${page + 1}`)
  expect(names.filter((name) => name.startsWith('profile.json/'))).toEqual(behind)
  const [api, whole] = [paged, fixtureSnapshot()].map((each) => newApi(activate(each)))
  for (const target of targets) {
    const { status, text } = ask(api!, target)
    expect({ target, status, text }).toEqual({
      target,
      status: 200,
      text: ask(whole!, target).text,
    })
  }
})

it.each([1, 2])('tells changes with %i to a page as with all on one', (perPage) => {
  const [paged, whole] = [
    new ComparedFacts(inPagesOf(perPage)),
    new ComparedFacts(fixtureSnapshot()),
  ]
  for (let ordinal = 0; ordinal < 4; ordinal += 1) {
    expect(paged.profileOf(ordinal)).toEqual(whole.profileOf(ordinal))
    for (let other = 0; other < 4; other += 1) {
      expect(paged.saysSame(ordinal, whole, other)).toBe(ordinal === other)
    }
  }
})

it.each([
  ['ends beyond its page', 5, 9_999],
  ['ends before its page does', 2, 10],
  ['begins behind the beginning of its page', 3, 1],
])('refuses an item that %s', (_, index, value) => {
  const { header, sections } = inPagesOf(2)
  const wrong = {
    ...sections,
    ...withElement(sections, 'profile.starts', index, value),
  } as Sections
  expect(verifySections(wrong, header.counts)?.section).toBe('profile.starts')
})

it('keeps a million on one page', () => {
  const { header } = fixtureSnapshot()
  expect(header.counts.authoritiesPerPage).toBe(authoritiesPerPage)
  expect(authoritiesPerPage).toBeGreaterThan(1_000_000)
  expect(new Profiles(fixtureSnapshot()).textAt(3)).toContain('"sdu":"4"')
})
