/** Reads a text for all ways: its words, the same without contractions and particles, and its core. */
import {
  type Aside,
  asideOf,
  uncontracted,
  withoutForms,
  withoutParticles,
} from '../../../text/speech/aside-words.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Words } from '../words.ts'
import type { Text } from './way.ts'

/** See `Text`. Later ways alone need more than the words, which is made when they ask. */
export class TypedText implements Text {
  readonly query: string
  readonly words: readonly QueryWord[]
  readonly #words: Words
  #readings: readonly (readonly QueryWord[])[] | undefined
  #core: readonly QueryWord[] | undefined

  constructor(query: string, words: Words) {
    this.query = query
    this.words = words.read(query)
    this.#words = words
  }

  get readings(): readonly (readonly QueryWord[])[] {
    this.#readings ??= readingsOf(this, this.#words)
    return this.#readings
  }

  get core(): readonly QueryWord[] {
    this.#core ??= coreOf(this.lastReading)
    return this.#core
  }

  get isCut(): boolean {
    const { core } = this
    return this.lastReading.some((word) => !word.isStop && !core.includes(word))
  }

  get isTitled(): boolean {
    const { core } = this
    return this.lastReading.some((word) => asideOf(word.text) === 'title' && !core.includes(word))
  }

  get lastReading(): readonly QueryWord[] {
    return this.readings.at(-1) ?? this.words
  }
}

function readingsOf(
  { query, words }: Pick<Text, 'query' | 'words'>,
  all: Words,
): readonly (readonly QueryWord[])[] {
  const texts = uncontracted(withoutForms(withoutParticles(query)))
  return texts
    .map((text) => (text === query ? words : all.read(text)))
    .filter(({ length }) => length > 0)
}

/** A piece of some words: from one to before another. */
interface Piece {
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

/** Some words without those at both ends that only ask; the same array where there are none, or no others. */
export function askedIn(words: readonly QueryWord[]): readonly QueryWord[] {
  return cut(
    words,
    pieceWithout(words, (kind) => kind === 'asks'),
  )
}

function coreOf(words: readonly QueryWord[]): readonly QueryWord[] {
  return cut(words, coreIn(words))
}

function cut(
  words: readonly QueryWord[],
  { start, end }: Piece = { start: 0, end: words.length },
): readonly QueryWord[] {
  return end - start === words.length ? words : words.slice(start, end)
}
