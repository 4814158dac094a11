/** The terms of names by how they sound. A term that is found must be compared (`src/text/sound/sounds.ts`). */
import { uint32Column } from '../memory/columns.ts'
import { hashOn, hashText, inBuckets } from '../memory/hash-buckets.ts'
import { readLetters } from '../memory/letters.ts'
import { mixHash, noBytesHash, type Texts, textAt } from '../memory/text-table.ts'
import { hashLetters } from '../snapshot/deletion-signatures.ts'
import type { Sections } from '../snapshot/sections.ts'
import { isForeign, isVowelless, LatinWord, latinOf } from '../text/sound/latin.ts'
import { letterRoom, soundsPerLetterMax, writeKey, writeSounds } from '../text/sound/sound-codes.ts'
import { keyMin, keysOf, latinKey, lettersMax } from '../text/sound/sound-keys.ts'
import { type BucketSections, bucketed } from './text-sections.ts'

const codeOf = { c: 0x63, h: 0x68, u: 0x75, v: 0x76, w: 0x77 } as const
/** Of no key; no hash is negative. */
const none = -1
const letters = /^[\p{L}\p{M}]{2,}$/u

const latinKeyBegun = hashOn(noBytesHash, latinKey(''), 0, 1)

/**
 * The sounds of all terms that names hold: a quarter of a microsecond a term, as most of them are heard without
 * making a text.
 */
export function soundSections(
  sections: Pick<Sections, 'term.text' | 'term.ends' | 'name.starts'>,
): BucketSections<'sound'> {
  const texts = { text: sections['term.text'], ends: sections['term.ends'] }
  const lists = sections['name.starts']
  const ear = new Ear()
  for (let term = 0; term < texts.ends.length; term += 1) {
    if (lists[term] !== lists[term + 1]) ear.hear(texts, term)
  }
  return bucketed('sound', inBuckets(ear.hashes.view(), ear.terms.view()))
}

/** Hears terms: collects the hashes of their keys. */
class Ear {
  readonly hashes = uint32Column()
  readonly terms = uint32Column()
  readonly #characters = new Uint32Array(lettersMax)
  readonly #word = new LatinWord(lettersMax, letterRoom)
  readonly #sounds = new Uint32Array(lettersMax * soundsPerLetterMax)
  readonly #key = new Uint32Array(lettersMax * soundsPerLetterMax)

  hear(texts: Texts, term: number): void {
    const start = term === 0 ? 0 : texts.ends[term - 1]!
    const count = readLetters(texts.text, start, texts.ends[term]!, this.#characters)
    if (this.#word.read(this.#characters, count)) this.#hearWord(this.#word, term)
    else this.#hearText(textAt(texts, term), term)
  }

  /** Any term. */
  #hearText(text: string, term: number): void {
    if (!letters.test(text)) return
    const latin = latinOf(text)
    for (const key of keysOf({ latin, isVowelless: isVowelless(text) })) {
      this.#add(hashText(key), term)
    }
    const isKey = isForeign(text) && latin.length > 1 && latin.length <= lettersMax
    if (isKey) this.#add(hashText(latinKey(latin)), term)
  }

  /** The same of a word that was read. It takes the v of a word without vowels from it. */
  #hearWord(word: LatinWord, term: number): void {
    const { letters, length, isForeign: hasLatinKey } = word
    const latin =
      hasLatinKey && length > 1 ? mixHash(hashLetters(latinKeyBegun, letters, 0, length)) : none
    const soft = this.#keyHash(word, false)
    const hard = hasPair(word, codeOf.c, codeOf.h) ? this.#keyHash(word, true) : soft
    const bare = word.isVowelless && vAsVowel(word) ? this.#keyHash(word, false) : soft
    this.#add(soft, term)
    if (hard !== soft) this.#add(hard, term)
    if (bare !== soft && bare !== hard) this.#add(bare, term)
    this.#add(latin, term)
  }

  #keyHash({ letters, length }: LatinWord, isHard: boolean): number {
    const sounds = writeSounds(letters, length, isHard, this.#sounds)
    const consonants = writeKey(this.#sounds, sounds, this.#key)
    return consonants < keyMin ? none : mixHash(hashLetters(noBytesHash, this.#key, 0, consonants))
  }

  #add(hash: number, term: number): void {
    if (hash === none) return
    this.hashes.push(hash)
    this.terms.push(term)
  }
}

function hasPair({ letters, length }: LatinWord, first: number, second: number): boolean {
  for (let at = 1; at < length; at += 1) {
    if (letters[at] === second && letters[at - 1] === first) return true
  }
  return false
}

/** Writes u for each v and w; returns whether there are any. */
function vAsVowel({ letters, length }: LatinWord): boolean {
  let isAny = false
  for (let at = 0; at < length; at += 1) {
    if (letters[at] !== codeOf.v && letters[at] !== codeOf.w) continue
    letters[at] = codeOf.u
    isAny = true
  }
  return isAny
}
