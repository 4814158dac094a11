/**
 * Names that look like others: characters that no name needs and that hide what it is, words of letters
 * of several scripts, and the skeleton that names have in common which look the same (Unicode Technical
 * Standard 39, with the confusable characters of the package unhomoglyph).
 */
import { lazily } from '../lazily.ts'
import { confusables } from './confusables.made.ts'

/** Controls, marks of direction and what is not drawn. */
const hidden = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Hidden characters that writing needs: joiners within words of Arabic and Indic scripts, variants of Han. */
const needed =
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}]\p{M}*)[\u200c\u200d](?=[\p{L}\p{M}])|(?<=\p{Script=Han})[\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/gu
const ascii = /^[\x20-\x7e]*$/
/** Scripts whose letters look like those of others; no name mixes two of them in a word. */
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
  /\p{Script=Coptic}/u,
  /\p{Script=Lisu}/u,
]

/** A name without the characters that hide what it is; line ends and tabs are spaces. */
export function openName(name: string): string {
  if (ascii.test(name) || name.search(hidden) < 0) return name
  const kept = new Map(Array.from(name.matchAll(needed), ({ index, 0: text }) => [index, text]))
  const open = name
    .replace(/\s/gu, ' ')
    .replace(hidden, (_, index: number) => kept.get(index) ?? '')
  return open.replace(/ {2,}/g, ' ').trim()
}

/** Has a word of letters of two scripts that look alike. */
export function isMixedName(name: string): boolean {
  if (ascii.test(name)) return false
  const words = name.match(/[\p{L}\p{M}]+/gu) ?? []
  return words.some((word) => scripts.filter((script) => script.test(word)).length > 1)
}

const written = lazily(() => new Map(Object.entries(confusables())))

function withoutConfusables(name: string): string {
  let plain = ''
  for (const character of name) plain += written().get(character) ?? character
  return plain
}

/** The form that all names of the same look have in common; only for comparisons. */
export function skeletonOf(name: string): string {
  const mapped = ascii.test(name)
    ? withoutConfusables(name)
    : withoutConfusables(name.normalize('NFD')).normalize('NFD')
  return mapped
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

/** The letters of a name: two names with the same are namesakes, and neither imitates the other. */
export function plainLettersOf(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}
