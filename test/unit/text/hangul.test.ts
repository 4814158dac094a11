/** Hangul in its letters. */
import { expect, it } from 'vitest'
import { jamoOf } from '../../../src/text/hangul.ts'

function lettersOf(text: string): Uint32Array {
  return Uint32Array.from([...text], (letter) => letter.codePointAt(0)!)
}

function spelled(text: string): string | undefined {
  const jamo = jamoOf(lettersOf(text))
  return jamo && String.fromCodePoint(...jamo)
}

it('has the letters that Unicode takes each syllable apart into, its final consonant apart', () => {
  for (let syllable = 0xac00; syllable <= 0xd7a3; syllable += 1) {
    const text = String.fromCodePoint(syllable)
    const apart = [...text.normalize('NFD')]
    const [initial, vowel, final, ...more] = spelled(text)!
    expect([initial, vowel, more.length]).toEqual([apart[0], apart[1], 0])
    expect(final === undefined).toBe(apart[2] === undefined)
  }
})

it('has one letter for a consonant, whether a syllable ends or begins with it', () => {
  for (const [ending, beginning] of [
    ['박', '바ㄱ'],
    ['민', '미ㄴ'],
    ['있', '이ㅆ'],
    ['꽃', '꼬ㅊ'],
  ] as const) {
    expect(spelled(ending)).toBe(spelled(beginning.normalize('NFKC')))
  }
  expect(spelled('박은')).toBe('박은'.normalize('NFD').replace('ᆨ', 'ᄀ').replace('ᆫ', 'ᄂ'))
  expect(spelled('바근')).toBe(spelled('박은')!.replace('ᄋ', ''))
  expect(spelled('값')).toBe('값'.normalize('NFD'))
})
