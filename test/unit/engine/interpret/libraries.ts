/** Small indexes whose postings a scan of every person gives, too. */
import fc from 'fast-check'
import { Postings } from '../../../../src/engine/postings/postings.ts'
import { snapshotOf } from '../../../support/built.ts'
import { authority } from '../../../support/records.ts'

/** What the bios hold. */
export const words = ['an', 'and', 'andes', 'ant', 'bee', 'be', 'café', '田', 'я', 'zulu']

/**
 * People whose bios hold some of the words, and the postings over them. Often many others hold none,
 * so that words are rare enough for filters whose bits stand for several people.
 */
export const libraries = fc
  .tuple(
    fc.array(fc.tuple(fc.subarray(words), fc.subarray(words, { maxLength: 2 })), {
      minLength: 1,
      maxLength: 60,
    }),
    fc.constantFrom(0, 0, 10, 40),
  )
  .map(([some, others]) => {
    const nobodies = Array.from({ length: others }, (): [string[], string[]] => [[], []])
    const everyone = some.flatMap((person) => [person, ...nobodies])
    const authorities = everyone.map(([bio, name], index) =>
      authority({ sdu: String(index + 1), name: `x ${name.join(' ')}`, bio: bio.join(' ') }),
    )
    const { header, sections } = snapshotOf({ authorities })
    const postings = new Postings(sections, header.counts)
    const people = authorities.map((_, ordinal) => ordinal)
    // Of equal scores, people are numbered by their SDUs.
    const all = (field: 'name' | 'word', term: string): number[] =>
      people.filter((ordinal) => {
        const [bio, name] = everyone[ordinal]!
        // The topic of everybody is Rust.
        const held = field === 'name' ? ['x', ...name] : ['x', 'rust', ...bio, ...name]
        return held.some((word) => termOf(word) === term)
      })
    return { postings, all, people }
  })

/** The term of a word. */
export function termOf(text: string): string {
  return text === 'café' ? 'cafe' : text
}
