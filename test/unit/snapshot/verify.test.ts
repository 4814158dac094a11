/** Sections that contradict each other under checksums that are right. */

import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { topicCountSections } from '../../../src/indexer/answer-sections.ts'
import { allTexts, encodeTexts, fillSlots, slotCount } from '../../../src/memory/text-table.ts'
import { writeSnapshot } from '../../../src/snapshot/file.ts'
import { beforeSdu, identitySlots, sduStart } from '../../../src/snapshot/people/identities.ts'
import {
  type Counts,
  declarations,
  type PlainName,
  type Sections,
  sectionNames,
  wholeShare,
} from '../../../src/snapshot/sections.ts'
import { loadSnapshot } from '../../../src/snapshot/store/directory.ts'
import { textsOf } from '../../../src/snapshot/text-tables.ts'
import { verifySections } from '../../../src/snapshot/verify/verify.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority, social, topic } from '../../support/records.ts'
import {
  copyOf,
  fixtureRecords,
  fixtureSnapshot,
  resealed,
  withElement,
} from '../../support/snapshot-fixture.ts'

interface Changes {
  sections?: Partial<Sections>
  counts?: Partial<Counts>
}

/** The ordinals of `Rust` are 0, 1 and 2, those of `Go` 1 and 3; node 3 is connected with 0. */
const { sections, header } = fixtureSnapshot()

function swapped(name: PlainName, first: number, second: number): Changes {
  const copy = copyOf(sections, name)
  const value = copy[first]!
  copy[first] = copy[second]!
  copy[second] = value
  return { sections: { [name]: copy } as Partial<Sections> }
}

function set(name: PlainName, index: number, value: number): Changes {
  return { sections: withElement(sections, name, index, value) }
}

function cut(name: PlainName): Changes {
  return { sections: { [name]: sections[name].slice(0, -1) } as Partial<Sections> }
}

/** The offset of the first digit of an SDU. */
function sduAt(ordinal: number): number {
  return sduStart(sections['identity.starts'][ordinal]!)
}

/** Slots without an empty one: each free place repeats the first entry. */
function fullSlots(): Uint32Array {
  const slots = sections['identity.slots'].slice()
  const filled = slots.find((value) => value !== 0)!
  return slots.map((value) => value || filled)
}

/** The terms in descending order, in a table that finds them. */
function fallingTerms(): Partial<Sections> {
  const texts = encodeTexts(allTexts(textsOf({ sections }, 'term')).reverse())
  const slots = fillSlots(texts)
  return { 'term.text': texts.text, 'term.starts': texts.starts, 'term.slots': slots }
}

const contradictions: [string, PlainName, Changes][] = [
  ['starts that fall', 'identity.starts', set('identity.starts', 1, 300)],
  ['starts that do not begin at 0', 'identity.starts', set('identity.starts', 0, 1)],
  ['a last start that is not the end', 'profile.starts', set('profile.starts', -1, 1_000_000)],
  ['a text that goes on', 'country.starts', cut('country.text')],
  ['an authority too many', 'authority.scores', { counts: { authorities: 5 } }],
  ['a topic too few', 'authority.core-topics', { counts: { topics: 1 } }],
  ['a country too many', 'country.starts', { counts: { countries: 9 } }],
  ['a handle too few', 'handle.starts', { counts: { handles: 2 } }],
  ['no node at all', 'evidence.endorser-counts', { counts: { nodes: 0 } }],
  ['a peer list too many', 'peer.starts', { counts: { peerLists: header.counts.peerLists + 1 } }],
  ['a term too many', 'term.starts', { counts: { terms: header.counts.terms + 1 } }],
  ['a core topic out of range', 'authority.core-topics', set('authority.core-topics', 0, 2)],
  ['a country out of range', 'authority.countries', set('authority.countries', 0, 99)],
  ['a column that is short', 'authority.scores', cut('authority.scores')],
  ['a member out of range', 'topic.members', set('topic.members', 0, 4)],
  [
    'a member that stands twice',
    'topic.members',
    set('topic.members', 0, sections['topic.members'][1]!),
  ],
  ['members in another order', 'authority.core-ranks', swapped('topic.members', 0, 1)],
  ['a rank of 0', 'authority.core-ranks', set('authority.core-ranks', 0, 0)],
  ['lists that do not begin at 0', 'topic.member-starts', set('topic.member-starts', 0, 1)],
  ['lists out of order', 'topic.member-starts', set('topic.member-starts', 1, 99)],
  ['a peer out of range', 'peer.gaps', set('peer.gaps', -1, 4)],
  ['a peer that goes on behind its list', 'peer.gaps', set('peer.gaps', -1, 0x80)],
  [
    'a table without an empty slot',
    'identity.slots',
    { sections: { 'identity.slots': fullSlots() } },
  ],
  [
    'a table of no text',
    'identity.slots',
    { sections: { 'identity.slots': new Uint32Array(slotCount(4)) } },
  ],
  ['an identity without a member before the SDU', 'identity.json', set('identity.json', 2, 0x53)],
  ['an identity without a name', 'identity.json', set('identity.json', 9, 0x31)],
  [
    'an identity that goes on behind the name',
    'identity.json',
    set('identity.starts', 1, sections['identity.starts'][1]! + 1),
  ],
  ['a table of another size', 'handle.slots', { sections: { 'handle.slots': new Uint32Array(4) } }],
  [
    'a slot out of range',
    'identity.slots',
    set(
      'identity.slots',
      sections['identity.slots'].findIndex((value) => value > 0),
      7,
    ),
  ],
  [
    'two texts that are the same',
    'identity.slots',
    set('identity.json', sduAt(0), sections['identity.json'][sduAt(1)]!),
  ],
  ['scores that rise', 'authority.scores', swapped('authority.scores', 0, 1)],
  ['a country without its member', 'summary.country-starts', cut('summary.country-starts')],
  ['a topic without its member', 'summary.topic-starts', cut('summary.topic-starts')],
  ['an alias of no topic', 'topic-key.topics', set('topic-key.topics', 2, 2)],
  ['an item that is no object', 'topic.json', set('topic.json', 0, 91)],
  ['items without a comma', 'topic.json', set('topic.json', sections['topic.json-starts'][1]!, 32)],
  [
    'items of another length',
    'topic.json',
    set('topic.json-starts', 1, sections['topic.json-starts'][1]! - 1),
  ],
  ['too few items of a topic', 'topic.item-starts', set('topic.item-starts', 1, 1)],
  ['a node out of range', 'handle.nodes', set('handle.nodes', -1, 99)],
  ['a platform out of range', 'handle.platforms', set('handle.platforms', 0, 99)],
  ['peers of another handle', 'handle.shared', set('handle.shared', 0, 99)],
  ['a handle without its own peers', 'handle.shared', cut('handle.shared')],
  ['terms that are not in order', 'term.text', { sections: fallingTerms() }],
  [
    'pieces of other terms',
    'piece.terms',
    set('piece.terms', 0, sections['piece.terms'][0]! === 0 ? 1 : 0),
  ],
  ['letters of other pieces', 'piece.letters', set('piece.letters', 0, 0)],
  ['shares that rise', 'topic.shares', swapped('topic.shares', 0, 1)],
  ['shares that are not the whole', 'topic.shares', set('topic.shares', 0, 0xffff_ffff)],
  [
    'more of its own than it has',
    'evidence.own-shares',
    set('evidence.own-shares', 0, sections['topic.shares'][0]! + 1),
  ],
  ['a share from nobody', 'evidence.own-shares', set('evidence.own-shares', 2, 0)],
  ['an endorser too few', 'evidence.starts', set('evidence.endorser-counts', 0, 3)],
  ['an endorser less than there are', 'evidence.endorser-shares', cut('evidence.endorsers')],
  ['a share too few', 'evidence.endorser-shares', cut('evidence.endorser-shares')],
  ['a kind too few', 'evidence.endorser-kinds', cut('evidence.endorser-kinds')],
  ['endorsers of another rank', 'evidence.starts', set('evidence.starts', 0, 1)],
  [
    'an endorser who is no member',
    'evidence.endorsers',
    set('evidence.endorsers', 0, header.counts.nodes - 1),
  ],
  [
    'endorsers who give more than there is',
    'evidence.endorser-shares',
    set('evidence.endorser-shares', 0, 0xffff_fff0),
  ],
  ['a kind out of range', 'evidence.endorser-kinds', set('evidence.endorser-kinds', 0, 5)],
  [
    'parts that are not the whole of their own',
    'evidence.own-wholes',
    set('evidence.own-wholes', 0, 1),
  ],
  [
    'a rank that falls without more endorsers than it has',
    'evidence.losses-to-fall-1',
    set('evidence.losses-to-fall-1', 0, 0xff),
  ],
  [
    'a rank that falls by ten places before it falls by one',
    'evidence.losses-to-fall-10',
    set('evidence.losses-to-fall-10', 0, 0xfe),
  ],
  ['a rank too many', 'evidence.own-shares', { counts: { ranks: header.counts.ranks + 1 } }],
  [
    'a handle that nobody owns in the place of another',
    'unowned.places',
    swapped('unowned.places', 0, 1),
  ],
  ['a source that is not there', 'authority.provenances', set('authority.provenances', 0, 2)],
  ['a rank of somebody else', 'meaning.topic-ranks', swapped('meaning.topic-ranks', 0, 1)],
  ['a place of no country', 'place.countries', set('place.countries', 0, 99)],
  ['a phrase of no topic', 'phrase.topics', set('phrase.topics', 0, 3)],
  ['a code of no place', 'phrase.codes', set('phrase.codes', -1, 3)],
  [
    'a topic that is not the core topic first',
    'authority.topics',
    swapped('authority.topics', 1, 2),
  ],
  [
    'a member without its topic',
    'authority.topics',
    set('authority.topics', 1, sections['authority.topics'][0]!),
  ],
  [
    'platforms of a set that do not ascend',
    'platform-set.platforms',
    swapped('platform-set.platforms', 1, 2),
  ],
  ['a phrase of no attribute', 'phrase.attributes', set('phrase.attributes', 0, 3)],
  ['a word of nobody known', 'word.ordinals', set('word.ordinals', -1, 4)],
  ['a list that is not at its place', 'word.places', set('word.places', -1, 0)],
  ['a word that too many hold', 'word.starts', set('word.starts', 1, 5)],
  ['a row that is not of its list', 'word.filters', set('word.filters', 0, 0)],
]

describe('a snapshot that contradicts itself is refused by file and section:', () => {
  it.each(contradictions)('%s', (_, section, changes) => {
    const path = join(temporaryDirectory(), 'contradictory.msgpack')
    writeSnapshot(path, resealed(fixtureSnapshot(), changes))
    expect(() => loadSnapshot(path)).toThrow(
      expect.objectContaining({
        code: 'snapshot-refused',
        message: expect.stringContaining(`${path}: section ${section}: `),
      }),
    )
  })

  it('equal scores whose SDUs are not in order', () => {
    const two = snapshotOf({
      authorities: ['8', '9'].map((sdu) => authority({ sdu, authorityScore: 50 })),
    })
    const text = two.sections['identity.json'].slice()
    text[beforeSdu.length] = '9'.charCodeAt(0)
    text[two.sections['identity.starts'][1]! + beforeSdu.length] = '8'.charCodeAt(0)
    const slots = identitySlots({ text, starts: two.sections['identity.starts'] })
    const changed = { ...two.sections, 'identity.json': text, 'identity.slots': slots }
    expect(verifySections(changed, two.header.counts)?.section).toBe('identity.json')
  })

  it('numbers of lists that are packed, each by itself', () => {
    const bios = Array.from({ length: 200 }, (_, index) =>
      [2, 5, 60].filter((every) => index % every === 0).map((every) => `word${every}`),
    )
    const { header: whole, sections: packed } = snapshotOf({
      authorities: bios.map((bio, index) =>
        authority({ sdu: String(index + 1), bio: bio.join(' '), authorityScore: 50 }),
      ),
    })
    expect(verifySections(packed, whole.counts)).toBeUndefined()
    for (const name of ['word.halves', 'word.ordinals', 'word.places', 'word.filters'] as const) {
      expect(packed[name].length).toBeGreaterThan(3)
      for (let index = 0; index < packed[name].length; index += 1) {
        // Whom a list is of within a bucket, nothing else tells.
        const isNumber = name === 'word.halves' || name === 'word.ordinals'
        const other = isNumber ? 0xffff : packed[name][index]! ^ 1
        const changed = withElement(packed, name, index, other)
        const contradiction = verifySections({ ...packed, ...changed } as Sections, whole.counts)
        if (contradiction === undefined) expect.fail(`${name}[${index}]`)
      }
    }
  })

  it('any number that is out of every range', () => {
    // Of followers there may be as many as a number holds, and a hash may be any number.
    const numbers = sectionNames.filter(
      (name) =>
        /^(uint32|reference)$/.test(declarations[name].type) &&
        name !== 'authority.followers' &&
        !name.endsWith('.hashes'),
    )
    expect(numbers.length).toBeGreaterThan(20)
    for (const name of numbers) {
      for (let index = 0; index < sections[name].length; index += 1) {
        // Who has all there is has it.
        if (sections[name][index] === wholeShare) continue
        const changed = { ...sections, ...set(name, index, wholeShare).sections } as Sections
        const contradiction = verifySections(changed, header.counts)
        if (contradiction === undefined) expect.fail(`${name}[${index}]`)
      }
    }
  })
})

describe('an index that leads elsewhere than to what it is of', () => {
  const people = [
    authority({ sdu: '1', topics: [topic('Go'), topic('Rust')], website: 'https://ann.example' }),
    authority({ sdu: '2', topics: [topic('Go')], website: 'https://bo.example/x' }),
    authority({ sdu: '3', topics: [topic('Go')], socials: [social('github', 'cy')] }),
  ]
  const { header: own, sections: plain } = snapshotOf({ authorities: people })
  const whole = { ...plain, ...topicCountSections(plain, 3) }

  it.each([
    ['website.starts', 1],
    ['website.values', 3],
    ['topic-count.topics', 2],
    ['topic-count.counts', 4],
    ['authority.summaries', 4],
    ['suggest.handle-owners', 1],
    ['suggest.topics', 1],
    ['suggest.topic-words', 1],
    ['suggest.topic-places', 1],
    ['suggest.name-levels', 9],
    ['block.checksums', 9],
  ] as const)('is found: %s', (name, value) => {
    expect(verifySections(whole, own.counts)).toBeUndefined()
    expect(whole[name].length).toBeGreaterThan(0)
    for (const index of whole[name].keys()) {
      const changed = whole[name].slice()
      if (name === 'topic-count.counts' && index !== whole['topic-count.topics'][0]) continue
      if (changed[index] === value) continue
      changed[index] = value
      const found = verifySections({ ...whole, [name]: changed } as Sections, own.counts)
      expect([index, found?.section.split('.')[0]]).toEqual([index, name.split('.')[0]])
    }
  })
})

describe('the fixture', () => {
  it('has something in every section, so that there is something to contradict', () => {
    const empty = sectionNames.filter((name) => sections[name].length === 0)
    // Of four people nothing is long enough for these: they have tests of their own.
    expect(empty).toEqual([
      ...['evidence.many-ranks', 'evidence.many-counts', 'word.halves'],
      ...['topic-count.topics', 'topic-count.counts', 'website.hashes', 'website.values'],
    ])
    expect(fixtureRecords.authorities?.length).toBe(header.counts.authorities)
  })
})
