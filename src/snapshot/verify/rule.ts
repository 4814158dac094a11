/**
 * A rule that sections obey: each of so many entries is right. One loop runs all of them (`verify.ts`). A rule reads its
 * columns before the loop: to look a name up takes a hundred times as long as to read a number.
 */
import { slotCount } from '../../memory/text-table.ts'
import type { Counts, References, SectionName, Sections } from '../sections.ts'

/** Entries between two rests, some tenths of a millisecond. */
const usualStep = 1 << 13

export interface Verified {
  readonly sections: Sections
  readonly counts: Counts
  /** Whether texts stay in the file: reading it has compared them with their ends. */
  readonly isOnDisk: boolean
}

export interface Rule {
  readonly section: SectionName
  /** The kind of an entry, which is reported with its number; without it the problem stands alone. */
  readonly each?: string | undefined
  readonly problem: string
  readonly entries: number
  /** Entries between two rests: few where each takes long. */
  readonly step: number
  /** The first entry from `start` to before `end` that breaks the rule, or -1. Called once for each range, in order. */
  readonly firstWrong: (start: number, end: number) => number
}

/** Rules in their order: a later one may read through what the earlier ones have proved. */
export type Rules = Generator<Rule, void, undefined>

export function isSo(section: SectionName, isRight: boolean, problem: string): Rule {
  return { section, problem, entries: 1, step: 1, firstWrong: () => (isRight ? -1 : 0) }
}

/** A rule of each entry. @param isRight called with the entries in their order, each once. */
export function every(
  section: SectionName,
  [each, entries, step = usualStep]: readonly [each: string, entries: number, step?: number],
  problem: string,
  isRight: (entry: number) => boolean,
): Rule {
  const firstWrong = (start: number, end: number) => {
    for (let entry = start; entry < end; entry += 1) if (!isRight(entry)) return entry
    return -1
  }
  return { section, each, problem, entries, step, firstWrong }
}

export function countsAs(section: SectionName, numbers: References, count: number, of: string) {
  return isSo(section, numbers.length === count, `length is not the number of ${of}`)
}

export function isEqual(section: SectionName, found: Uint32Array, made: Uint32Array, of: string) {
  const isEach = found.length === made.length && found.every((each, at) => each === made[at])
  return isSo(section, isEach, `are not ${of}`)
}

export function areBelow(section: SectionName, numbers: References, below: number): Rule {
  const firstWrong = (start: number, end: number) => {
    for (let index = start; index < end; index += 1) if (numbers[index]! >= below) return index
    return -1
  }
  const problem = 'a reference is out of range'
  return { section, problem, entries: numbers.length, step: usualStep, firstWrong }
}

/** Starts begin with 0, do not fall, and end exactly at `last`. */
export function* rise(section: SectionName, starts: Uint32Array, last: number): Rules {
  let before = 0
  yield isSo(section, starts[0] === 0, 'the first offset is not 0')
  yield every(section, ['offset', starts.length], 'is out of order', (index) => {
    const isInOrder = starts[index]! >= before
    before = starts[index]!
    return isInOrder
  })
  yield isSo(section, starts.at(-1) === last, 'the last offset is not the end')
}

/** Each list ascends, so that only its last number can be the one that is out of range. */
export function areAscending(
  section: SectionName,
  starts: Uint32Array,
  values: References,
  below: number,
): Rule {
  const problem = 'does not ascend, or refers to nothing'
  return every(section, ['list', starts.length - 1], problem, (list) =>
    doAscend({ values, start: starts[list]!, end: starts[list + 1]! }, below),
  )
}

export function doAscend(
  { values, start, end }: { values: References; start: number; end: number },
  below: number,
): boolean {
  let before = -1
  for (let index = start; index < end; index += 1) {
    const value = values[index]!
    if (value <= before) return false
    before = value
  }
  return before < below
}

/** As many slots as texts are filled: where each text is found, too, no slot is out of range and every probe ends. */
export function* fill(section: SectionName, slots: Uint32Array, count: number): Rules {
  const isAsLong = slots.length === slotCount(count)
  yield isSo(section, isAsLong, 'length is not that of a table of its texts')
  let filled = 0
  yield every(section, ['slot', slots.length], `is one more than for ${count} texts`, (slot) => {
    if (slots[slot] !== 0) filled += 1
    return filled <= count
  })
  yield isSo(section, filled === count, `does not hold ${count} texts`)
}
