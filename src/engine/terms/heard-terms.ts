/** Words by their sounds, and the terms of names so: those that were compared lately are kept. */
import { isForeign, isVowelless, latinOf } from '../../text/sound/latin.ts'
import { type LoanScript, loanScriptOf, loanSoundsOf } from '../../text/sound/loan-script.ts'
import { loanKeysOf, loanReadingsOf } from '../../text/sound/loan-sounds.ts'
import { soundSpellingsOf } from '../../text/sound/sounds.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Postings } from '../postings/postings.ts'

/** Terms that are kept: the names of a sound are the same for all texts. Some hundred bytes each. */
const heardMax = 4_096
/** Letters of the longest word of another script that is read by its sounds. */
const loanLettersMax = 24

/** The sounds of a word whose script may write a foreign name by them. */
interface Loan {
  readonly script: LoanScript
  readonly sounds: string
}

export class Heard {
  readonly text: string
  readonly latin: string
  readonly isForeign: boolean
  readonly isVowelless: boolean
  #spellings: readonly string[] | undefined
  #loan: Loan | false | undefined
  #loanReadings: readonly string[] | undefined

  /** @param latin the same in Latin letters, where it is read in a way of its own. */
  constructor(text: string, latin = latinOf(text)) {
    this.text = text
    this.latin = latin
    this.isForeign = isForeign(text)
    this.isVowelless = isVowelless(text)
  }

  get spellings(): readonly string[] {
    this.#spellings ??= soundSpellingsOf(this.latin)
    return this.#spellings
  }

  get loan(): Loan | undefined {
    this.#loan ??= loanOf(this)
    return this.#loan === false ? undefined : this.#loan
  }

  get loanReadings(): readonly string[] {
    this.#loanReadings ??= loanReadingsOf(this.latin)
    return this.#loanReadings
  }

  /** The keys by which a name that it may write is found; none where it writes none. */
  get loanKeys(): readonly string[] {
    const { loan } = this
    return loan === undefined ? [] : loanKeysOf(loan.sounds, loan.script)
  }
}

function loanOf({ text, isForeign: mayWrite }: Heard): Loan | false {
  const script = !mayWrite || text.length > loanLettersMax ? undefined : loanScriptOf(text)
  return script !== undefined && { script, sounds: loanSoundsOf(text, script) }
}

export class HeardTerms {
  readonly #heard = new BoundedCache<number, Heard>(heardMax)
  readonly #hear: (term: number) => Heard

  constructor(postings: Postings) {
    this.#hear = (term) => new Heard(postings.textOf(term))
  }

  of(term: number): Heard {
    return this.#heard.get(term, this.#hear)
  }
}
