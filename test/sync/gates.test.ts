/** The gates: what a snapshot must answer, and how much it may differ from the one before. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillSlots } from '../../src/memory/text-table.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { changeProblems, probeProblems } from '../../src/sync/gates.ts'
import { collected, snapshotOf } from '../built.ts'
import { authority, smallSources, social, topic } from '../records.ts'

/** So many people from a number on; `topicOf` gives the core topic of each. */
function people(
  count: number,
  { from = 1, topicOf = (number: number) => `Topic ${number % 10}` } = {},
): Snapshot {
  const numbers = Array.from({ length: count }, (_, index) => from + index)
  return snapshotOf({
    authorities: numbers.map((number) =>
      authority({ sdu: String(number), topics: [topic(topicOf(number))] }),
    ),
  })
}

const limits = { authoritiesChangeMax: 0.2, topicsChangeMax: 0.2, coreTopicsChangeMax: 0.2 }
const open = { authoritiesChangeMax: 10, topicsChangeMax: 10, coreTopicsChangeMax: 10 }

describe('the probes', () => {
  it('have nothing against whatever the build makes of any source', () => {
    fc.assert(
      fc.property(smallSources, (records) => {
        fc.pre(collected(records).collector.authorities > 0)
        expect(probeProblems(snapshotOf(records))).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  it('have nothing against handles and topics that look like something else', () => {
    const handles = ['a:b', 'x.com', 'https://x.com/ann', 'a&b=c', '%41', 'a+b', '東京', '1', '@@c']
    const labels = ['a,b', 'limit=3&x', '100%', 'C#', '!?', 'https://x.com', '+']
    const socials = handles.map((handle, index) => social(`platform${index}`, handle))
    const authorities = labels.map((label, index) =>
      authority({
        sdu: String(index),
        topics: [topic(label)],
        socials: index === 0 ? socials : [],
      }),
    )
    expect(probeProblems(snapshotOf({ authorities }))).toEqual([])
  })

  it('find a person whom detail does not answer', () => {
    const { header, sections } = people(3)
    const nobody = { ...sections, 'sdu.slots': new Uint32Array(sections['sdu.slots'].length) }
    expect(probeProblems({ header, sections: nobody })).toEqual(
      ['1', '2', '3'].map((sdu) => `detail does not answer ${sdu}`),
    )
  })

  it('find a person who answers for another', () => {
    const { header, sections } = people(3)
    const text = Buffer.from('213')
    const slots = fillSlots({ text, ends: sections['sdu.ends'] })
    const others = { ...sections, 'sdu.text': text, 'sdu.slots': slots }
    expect(probeProblems({ header, sections: others })).toEqual(
      expect.arrayContaining(['2', '1'].map((sdu) => `detail does not answer ${sdu}`)),
    )
  })

  it('find a topic that search answers with the ranking of another', () => {
    const { header, sections } = people(2)
    const exchanged = { ...sections, 'topic-key.topics': sections['topic-key.topics'].toReversed() }
    expect(probeProblems({ header, sections: exchanged })).toHaveLength(2)
  })

  it('find a handle that match does not answer', () => {
    const authorities = [authority({ sdu: '1', socials: [social('github', 'ann')] })]
    const { header, sections } = snapshotOf({ authorities })
    const slots = new Uint32Array(sections['handle.slots'].length)
    const lost = { ...sections, 'handle.slots': slots }
    expect(probeProblems({ header, sections: lost })).toEqual(['match is wrong about ann'])
  })
})

describe('the limits on change let through', () => {
  it('no change at all, even when they are zero', () => {
    const zero = { authoritiesChangeMax: 0, topicsChangeMax: 0, coreTopicsChangeMax: 0 }
    expect(changeProblems(people(50), people(50), zero)).toEqual([])
  })

  it('a change as large as the limit, up or down', () => {
    expect(changeProblems(people(50), people(60), limits)).toEqual([])
    expect(changeProblems(people(50), people(40), limits)).toEqual([])
  })
})

describe('the limits on change hold back', () => {
  it.each([
    ['more authorities', 61, '22.0'],
    ['fewer authorities', 39, '22.0'],
    ['a few of many', 1, '98.0'],
  ])('%s', (_, count, changed) => {
    const one = { ...open, authoritiesChangeMax: 0.2 }
    expect(changeProblems(people(50), people(count), one)).toEqual([
      `authorities changed by ${changed} % of 20.0 %`,
    ])
  })

  it.each([
    ['more topics', 13],
    ['fewer topics', 7],
  ])('%s', (_, topics) => {
    const next = people(50, { topicOf: (number) => `Topic ${number % topics}` })
    const one = { ...open, topicsChangeMax: 0.2 }
    expect(changeProblems(people(50), next, one)).toEqual(['topics changed by 30.0 % of 20.0 %'])
  })

  it('people who are somewhere else now', () => {
    const topicOf = (number: number) => `Topic ${number <= 11 ? (number + 1) % 10 : number % 10}`
    expect(changeProblems(people(50), people(50, { topicOf }), limits)).toEqual([
      'core topics changed by 22.0 % of 20.0 %',
    ])
  })

  it('a topic by its label, not by its number', () => {
    // `Another` becomes the first of the topics in whatever order they are numbered.
    const topicOf = (number: number) => (number === 51 ? 'Another' : `Topic ${number % 10}`)
    expect(changeProblems(people(50), people(51, { topicOf }), limits)).toEqual([])
    const renamed = people(50, { topicOf: (number) => `Subject ${number % 10}` })
    expect(changeProblems(people(50), renamed, limits)).toEqual([
      'core topics changed by 100.0 % of 20.0 %',
    ])
  })

  it('as many people of whom none was there before', () => {
    expect(changeProblems(people(50), people(50, { from: 1001 }), limits)).toEqual([
      'core topics changed by 100.0 % of 20.0 %',
    ])
  })

  it('everything at once, each named', () => {
    const next = people(100, { topicOf: (number) => `New ${number}` })
    expect(
      changeProblems(people(50), next, limits).map((each) => each.split(' changed')[0]),
    ).toEqual(['authorities', 'topics', 'core topics'])
  })
})
