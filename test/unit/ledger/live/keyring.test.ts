/** What a serving thread accepts: the keys of the newest table, until they end. */
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { keyHash, newKeyText } from '../../../../src/ledger/key.ts'
import { Keyring, type KeyTableEntry } from '../../../../src/ledger/live/keyring.ts'
import { HandClock, ownerAt, startMs } from '../../../support/ledger-fixture.ts'
import { lookUpsOf } from '../../../support/look-ups.ts'

const text = newKeyText(randomBytes)
const entry: KeyTableEntry = {
  hash: keyHash(text),
  ...ownerAt(7, 'key_0123456789'),
  expiresAtMs: startMs + 1_000,
}

let clock: HandClock
let keyring: Keyring

beforeEach(() => {
  clock = new HandClock()
  keyring = new Keyring(clock.read)
  keyring.replace({ keys: [entry] })
})

describe('the keyring', () => {
  test('knows nobody before it has a table', () => {
    expect(new Keyring(clock.read).ownerOf(text)).toBeUndefined()
  })

  test('finds the owner of a key, the first time and again', () => {
    expect(keyring.ownerOf(text)).toMatchObject({ accountSlot: 7, keyId: 'key_0123456789' })
    expect(keyring.ownerOf(text)).toBe(keyring.ownerOf(text))
  })

  test('knows no other text', () => {
    const other = newKeyText(randomBytes)
    for (const unknown of ['', 'x', other, `${text} `, text.toLowerCase(), entry.hash]) {
      expect(keyring.ownerOf(unknown)).toBeUndefined()
    }
  })

  test('refuses a key from the moment it expires, also one it has seen before', () => {
    expect(keyring.ownerOf(text)).toBeDefined()
    clock.nowMs = entry.expiresAtMs - 1
    expect(keyring.ownerOf(text)).toBeDefined()
    clock.nowMs = entry.expiresAtMs
    expect(keyring.ownerOf(text)).toBeUndefined()
  })

  test('forgets a key that the next table does not hold', () => {
    expect(keyring.ownerOf(text)).toBeDefined()
    keyring.replace({ keys: [] })
    expect(keyring.ownerOf(text)).toBeUndefined()
  })

  test('takes a table that came through a message, where no end stays no end', () => {
    const table = structuredClone({
      keys: [{ ...entry, expiresAtMs: Number.POSITIVE_INFINITY }],
    })
    keyring.replace(table)
    clock.nowMs = Number.MAX_SAFE_INTEGER
    expect(keyring.ownerOf(text)).toBeDefined()
  })

  test('hashes a text once, whether it is a key or not, however often it is asked for in a row', () => {
    for (const presented of [text, newKeyText(randomBytes)]) {
      const lookUps = lookUpsOf(keyHash(presented))
      for (let asked = 0; asked < 3; asked += 1) keyring.ownerOf(presented)
      expect(lookUps()).toBe(1)
    }
  })

  test('remembers no text over a table that may know it', () => {
    keyring.replace({ keys: [] })
    expect(keyring.ownerOf(text)).toBeUndefined()
    keyring.replace({ keys: [entry] })
    expect(keyring.ownerOf(text)).toBeDefined()
  })
})

describe('a keyring that has the keys of some accounts', () => {
  const other = newKeyText(randomBytes)
  const hash = keyHash(other)
  let sought: string[]
  let good = 0
  const isSought = (presented: string) => {
    return keyring.isSought(presented, () => {
      good += 1
    })
  }

  beforeEach(() => {
    sought = []
    good = 0
    keyring = new Keyring(clock.read, (each) => sought.push(each))
    keyring.replace({ keys: [entry], isPart: true })
  })

  test('seeks an unknown key once in two seconds, and nothing that cannot be one', () => {
    expect([isSought(other), isSought(other)]).toEqual([true, true])
    expect(sought).toEqual([hash])
    clock.nowMs += 2_000
    expect(isSought(other)).toBe(true)
    expect(sought).toEqual([hash, hash])
    expect([isSought('x'), isSought(other.slice(1))]).toEqual([false, false])
  })

  test('accepts a key from when it was found, also one that was sent just before', () => {
    expect(keyring.ownerOf(other)).toBeUndefined()
    keyring.add({ keys: [{ ...entry, hash }], bad: [] })
    expect(keyring.ownerOf(other)).toMatchObject({ accountSlot: 7 })
    expect(keyring.ownerOf(text)).toBeDefined()
  })

  test('says of each request for a key when it is good, or was sought already', () => {
    isSought(other)
    expect(good).toBe(0)
    isSought(other)
    expect(good).toBe(1)
    keyring.add({ keys: [{ ...entry, hash }], bad: [] })
    expect(good).toBe(2)
    keyring.add({ keys: [], bad: [keyHash(text)] })
    expect(good).toBe(2)
  })

  test('seeks none that was not found for ten seconds', () => {
    keyring.add({ keys: [], bad: [hash] })
    expect([isSought(other), sought]).toEqual([false, []])
    clock.nowMs += 10_000
    expect([isSought(other), sought]).toEqual([true, [hash]])
  })

  test('seeks none that it knows to be expired', () => {
    clock.nowMs = entry.expiresAtMs
    expect([keyring.ownerOf(text), isSought(text)]).toEqual([undefined, false])
  })

  test('remembers ten thousand guesses and no more', () => {
    isSought(other)
    for (let guesses = 0; guesses < 10_000; guesses += 1) isSought(newKeyText(randomBytes))
    isSought(other)
    expect(sought.filter((each) => each === hash)).toHaveLength(2)
  })

  test('seeks nothing once it has all keys', () => {
    keyring.replace({ keys: [entry] })
    expect([isSought(other), sought]).toEqual([false, []])
  })
})
