/**
 * Reads words of katakana, hangul, Cyrillic and Greek as sounds: the letters of `sounds.ts`, `:` for a long vowel, `w`
 * for a glide and `y` for a vowel that only carries a consonant. Kana and hangul by tables of their syllables.
 *
 * Invariant: a table says how a script writes foreign names, never how one name is written.
 */
import { lazily } from '../lazily.ts'
import { kana } from '../tables/tables.made.ts'
import { latinOf } from './latin.ts'
import { soundsOf } from './sounds.ts'

export type LoanScript = 'kana' | 'hangul' | 'letters'

const scripts: readonly (readonly [LoanScript, RegExp])[] = [
  ['kana', /^[\p{Script=Katakana}\p{Script=Hiragana}ー]+$/u],
  ['hangul', /^\p{Script=Hangul}+$/u],
  ['letters', /^[\p{Script=Cyrillic}\p{Script=Greek}]+$/u],
]

/** Sounds of the syllables of katakana. */
const syllables = lazily(() => {
  const written = kana().split(/\s/)
  return new Map(written.flatMap((each, at) => (at % 2 === 0 ? [[each, written[at + 1]!]] : [])))
})
const small = /[ァィゥェォャュョヮ]/
const hiraganaToKatakana = 0x60

/** Syllables of hangul in the order of Unicode: first consonant, vowel, last consonant. */
const firstConsonants = 'g k n d t r m b p s s - j j c k t p h'.split(' ')
const vowels = 'a e ia ie o e io ie o wa we we io u wo we wi iu y i i'.split(' ')
const lastConsonants = '- k k k n n n t r r r r r r r r m p p t t ng t t k t p -'.split(' ')
const firstSyllable = 0xac00

/** Of Greek two letters stand for one sound that it has no letter for. */
const greekPairs: readonly (readonly [RegExp, string])[] = [
  [/^μπ|(?<=[αεηιουω])μπ(?=[αεηιουω])/gu, 'b'],
  [/^ντ|(?<=[λρ])ντ/gu, 'd'],
  [/^γκ|(?<=ν)γκ/gu, 'g'],
  [/^γου/u, 'w'],
  [/ου/gu, 'u'],
  [/τζ/gu, 'dj'],
]

export function loanScriptOf(word: string): LoanScript | undefined {
  return scripts.find(([, shape]) => shape.test(word))?.[0]
}

export function loanSoundsOf(word: string, script: LoanScript): string {
  const written = word.normalize('NFC')
  if (script === 'kana') return kanaSounds(written)
  if (script === 'hangul') return once(hangulSounds(written))
  const pairs = greekPairs.reduce((text, [pair, sound]) => text.replace(pair, sound), written)
  // Before another vowel u is a glide: Уоррен.
  return soundsOf([...pairs].map(latinOf).join('')).replace(/^u(?=[aeio])/, 'w')
}

function kanaSounds(written: string): string {
  let sounds = ''
  for (const character of written) {
    const code = character.codePointAt(0)!
    const katakana =
      code >= 0x3041 && code <= 0x3096 ? String.fromCodePoint(code + hiraganaToKatakana) : character
    const sound = syllables().get(katakana) ?? ''
    if (small.test(katakana)) sounds = glided(sounds, sound)
    else if (sound !== '-') sounds += sound
  }
  return sounds
}

/** A small vowel takes the place of the one before it; behind u alone it makes a glide, behind i a vowel more. */
function glided(sounds: string, sound: string): string {
  const consonant = sounds.at(-2) ?? ''
  const before = sounds.slice(0, -1)
  if (sounds.endsWith('u') && !/[a-z]/.test(consonant)) return `${before}w${sound}`
  if (/[xcj]/.test(consonant)) return before + sound.replace(/^i(?=[auo])/, '')
  return before + sound
}

function hangulSounds(written: string): string {
  return [...written]
    .map((syllable) => {
      const index = syllable.codePointAt(0)! - firstSyllable
      const first = firstConsonants[Math.floor(index / 588)] ?? ''
      const vowel = vowels[Math.floor((index % 588) / 28)] ?? ''
      return (first + vowel + (lastConsonants[index % 28] ?? '')).replaceAll('-', '')
    })
    .join('')
    .replace(/ng(?=[kg])/g, 'n')
    .replace(/s(?=i[aeo])i|xi(?=[aeou])/g, 'x')
    .replace(/(?<=[jc])i(?=[aeou])/g, '')
}

function once(sounds: string): string {
  return sounds.replace(/(.)\1+/g, '$1')
}
