/** The text of a key: random, checked by its own end, and found out when it was mistyped. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWellFormedKey, keyHash, mentionsKey, newKeyText } from '../../../src/ledger/books/key.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

describe('the text of a key', () => {
  test('is aik_ and 36 base62 characters, and well-formed', () => {
    for (let i = 0; i < 1_000; i++) {
      const key = newKeyText()
      expect(key).toMatch(/^aik_[0-9A-Za-z]{36}$/)
      expect(isWellFormedKey(key)).toBe(true)
    }
  })

  test('is no longer well-formed when any one character is another', () => {
    const key = newKeyText()
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: key.length - 1 }),
        fc.constantFrom(...alphabet),
        (position, character) => {
          fc.pre(key[position] !== character)
          const typo = key.slice(0, position) + character + key.slice(position + 1)
          return !isWellFormedKey(typo)
        },
      ),
    )
  })

  test('is no longer well-formed when two different neighbours change places', () => {
    const key = newKeyText()
    for (let i = 0; i + 1 < key.length; i++) {
      if (key[i] === key[i + 1]) continue
      const typo = key.slice(0, i) + key[i + 1] + key[i] + key.slice(i + 2)
      expect(isWellFormedKey(typo)).toBe(false)
    }
  })

  test('is never taken for one when it is any other text', () => {
    const key = newKeyText()
    for (const text of ['', 'aik_', ` ${key}`, `${key}\n`, `${key}0`, key.slice(0, -1)]) {
      expect(isWellFormedKey(text)).toBe(false)
    }
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)))
  })

  test('ends with the CRC-32 of what stands before it, in base62', () => {
    const zeros = newKeyText(() => 0)
    // CRC-32 of 'aik_' and thirty '0', computed apart from this code: 0xF7AAAC54.
    expect(zeros).toBe(`aik_${'0'.repeat(30)}4XCcIm`)
  })

  test('is found inside another text', () => {
    const key = newKeyText()
    expect(mentionsKey(`for ${key}!`)).toBe(true)
    expect(mentionsKey('aik_too-short')).toBe(false)
  })
})

describe('the hash of a key', () => {
  test('is SHA-256 (FIPS 180-2, appendix B.1)', () => {
    expect(keyHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
