/** Columns: the figures of lists and lines are those of the answers, in every spelling of a handle. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvalidParameter } from '../../../src/library/failures.ts'
import { Queries } from '../../../src/library/queries.ts'
import { servedOf } from '../../support/built.ts'
import {
  authority,
  handlePool,
  identifierQueries,
  labelPool,
  smallSources,
} from '../../support/records.ts'

const handle = fc.oneof(
  fc.constantFrom(...handlePool, ...identifierQueries),
  fc.constantFrom(
    '@ann',
    'ANN',
    'twitter:ann',
    'github:bob',
    ' ann ',
    'nobody',
    'é',
    '李明',
    '.io',
  ),
  fc.constantFrom('https://x.com/ann', 'ann@mastodon.social', `u${'c'.repeat(23)}`, 'a.com', '-'),
  fc.string({ minLength: 1, maxLength: 12 }).filter((text) => /\S/.test(text) && !/\n/.test(text)),
)
const handles = fc.array(handle, { minLength: 1, maxLength: 40 })

function indexOf(source: Parameters<typeof servedOf>[0]): Queries {
  const served = servedOf(source)
  return new Queries(() => served)
}

function expected(index: Queries, sent: readonly string[]) {
  const fields = ['authority_score', 'rank'] as const
  const { results } = index.match(sent, { aligned: true, fields })
  return results as ({ authority_score: number; rank: number } | null)[]
}

describe('columns', () => {
  it('are the scores and core ranks of an aligned match, of lists and of lines', () => {
    fc.assert(
      fc.property(smallSources, handles, fc.boolean(), (source, sent, isEnded) => {
        const index = indexOf(source)
        const owners = expected(index, sent)
        const scores = owners.map((owner) => owner?.authority_score ?? Number.NaN)
        const ranks = owners.map((owner) => owner?.rank ?? 0)
        const lines = Buffer.from(sent.join('\n') + (isEnded ? '\n' : ''))
        for (const column of [sent, lines]) {
          expect([...index.scores(column)]).toEqual(scores)
          expect([...index.ranks(column)]).toEqual(ranks)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('are the ranks in a topic that a ranking of sources gives', () => {
    fc.assert(
      fc.property(smallSources, handles, fc.constantFrom(...labelPool), (source, sent, topic) => {
        const index = indexOf(source)
        let items: readonly { source: string; rank: number | null }[]
        try {
          items = index.rank(sent, { topic }).results
        } catch {
          expect(() => index.ranks(sent, topic)).toThrow(InvalidParameter)
          return
        }
        const rankOf = new Map(items.map((item) => [item.source, item.rank ?? 0]))
        expect([...index.ranks(sent, topic)]).toEqual(sent.map((each) => rankOf.get(each)))
      }),
      { numRuns: 40 },
    )
  })

  it('refuse what is no list of texts, and a column that is too short', () => {
    const index = indexOf({ authorities: [authority({ sdu: '1' })] })
    const wrong = (value: unknown) => () => index.scores(value as string[])
    expect(wrong('ann,bob')).toThrow(/handles: a list of texts/)
    expect(wrong(undefined)).toThrow(InvalidParameter)
    expect(wrong(['ann', 7])).toThrow(/handles\[1\]: not a text/)
    for (const column of [['a', 'b', 'c'], Buffer.from('a\nb\nc')]) {
      const short = { out: new Uint32Array(2) }
      expect(() => index.ranks(column, undefined, short)).toThrow(InvalidParameter)
      expect(() => index.scores(column, { out: new Float64Array(2) })).toThrow(/out: .*, 2$/)
    }
    const given = { out: new Float64Array(3) }
    expect(() => index.scores('ann' as never, given)).toThrow(InvalidParameter)
  })

  it('take more handles than a request, long ones too, and fill what they are given', () => {
    fc.assert(
      fc.property(smallSources, (source) => {
        const index = indexOf(source)
        const sent = Array.from({ length: 2_500 }, (_, place) =>
          place % 5 === 4
            ? `${'long'.repeat(place % 700)}`
            : handlePool[place % handlePool.length]!,
        )
        const one = sent.map((each) => index.scores([each])[0]!)
        const out = new Float64Array(3_000).fill(-1)
        expect(index.scores(sent, { out })).toBe(out)
        expect([...out.subarray(0, sent.length)]).toEqual(one)
        expect(out[sent.length]).toBe(-1)
        expect([...index.scores(Buffer.from(sent.join('\n')))]).toEqual(one)
        expect(index.scores([]).length + index.scores(new Uint8Array(0)).length).toBe(0)
      }),
      { numRuns: 3 },
    )
  })
})
