/** Reads a text for all ways: its words, its core, and its tokens for the matcher. */
import { type Aside, asideOf } from '../../../text/speech/aside-words.ts'
import type { MatchedText } from '../../match/text.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Words } from '../words.ts'
import { type Meanings, readFor } from './meanings.ts'
import { type Reading, readingsOf } from './readings.ts'
import type { Text, Tools } from './way.ts'

const wordsMax = 16

/** See `Text`. Later ways alone need more than the words, which is made when they ask. */
export class TypedText implements Text {
  readonly query: string
  readonly words: readonly QueryWord[]
  #core: readonly QueryWord[] | undefined
  #matchable: MatchedText<Meanings> | undefined
  #readings: readonly Reading[] | undefined

  constructor(query: string, words: Words) {
    this.query = query
    this.words = words.read(query)
  }

  get core(): readonly QueryWord[] {
    this.#core ??= coreOf(this.words)
    return this.#core
  }

  get isCut(): boolean {
    const { core } = this
    return this.words.some((word) => !word.isStop && !core.includes(word))
  }

  get isTitled(): boolean {
    const { core } = this
    return this.words.some((word) => asideOf(word.text) === 'title' && !core.includes(word))
  }

  forMatcher(tools: Tools): MatchedText<Meanings> | undefined {
    this.#matchable ??= readFor(tools, this)
    return this.#matchable
  }

  readings(tools: Tools): readonly Reading[] {
    const text = this.words.length > wordsMax ? undefined : this.forMatcher(tools)
    this.#readings ??= text === undefined ? [] : readingsOf(text)
    return this.#readings
  }
}

interface Piece {
  readonly start: number
  readonly end: number
}

/** Without what stands only around it at both ends; if all may, without what only asks. */
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
