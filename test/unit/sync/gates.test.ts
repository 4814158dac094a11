import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { identitySlots } from '../../../src/snapshot/people/identities.ts'
import { probeProblems } from '../../../src/sync/gates.ts'
import { collected, snapshotOf } from '../../support/built.ts'
import { authority, smallSources, social, topic } from '../../support/records.ts'

/** So many people, ten topics among them. */
function people(count: number): Snapshot {
  const numbers = Array.from({ length: count }, (_, index) => index + 1)
  return snapshotOf({
    authorities: numbers.map((number) =>
      authority({ sdu: String(number), topics: [topic(`Topic ${number % 10}`)] }),
    ),
  })
}

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

  it('have nothing against two topics of equal size with one phrase', () => {
    const authorities = ['Go', 'C#'].map((label, index) =>
      authority({ sdu: String(index), topics: [topic(label)] }),
    )
    const topics = [{ topic: 'Go', aliases: ['c sharp'] }]
    expect(probeProblems(snapshotOf({ authorities, topics }))).toEqual([])
  })

  it('have nothing against handles and topics that look like something else', () => {
    const handles = [
      ...['a:b', 'x.com', 'https://x.com/ann', 'a&b=c', '%41', 'a+b', '東京', '1', '@@c'],
      ...['@ann:matrix.org', 'did:plc:z72i7hdynmk6r22z27h6tvur', '0000-0002-1694-2330'],
    ]
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
    const nobody = {
      ...sections,
      'identity.slots': new Uint32Array(sections['identity.slots'].length),
    }
    expect(probeProblems({ header, sections: nobody })).toEqual(
      ['1', '2', '3'].map((sdu) => `detail does not answer ${sdu}`),
    )
  })

  it('find people whose SDUs lead to another', () => {
    const { header, sections } = people(3)
    const text = Buffer.from(
      Buffer.from(sections['identity.json'])
        .toString()
        .replace('"1"', '"x"')
        .replace('"2"', '"1"')
        .replace('"x"', '"2"'),
    )
    const slots = identitySlots({ text, starts: sections['identity.starts'] })
    const others = { ...sections, 'identity.slots': slots }
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
