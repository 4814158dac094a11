/** Reads a text for all ways: its words, the same without contractions and particles, and its core. */
import {
  type Aside,
  asideOf,
  uncontracted,
  withoutParticles,
} from '../../../text/speech/aside-words.ts'
import { type QueryWord, readWords } from '../words.ts'
import type { Text } from './way.ts'

/** Reads what was typed. Later ways alone need more than the words, and make it when they ask. */
export function readText(query: string): Text {
  const words = readWords(query)
  let readings: readonly (readonly QueryWord[])[] | undefined
  let core: readonly QueryWord[] | undefined
  /** A text without words has no reading. */
  const lastOf = (text: Text) => text.readings.at(-1) ?? words
  return {
    query,
    words,
    get readings() {
      readings ??= readingsOf(query, words)
      return readings
    },
    get isCut() {
      const { core: named } = this
      return lastOf(this).some((word) => !word.isStop && !named.includes(word))
    },
    get isTitled() {
      const { core: named } = this
      return lastOf(this).some((word) => asideOf(word.text) === 'title' && !named.includes(word))
    },
    get core() {
      core ??= coreOf(lastOf(this))
      return core
    },
  }
}

function readingsOf(query: string, words: readonly QueryWord[]): readonly (readonly QueryWord[])[] {
  const texts = uncontracted(withoutParticles(query))
  return texts
    .map((text) => (text === query ? words : readWords(text)))
    .filter(({ length }) => length > 0)
}

/** A piece of some words: from one to before another. */
export interface Piece {
  readonly start: number
  readonly end: number
}

/**
 * The piece of some words without those at both ends that stand only around what is meant; where all of
 * them may, without those that only ask; undefined where nothing else is left.
 */
export function coreIn(words: readonly QueryWord[]): Piece | undefined {
  return pieceWithout(words, () => true) ?? pieceWithout(words, (kind) => kind === 'asks')
}

function pieceWithout(
  words: readonly QueryWord[],
  isLeftOut: (kind: Aside) => boolean,
): Piece | undefined {
  const says = ({ text, isExact }: QueryWord) => {
    const kind = asideOf(text)
    return isExact || kind === undefined || !isLeftOut(kind)
  }
  const start = words.findIndex(says)
  return start < 0 ? undefined : { start, end: words.findLastIndex(says) + 1 }
}

function coreOf(words: readonly QueryWord[]): readonly QueryWord[] {
  const { start, end } = coreIn(words) ?? { start: 0, end: words.length }
  return end - start === words.length ? words : words.slice(start, end)
}
