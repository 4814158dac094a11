/**
 * The halves of what is asked: one that a change may be tuned on, and one of which only totals are printed. A person
 * with all texts about them is in one half, by a hash of the SDU.
 */

/** The halves. */
export const halves = ['tuning', 'held out'] as const

/** One of the halves. */
export type Half = (typeof halves)[number]

/** The half of a person by the SDU; of what is no person, by its text. */
export function halfOf(key: string): Half {
  return halves[hashOf(key) % 2]!
}

/** A number for a text. */
export function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + letter.codePointAt(0)!) % 1_000_003, 7)
}
