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
import { sectionsOf } from '../../support/table-sections.ts'

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

/** A number as a row has it: itself, an element or a count; and one more or less. */
function numberOf(text: string): number {
  const [what = '', sign, by] = text.split(' ')
  const [, name, index] = /^(.+)\[(\d+)\]$/.exec(what) ?? []
  const count = header.counts[what.replace('counts.', '') as keyof Counts]
  const number = name ? sections[name as PlainName][Number(index)]! : (count ?? Number(what))
  return number + Number(`${sign ?? ''}${by ?? 0}`)
}

function changesOf(change: string): Changes {
  const [, name = '', index, rest = ''] = /^([\w.-]+?)(?:\[(-?\d+)\])? (.*)$/.exec(change)!
  if (rest === 'cut') return cut(name as PlainName)
  if (rest.startsWith('<> ')) return swapped(name as PlainName, Number(index), Number(rest[4]))
  const number = numberOf(rest.slice('= '.length))
  if (index !== undefined) return set(name as PlainName, Number(index), number)
  return { counts: { [name.replace('counts.', '')]: number } }
}

const [{ rows } = { rows: [] }] = sectionsOf(new URL('contradictions.tsv', import.meta.url))
const contradictions: [string, string, Changes][] = [
  ...rows.map(([title = '', section = '', change = '']): [string, string, Changes] => {
    return [title, section, changesOf(change)]
  }),
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
  ['items without a comma', 'topic.json', set('topic.json', sections['topic.json-starts'][1]!, 32)],
  ['terms that are not in order', 'term.text', { sections: fallingTerms() }],
  [
    'pieces of other terms',
    'piece.terms',
    set('piece.terms', 0, sections['piece.terms'][0]! === 0 ? 1 : 0),
  ],
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
