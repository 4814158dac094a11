/** Postings against brute force: who holds terms, the least of numbers, the commonest terms. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Least, Postings } from '../../../src/catalog/search/postings.ts'
import { snapshotOf } from '../../built.ts'
import { authority } from '../../records.ts'

const words = ['an', 'and', 'andes', 'ant', 'bee', 'be', 'café', '田', 'я', 'zulu']

/**
 * People whose bios hold some of the words, and the postings over them. Often many others hold none,
 * so that words are rare enough for filters whose bits stand for several people.
 */
const libraries = fc
  .tuple(
    fc.array(fc.tuple(fc.subarray(words), fc.subarray(words, { maxLength: 2 })), {
      minLength: 1,
      maxLength: 60,
    }),
    fc.constantFrom(0, 0, 10, 40),
  )
  .map(([people, others]) => {
    const nobodies = Array.from({ length: others }, (): [string[], string[]] => [[], []])
    const everyone = people.flatMap((person) => [person, ...nobodies])
    const authorities = everyone.map(([bio, name], index) =>
      authority({ sdu: String(index + 1), name: `x ${name.join(' ')}`, bio: bio.join(' ') }),
    )
    const { header, sections } = snapshotOf({ authorities })
    const postings = new Postings(sections, header.counts)
    const all = (field: 'name' | 'word', term: string): number[] => {
      const number = postings.numberOf(term)
      if (number < 0) return []
      const starts = sections[`${field}.starts`]
      return [...sections[`${field}.ordinals`].subarray(starts[number]!, starts[number + 1]!)]
    }
    return { postings, all }
  })

function termOf(text: string): string {
  return text === 'café' ? 'cafe' : text
}

describe('finding', () => {
  it('shows whoever holds each and any of some terms, and ends when told to', () => {
    const plan = fc.record({
      each: fc.subarray(words, { maxLength: 3 }),
      any: fc.subarray(words, { minLength: 1, maxLength: 4 }),
      field: fc.constantFrom<'name' | 'word'>('name', 'word'),
      most: fc.integer({ min: 1, max: 80 }),
    })
    fc.assert(
      fc.property(libraries, plan, ({ postings, all }, { each, any, field, most }) => {
        const numbersOf = (texts: string[]) => texts.map((text) => postings.numberOf(termOf(text)))
        fc.pre(![...numbersOf(each), ...numbersOf(any)].includes(-1))
        const found = new Least(most)
        postings.find(field, numbersOf(each), numbersOf(any), (ordinal) => found.take(ordinal))
        const expected = any
          .flatMap((word) => all(field, termOf(word)))
          .filter((ordinal) => each.every((word) => all(field, termOf(word)).includes(ordinal)))
          .sort((a, b) => a - b)
        expect(found.numbers).toEqual([...new Set(expected)].slice(0, most))
      }),
      { numRuns: 300 },
    )
  })
})

describe('the least', () => {
  it('of some numbers are kept, each once, and no larger one is wanted when there are enough', () => {
    const numbers = fc.array(fc.nat(30), { maxLength: 40 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 12 }), (shown, most) => {
        const least = new Least(most)
        for (const number of shown) {
          const wantsMore = least.take(number)
          expect(wantsMore).toBe(least.numbers.length < most || number < least.numbers.at(-1)!)
        }
        const expected = [...new Set(shown)].sort((a, b) => a - b).slice(0, most)
        expect(least.numbers).toEqual(expected)
      }),
    )
  })
})

describe('the commonest terms', () => {
  it('of those with one beginning are the ones most authorities hold, then the first', () => {
    const plan = fc.tuple(
      fc.constantFrom('', 'a', 'an', 'be', 'z', 'q', '田'),
      fc.integer({ min: 1, max: 6 }),
    )
    fc.assert(
      fc.property(libraries, plan, ({ postings, all }, [prefix, count]) => {
        const range = postings.startingWith(prefix)
        const expected = ['x', 'rust', ...words.map(termOf)]
          .filter((term) => term.startsWith(prefix) && all('word', term).length > 0)
          .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
          .map((term) => ({ number: postings.numberOf(term), size: all('word', term).length }))
          .sort((a, b) => b.size - a.size)
          .slice(0, count)
        expect(postings.commonest('word', range, count)).toEqual(
          expected.map(({ number }) => number),
        )
      }),
    )
  })
})
