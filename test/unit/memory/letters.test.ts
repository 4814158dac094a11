/** Letters in flat memory are written as an encoder writes them, and read back as they were. */
import { expect, it } from 'vitest'
import { readLetters, writeLetters } from '../../../src/memory/letters.ts'

const texts = [
  '',
  'a',
  'Zoë',
  'Ленин',
  '村上',
  '한국',
  '𝒜𝒷',
  'a\u007f\u0080\u07ff\u0800\uffff\u{10000}\u{10ffff}',
]

it('letters of one to four bytes are written as the encoder of the platform writes their text', () => {
  for (const text of texts) {
    const letters = Uint32Array.from(text, (letter) => letter.codePointAt(0)!)
    const bytes = new Uint8Array(letters.length * 4)
    const end = writeLetters(letters, bytes)
    expect(bytes.subarray(0, end), text).toEqual(new TextEncoder().encode(text))
    const read = new Uint32Array(letters.length)
    expect(readLetters(bytes, 0, end, read)).toBe(letters.length)
    expect(read).toEqual(letters)
    if (end > 0) expect(readLetters(bytes, 0, end, read.subarray(1))).toBe(-1)
  }
})

it('half of a pair of surrogates is written as the letter that stands for none', () => {
  const bytes = new Uint8Array(8)
  const end = writeLetters(Uint32Array.of(0xd83d, 0x61), bytes)
  expect(bytes.subarray(0, end)).toEqual(new TextEncoder().encode('\ufffda'))
})
