/** What is taken of a source, what is complained about, and what is left out in silence. */
import { describe, expect, it } from 'vitest'
import { Collector } from '../../../src/indexer/collector.ts'
import { collected } from '../../support/built.ts'
import { authority, connection, social, topic } from '../../support/records.ts'

const ann = authority({ sdu: '1', socials: [social('twitter', '@Ann', 10)] })
const bob = authority({ sdu: '2', socials: [social('twitter', 'bob')] })

describe('an authority', () => {
  it('is refused when an earlier one has its SDU, verified or not', () => {
    const { collector, complaints } = collected({
      authorities: [ann, { ...bob, sdu: '1' }, { ...bob, verified: false }, bob],
    })
    expect(complaints).toEqual([
      { field: 'sdu', reason: 'was taken by an earlier record' },
      { field: 'sdu', reason: 'was taken by an earlier record' },
    ])
    expect(collector.authorities).toBe(1)
  })

  it('is refused when a topic has no letters or digits, and leaves its SDU free', () => {
    const { collector, complaints } = collected({
      authorities: [{ ...ann, topics: [topic('Rust'), topic('?!')] }, ann],
    })
    expect(complaints).toEqual([{ field: 'topics.1', reason: 'has no letters or digits' }])
    expect(collector.authorities).toBe(1)
  })

  it('is left out without complaint when it is not verified', () => {
    const { collector, complaints } = collected({ authorities: [{ ...ann, verified: false }] })
    expect(complaints).toEqual([])
    expect(collector.authorities).toBe(0)
  })

  describe('that claims a handle of another', () => {
    const late = authority({
      sdu: '2',
      socials: [social('twitter', 'ANN', 5), social('github', 'ann', 7)],
    })

    /** What becomes of both, who stand at lines 1 and 2. */
    function contested(before?: number, corrected: readonly number[] = []) {
      const collector = new Collector()
      for (const [index, record] of [ann, late].entries()) {
        const isCorrected = () => corrected.includes(index)
        collector.addAuthority(record, { position: `line ${index + 1}`, isCorrected })
      }
      const complaints = collector.settleClaims(() => before)
      const items = [0, 1].map((each) => Buffer.from(collector.items.bytesOf(each)).toString())
      return {
        complaints: complaints.map(({ position, reason }) => `${position}: ${reason}`),
        followers: [...collector.followers.view()],
        node: collector.claims.nodeOf('twitter:ann'),
        shown: items.map((item) => item.includes('"twitter"')),
      }
    }

    const both = 'twitter:ann is claimed by line 1 and line 2'
    const nobody = `${both}; nobody has it until a correction decides`

    it('leaves it to nobody, and both are without its followers', () => {
      expect(contested()).toEqual({
        complaints: [`line 1: ${nobody}`, `line 2: ${nobody}`],
        followers: [0, 7],
        node: 2,
        shown: [false, false],
      })
    })

    it('names ten of the records that claim it, however many there are', () => {
      const collector = new Collector()
      for (let index = 0; index < 30; index += 1) {
        const record = authority({ sdu: String(index), socials: [social('twitter', 'none')] })
        const position = `line ${index + 1}`
        collector.addAuthority(record, { position, isCorrected: () => false })
      }
      const complaints = collector.settleClaims()
      expect(complaints).toHaveLength(30)
      const named = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join(' and ')
      expect(complaints[29]?.reason).toContain(`claimed by ${named} and 20 more; nobody has it`)
    })

    it('leaves it to the owner before, wherever both stand', () => {
      expect(contested(0)).toEqual({
        complaints: [`line 2: ${both}; line 1 has it`],
        followers: [10, 7],
        node: 0,
        shown: [true, false],
      })
      expect(contested(1)).toEqual({
        complaints: [`line 1: ${both}; line 2 has it`],
        followers: [0, 12],
        node: 1,
        shown: [false, true],
      })
    })

    it('has it by a correction, and nobody where two corrections give it', () => {
      expect(contested(0, [1])).toMatchObject({ node: 1, shown: [false, true] })
      expect(contested(0, [0, 1])).toMatchObject({ node: 2, shown: [false, false] })
      expect(contested(7)).toMatchObject({ node: 2 })
    })
  })

  it('claims its identifiers as it claims its handles, and once what it has in both', () => {
    const orcid = '0000-0002-1694-233X'
    const first = authority({
      sdu: '1',
      socials: [social('orcid', orcid)],
      identifiers: [
        { scheme: 'orcid', value: `https://orcid.org/${orcid}` },
        { scheme: 'wikidata', value: 'Q42' },
      ],
    })
    const second = authority({
      sdu: '2',
      identifiers: [
        { scheme: 'wikidata', value: 'https://www.wikidata.org/wiki/Q42' },
        { scheme: 'isni', value: '0000 0001 2103 2683' },
      ],
    })
    const { collector, complaints } = collected({ authorities: [first, second] })
    expect(complaints).toHaveLength(2)
    expect(complaints[0]).toMatchObject({
      field: 'identifiers.wikidata',
      reason: expect.stringContaining('wikidata:q42 is claimed by'),
    })
    expect(collector.authorities).toBe(2)
    expect([...collector.claims.claimNodes.view()]).toEqual([0, 2, 1])
  })

  it('stays without a handle that is none', () => {
    const nobody = authority({
      sdu: '1',
      socials: [social('orcid', '0000-0002-1694-2330')],
      identifiers: [{ scheme: 'wikidata', value: 'P31' }],
    })
    const { collector, complaints } = collected({ authorities: [nobody] })
    const reason = 'has a wrong form or a wrong check digit'
    expect(complaints).toEqual([
      { field: 'socials.orcid', reason: `orcid:0000-0002-1694-2330 ${reason}`, isLeftOut: true },
      { field: 'identifiers.wikidata', reason: `wikidata:P31 ${reason}`, isLeftOut: true },
    ])
    expect(collector.claims.handles.length).toBe(0)
  })
})

describe('a topic’s alias', () => {
  const authorities = [authority({ sdu: '1', topics: [topic('Rust'), topic('Go')] })]

  it('is refused when it is another topic, another’s alias, or no text', () => {
    const { complaints } = collected({
      authorities,
      topics: [
        { topic: 'Rust', aliases: ['go', 'rustlang', '+'] },
        { topic: 'Go', aliases: ['RustLang', 'golang'] },
      ],
    })
    expect(complaints).toEqual([
      { field: 'aliases.0', reason: 'is the name of another topic' },
      { field: 'aliases.2', reason: 'has no letters or digits' },
      { field: 'aliases.0', reason: 'stands for another topic' },
    ])
  })

  it('may repeat itself or its topic', () => {
    const { collector, complaints } = collected({
      authorities,
      topics: [
        { topic: 'rust', aliases: ['RUST', 'rustlang', 'Rust Lang'] },
        { topic: 'Rust', aliases: ['rustlang'] },
      ],
    })
    expect(complaints).toEqual([])
    expect(collector.topicNames.aliasKeys.length).toBe(2)
  })

  it('is left out without complaint when nobody has the topic', () => {
    const { collector, complaints } = collected({
      authorities,
      topics: [{ topic: 'Zig', aliases: ['ziglang'] }],
    })
    expect(complaints).toEqual([])
    expect(collector.topicNames.aliasKeys.length).toBe(0)
  })
})

describe('a connection', () => {
  it('is refused at the end that no authority has', () => {
    const { collector, complaints } = collected({
      authorities: [ann],
      connections: [connection('404', '1'), connection('1', '404')],
    })
    expect(complaints).toEqual([
      { field: 'from', reason: 'no authority has the SDU 404', isDangling: true },
      { field: 'to', reason: 'no authority has the SDU 404', isDangling: true },
    ])
    expect(collector.connections.from.length).toBe(0)
  })

  it('is left out without complaint between the handles of one person, or with the unverified', () => {
    const { collector, complaints } = collected({
      authorities: [ann, { ...bob, verified: false }],
      connections: [
        connection('1', 'twitter:ann'),
        connection('twitter:ann', 'twitter:ann'),
        connection('twitter:nobody', 'twitter:nobody'),
        connection('1', '2'),
      ],
    })
    expect(complaints).toEqual([])
    expect(collector.connections.from.length).toBe(0)
  })

  it('leaves nothing behind when it is not taken', () => {
    const { collector } = collected({
      authorities: [ann],
      connections: [connection('twitter:nobody', '404'), connection('twitter:a', 'twitter:a')],
    })
    expect(collector.nodes).toBe(1)
    expect(collector.claims.handles.length).toBe(1)
  })
})
