/**
 * A word of a query, as it is written. Two words of one text are two objects, also where both are spelled alike;
 * how they are spelled may be one object for many texts.
 */
import type { Word } from '../../text/analyzer.ts'
import { phraseKey } from '../../text/number.ts'
import { isStopWord } from '../../text/stop-words.ts'

/** The spelling of a word, and the facts that follow from it alone. */
export class Spelling implements Word {
  readonly text: string
  /** One, or in scripts without spaces one for each character. */
  readonly terms: readonly string[]
  /** Its contribution to the key of a phrase. */
  readonly key: string
  /** Says nothing about the people meant. */
  readonly isStop: boolean

  constructor({ text, terms }: Word) {
    this.text = text
    this.terms = terms
    this.key = phraseKey(terms)
    this.isStop = isStopWord(text)
  }
}

/** A word of a query. */
export class QueryWord {
  readonly text: string
  /** One, or in scripts without spaces one for each character. */
  readonly terms: readonly string[]
  /** Its contribution to the key of a phrase. */
  readonly key: string
  /** Stands for itself alone, as it was in quotation marks. */
  readonly isExact: boolean
  /** Says nothing about the people meant. */
  readonly isStop: boolean

  /** @param word its spelling where that is known. */
  constructor(word: Word, isExact = false) {
    const { text, terms, key, isStop } = word instanceof Spelling ? word : new Spelling(word)
    this.text = text
    this.terms = terms
    this.key = key
    this.isExact = isExact
    this.isStop = !isExact && isStop
  }
}
