/** A name as the matcher sees it: its parts, and which of them a text must say to say it whole. */
import { isGeneration, isParticle } from '../../text/speech/name-parts.ts'
import { costs } from './costs.ts'

const partsMax = 8

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

/**
 * Calls `take` with each way in which a word is parts of a name, and its cost: one part, or several in a row, with some
 * left out between, or the surname before the given name.
 */
export function eachPlaceOf(
  word: string,
  { parts }: Name,
  take: (mask: number, cost: number) => void,
): void {
  const placeFrom = (length: number, mask: number, last: number, cost: number): void => {
    for (let part = 0; part < parts.length; part += 1) {
      const text = parts[part]!
      if ((mask >> part) & 1 || text === '' || !word.startsWith(text, length)) continue
      const isBack = part < last
      // The order turns once.
      if (isBack && cost === costs.reversed) continue
      const isNext = last === -1 || part === last + 1
      const how = isBack ? costs.reversed : isNext ? cost : Math.max(cost, costs.ends)
      const end = length + text.length
      if (end === word.length) take(mask | (1 << part), how)
      else placeFrom(end, mask | (1 << part), part, how)
    }
  }
  placeFrom(0, 0, -1, 0)
}

export function lowestPart(mask: number): number {
  return 31 - Math.clz32(mask & -mask)
}

export function highestPart(mask: number): number {
  return 31 - Math.clz32(mask)
}
