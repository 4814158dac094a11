/** Reads a text for all ways: its words, the same without contractions and particles, and its core. */
import { asideOf, uncontracted, withoutParticles } from '../../../text/speech/aside-words.ts'
import { type Asked, readWords } from '../words.ts'
import type { Text } from './way.ts'

/** Reads what was typed. Later ways alone need more than the words, and make it when they ask. */
export function readText(query: string): Text {
  const words = readWords(query)
  let readings: readonly (readonly Asked[])[] | undefined
  let core: readonly Asked[] | undefined
  return {
    query,
    words,
    get readings() {
      readings ??= readingsOf(query, words)
      return readings
    },
    get core() {
      core ??= coreOf(this.readings.at(-1)!)
      return core
    },
  }
}

function readingsOf(query: string, words: readonly Asked[]): readonly (readonly Asked[])[] {
  const texts = uncontracted(withoutParticles(query))
  return texts
    .map((text) => (text === query ? words : readWords(text)))
    .filter(({ length }) => length > 0)
}

/** How many words at the beginning of some stand only around what is meant. */
export function asidesBefore(words: readonly Asked[]): number {
  const first = words.findIndex(({ text, isExact }) => isExact || asideOf(text) === undefined)
  return first < 0 ? words.length : first
}

/** How many at the end. */
export function asidesBehind(words: readonly Asked[]): number {
  return asidesBefore(words.toReversed())
}

function coreOf(words: readonly Asked[]): readonly Asked[] {
  const before = asidesBefore(words)
  return before === words.length ? words : words.slice(before, words.length - asidesBehind(words))
}
