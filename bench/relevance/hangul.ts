/** Hangul as it is typed: a key for each letter, and what an input method makes of some keys. */

const initials = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ']
const vowels = [...'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ']
const finals = ['', ...'ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ']
const firstInitial = 0x1100
const firstVowel = 0x1161
const firstSyllable = 0xac00

/** The keys of a word in Hangul; undefined where a letter is of another script. */
export function keysOf(word: string): string[] | undefined {
  if (!/^\p{Script=Hangul}+$/u.test(word)) return undefined
  return [...word].flatMap((letter) => {
    const code = letter.codePointAt(0)!
    if (code >= firstSyllable) return keysOfSyllable(code - firstSyllable)
    // A letter that stands alone is one of these once a text is normalized.
    return initials[code - firstInitial] ?? vowels[code - firstVowel] ?? letter
  })
}

function keysOfSyllable(index: number): string[] {
  const final = finals[index % 28]!
  const open = [initials[Math.floor(index / 588)]!, vowels[Math.floor((index % 588) / 28)]!]
  return final === '' ? open : [...open, final]
}

/**
 * What is seen of some keys: a consonant with a vowel behind it begins a syllable, and one behind them
 * ends it, unless it begins the next; what fits nowhere stands alone.
 */
export function typed(keys: readonly string[]): string {
  let text = ''
  for (let at = 0; at < keys.length; ) {
    const initial = initials.indexOf(keys[at]!)
    const vowel = vowels.indexOf(keys[at + 1] ?? '')
    if (initial < 0 || vowel < 0) {
      text += keys[at]!
      at += 1
      continue
    }
    const beginsNext = vowels.includes(keys[at + 3] ?? '') && initials.includes(keys[at + 2] ?? '')
    const final = beginsNext ? 0 : Math.max(0, finals.indexOf(keys[at + 2] ?? ''))
    text += String.fromCodePoint(firstSyllable + (initial * 21 + vowel) * 28 + final)
    at += final > 0 ? 3 : 2
  }
  return text
}
