/** Postings against brute force: which terms begin with a text, and which of them are the commonest. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { libraries, termOf, words } from '../interpret/libraries.ts'

describe('the commonest terms', () => {
  it('of those with one beginning are the ones most authorities hold, then the first, none that nobody holds', () => {
    const plan = fc.tuple(
      fc.constantFrom('', 'a', 'an', 'be', 'z', 'q', '田'),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom<'name' | 'word'>('name', 'word'),
    )
    fc.assert(
      fc.property(libraries, plan, ({ postings, all }, [prefix, count, field]) => {
        const range = postings.startingWith(prefix)
        const expected = ['x', 'rust', ...words.map(termOf)]
          .filter((term) => term.startsWith(prefix) && all(field, term).length > 0)
          .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .map((term) => ({ number: postings.numberOf(term), size: all(field, term).length }))
          .sort((a, b) => b.size - a.size)
          .slice(0, count)
        expect(postings.commonest(field, range, count)).toEqual(
          expected.map(({ number }) => number),
        )
      }),
      { numRuns: 40 },
    )
  })
})
