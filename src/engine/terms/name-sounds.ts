/**
 * The terms of names by how they sound: made once, when a snapshot is loaded, into memory that all threads
 * share, about 10 bytes a term. A term that is found must be compared (`src/text/sound/sounds.ts`).
 */

import { textAt } from '../../memory/text-table.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { isForeign, isVowelless, latinOf } from '../../text/sound/latin.ts'
import { soundKey, soundsOf } from '../../text/sound/sounds.ts'
import { type HashBuckets, hashText, inBuckets, valuesOf } from './hash-buckets.ts'

/** A word in Latin letters, and whether it was written without vowels. */
export interface HeardWord {
  readonly latin: string
  readonly isVowelless: boolean
}

/** Consonants of the shortest key that finds a term. */
const keyMin = 2
/** Letters of the longest word that has a sound: no name is longer. */
const lettersMax = 32

const letters = /^[\p{L}\p{M}]{2,}$/u

/** The keys of a word: those of its sounds, `ch` in both ways; in a script without vowels w as one, too. */
export function keysOf({ latin, isVowelless: isBare }: HeardWord): string[] {
  if (latin.length > lettersMax) return []
  const keys = new Set([soundKey(soundsOf(latin))])
  if (latin.includes('ch')) keys.add(soundKey(soundsOf(latin, true)))
  if (isBare) keys.add(soundKey(soundsOf(latin.replace(/[vw]/g, 'u'))))
  return [...keys].filter(({ length }) => length >= keyMin)
}

/** A further key of a word of another script: its letters in Latin ones. */
export function latinKey(latin: string): string {
  return `=${latin}`
}

/** The sounds of all terms that names hold: 2 µs a term. @param rest called between steps of some terms. */
export function nameSoundsOf(sections: Sections, rest: () => void = () => {}): HashBuckets {
  const texts = { text: sections['term.text'], ends: sections['term.ends'] }
  const lists = sections['name.starts']
  const hashes: number[] = []
  const terms: number[] = []
  for (let term = 0; term < texts.ends.length; term += 1) {
    if (term % 256 === 0) rest()
    if (lists[term] === lists[term + 1]) continue
    const text = textAt(texts, term)
    if (!letters.test(text)) continue
    const latin = latinOf(text)
    const keys = keysOf({ latin, isVowelless: isVowelless(text) })
    if (isForeign(text) && latin.length > 1 && latin.length <= lettersMax)
      keys.push(latinKey(latin))
    for (const key of keys) {
      hashes.push(hashText(key))
      terms.push(term)
    }
  }
  return inBuckets(hashes, terms, rest)
}

/** The first so many terms of a key. */
export function termsOfKey(sounds: HashBuckets, key: string, most: number): number[] {
  return valuesOf(sounds, hashText(key), most)
}
