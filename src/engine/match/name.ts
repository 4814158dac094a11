/** A name as the matcher sees it: its parts, and which of them a text must say to say it whole. */
import { isGeneration, isParticle } from '../../text/speech/name-parts.ts'

/** Parts of the longest name, and of the longest run that one word may be. */
const partsMax = 8
const runMax = 4

/** Masks have a bit for each part, the first in the lowest. */
export interface Name {
  readonly parts: readonly string[]
  /** The parts that a text must say to say it whole, at least one. */
  readonly core: number
  /** The parts that may be the surname. */
  readonly surnames: number
  /** The parts that are a letter. */
  readonly initials: number
  /** Whether it is a further name, of which only the words are known that a text says. */
  readonly isOther: boolean
}

/** The name of some words. */
export function nameOfWords(
  words: readonly string[],
  { isOther = false, isSurnameFirst = false } = {},
): Name {
  const parts = words.length <= partsMax ? words : words.slice(0, partsMax)
  let core = 0
  let initials = 0
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]!
    const isInside = at > 0 && at < parts.length - 1
    if (!(isInside && isParticle(part)) && !(at > 0 && isGeneration(part))) core |= 1 << at
    if (part.length === 1) initials |= 1 << at
  }
  const surnames = (1 << highestPart(core)) | (isSurnameFirst ? core & -core : 0)
  return { parts, core, surnames, initials, isOther }
}

/** How a word is parts of a name. */
export type Joining = 'run' | 'ends' | 'reversed'

/** Calls `take` with each way in which a word is parts of a name: one, some in a row, or both ends. */
export function eachPlaceOf(
  word: string,
  { parts }: Name,
  take: (mask: number, joining: Joining) => void,
): void {
  for (let from = 0; from < parts.length; from += 1) {
    let length = 0
    for (let to = from; to < Math.min(parts.length, from + runMax); to += 1) {
      if (parts[to] === '' || !word.startsWith(parts[to]!, length)) break
      length += parts[to]!.length
      if (length === word.length) take((1 << (to + 1)) - (1 << from), 'run')
    }
  }
  const last = parts.length - 1
  if (last < 1 || parts[last] === '' || word.length !== parts[0]!.length + parts[last]!.length)
    return
  const ends = 1 | (1 << last)
  if (last > 1 && word.startsWith(parts[0]!) && word.endsWith(parts[last]!)) take(ends, 'ends')
  if (word.startsWith(parts[last]!) && word.endsWith(parts[0]!)) take(ends, 'reversed')
}

/** The number of the first part of a mask, which has one. */
export function lowestPart(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

/** The number of the last part of a mask, which has one. */
export function highestPart(mask: number): number {
  return 31 - Math.clz32(mask)
}
