/**
 * Words of any script in the letters a to z, as they are read aloud: `Достоевский` → `dostoevskiy`. By the
 * tables of any-ascii; Han is read as Mandarin, and frequent Korean surnames as their bearers write them.
 *
 * Invariant: a word of ASCII letters stays what it is.
 */
import anyAscii from 'any-ascii'

/** Korean surnames whose usual spelling is not the romanization of their syllable. */
const surnames: Readonly<Record<string, string>> = {
  박: 'park',
  이: 'lee',
  임: 'lim',
  우: 'woo',
  노: 'roh',
  유: 'yoo',
  최: 'choi',
}

const notAscii = /[^\0-\x7f]/
const vowelless = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u
const arabicArticle = /^ال(?=.{3})/u
const hangul = /^\p{Script=Hangul}+$/u

/** Whether a word has letters beside ASCII's. */
export function isForeign(word: string): boolean {
  return notAscii.test(word)
}

/** Whether a word is of a script that writes few vowels. */
export function isVowelless(word: string): boolean {
  return vowelless.test(word)
}

/** A word in the letters a to z; empty where it has none. The Arabic article is left out. */
export function latinOf(word: string): string {
  if (!notAscii.test(word)) return word
  const first =
    hangul.test(word) && word.length > 1 ? surnames[word.normalize('NFC')[0]!] : undefined
  const rest =
    first === undefined ? word.replace(arabicArticle, '') : word.normalize('NFC').slice(1)
  return ((first ?? '') + anyAscii(rest)).toLowerCase().replace(/[^a-z]/g, '')
}
