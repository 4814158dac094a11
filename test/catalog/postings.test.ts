/** Postings against brute force: cursors, unions, intersections, and the commonest terms of a range. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exhausted, intersect, Postings, UnionCursor } from '../../src/catalog/postings.ts'
import { snapshotOf } from '../built.ts'
import { authority } from '../records.ts'

const words = ['an', 'and', 'andes', 'ant', 'bee', 'be', 'café', '田', 'я', 'zulu']

/** People whose bios hold some of the words, and the postings over them. */
const libraries = fc
  .array(fc.tuple(fc.subarray(words), fc.subarray(words, { maxLength: 2 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((people) => {
    const authorities = people.map(([bio, name], index) =>
      authority({ sdu: String(index + 1), name: `x ${name.join(' ')}`, bio: bio.join(' ') }),
    )
    const { header, sections } = snapshotOf({ authorities })
    const postings = new Postings(sections, header.counts)
    const all = (field: 'name' | 'word', term: string): number[] => {
      const number = postings.find(term)
      if (number < 0) return []
      const starts = sections[`${field}.starts`]
      return [...sections[`${field}.ordinals`].subarray(starts[number]!, starts[number + 1]!)]
    }
    return { postings, all }
  })

function termOf(text: string): string {
  return text === 'café' ? 'cafe' : text
}

describe('a cursor', () => {
  it('answers the first that is not before the target, for targets that ascend', () => {
    const targets = fc.array(fc.nat(70), { maxLength: 20 })
    fc.assert(
      fc.property(libraries, fc.constantFrom(...words), targets, (library, word, unsorted) => {
        const term = library.postings.find(termOf(word))
        fc.pre(term >= 0)
        const list = library.all('word', termOf(word))
        const cursor = library.postings.cursor('word', term)
        for (const target of unsorted.sort((a, b) => a - b)) {
          const expected = list.find((ordinal) => ordinal >= target) ?? exhausted
          expect(cursor.seek(target)).toBe(expected)
        }
      }),
    )
  })
})

describe('an intersection', () => {
  it('is what every list holds, in order, and ends when enough are taken', () => {
    const plan = fc.record({
      each: fc.subarray(words, { minLength: 1, maxLength: 3 }),
      any: fc.subarray(words, { maxLength: 4 }),
      most: fc.integer({ min: 1, max: 80 }),
    })
    fc.assert(
      fc.property(libraries, plan, ({ postings, all }, { each, any, most }) => {
        const known = [...each, ...any].every((word) => postings.find(termOf(word)) >= 0)
        fc.pre(known)
        const cursorOf = (word: string) => postings.cursor('word', postings.find(termOf(word)))
        const cursors = each.map(cursorOf)
        if (any.length > 0) cursors.push(new UnionCursor(any.map(cursorOf)))
        const found: number[] = []
        intersect(cursors, (ordinal) => {
          found.push(ordinal)
          return found.length < most
        })
        const union = new Set(any.flatMap((word) => all('word', termOf(word))))
        const expected = all('word', termOf(each[0]!)).filter(
          (ordinal) =>
            each.every((word) => all('word', termOf(word)).includes(ordinal)) &&
            (any.length === 0 || union.has(ordinal)),
        )
        expect(found).toEqual(expected.slice(0, most))
      }),
    )
  })

  it('of no lists is nobody', () => {
    intersect([], () => {
      throw new Error('nobody can be taken')
    })
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
          .map((term) => ({ number: postings.find(term), size: all('word', term).length }))
          .sort((a, b) => b.size - a.size)
          .slice(0, count)
        expect(postings.commonest('word', range, count)).toEqual(
          expected.map(({ number }) => number),
        )
      }),
    )
  })
})
