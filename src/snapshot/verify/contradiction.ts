/** What is said of sections that contradict each other. */
import type { Counts, SectionName, Sections } from '../sections.ts'

/** The section that a contradiction was found in, and what is wrong. */
export interface Contradiction {
  readonly section: SectionName
  readonly problem: string
}

/** Looks for a contradiction of one kind; returns the first, or undefined. */
export type Check = (sections: Sections, counts: Counts) => Contradiction | undefined
