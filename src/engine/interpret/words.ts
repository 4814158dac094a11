/**
 * The words of a query as they are written. A word in quotation marks is exact: it stands for itself alone.
 */
import { wordsOf } from '../../text/analyzer.ts'
import { formsOf } from '../../text/number.ts'
import { remembered } from '../bounded-cache.ts'
import type { Postings } from '../postings/postings.ts'
import { KnownWord, QueryWord } from '../terms/query-word.ts'

const quotation = /["“”„«»]/u
const quoted = /["“”„«»]([^"“”„«»]*)["“”„«»]/u

/** Terms that are kept: enough for the usual words of texts, and some megabytes a thread at most. */
const termsMax = 4_096

export class Words {
  readonly #postings: Postings
  readonly #known = remembered(
    termsMax,
    (term: string): KnownWord =>
      new KnownWord({ text: term, terms: [term] }, this.#postings, this.#known),
  )

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /** A repeated word counts once. */
  read(query: string): readonly QueryWord[] {
    const words: QueryWord[] = []
    if (!quotation.test(query)) this.#addTo(words, query, false)
    else {
      // Every second part was in quotation marks.
      const parts = query.split(quoted)
      for (let at = 0; at < parts.length; at += 1) this.#addTo(words, parts[at]!, at % 2 === 1)
    }
    return words
  }

  #addTo(words: QueryWord[], text: string, isExact: boolean): void {
    for (const word of wordsOf(text)) {
      if (words.at(-1)?.text === word.text) continue
      const isTerm = word.terms.length === 1
      const known = isTerm
        ? this.#known(word.text)
        : new KnownWord(word, this.#postings, this.#known)
      words.push(new QueryWord(known, isExact))
    }
  }

  /** A term, as the analyzer spells it. */
  wordOf(term: string): QueryWord {
    return new QueryWord(this.#known(term))
  }

  /** `farmers`, where somebody is called Farmer and nobody holds the word. */
  isOtherNumberOfName({ text }: QueryWord): boolean {
    const forms = formsOf(text).map((form) => this.#known(form))
    return (
      this.#known(text).word.size === 0 && forms.every(({ name, word }) => name.size === word.size)
    )
  }
}
