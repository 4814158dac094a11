/** The report of sections that contradict each other, and how a check finds one. */
import type { Counts, References, SectionName, Sections } from '../sections.ts'

/** The section that a contradiction was found in, and what is wrong. */
interface Contradiction {
  readonly section: SectionName
  readonly problem: string
}

/** Called after each step: a check rests there while others are served. */
export type Rest = () => void

/** Entries or lists that are looked at in one step, some tenths of a millisecond. */
export const stepLength = 1 << 13

/** The first contradiction; undefined where the sections agree. */
export type Finding = Contradiction | undefined

/** Looks for a contradiction of one kind. */
export type Check = (sections: Sections, counts: Counts, rest: Rest, texts?: object) => Finding

/** Whether all of some numbers are below another. */
export function areBelow(values: References, below: number, rest: Rest): boolean {
  for (let index = 0; index < values.length; index += 1) {
    if (index % stepLength === 0) rest()
    if (values[index]! >= below) return false
  }
  return true
}
