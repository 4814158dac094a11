/** What a serving thread accepts: the keys that it was handed, until they end. */
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { keyHash, newKeyText } from '../../../../src/ledger/key.ts'
import { type KeyEntry, Keyring } from '../../../../src/ledger/live/keyring.ts'
import { HandClock, ownerAt, startMs } from '../../../support/ledger-fixture.ts'
import { lookUpsOf } from '../../../support/look-ups.ts'

const text = newKeyText(randomBytes)
const header = `Bearer ${text}`
const entry: KeyEntry = {
  hash: keyHash(text),
  ...ownerAt(7, 'key_0123456789'),
  expiresAtMs: startMs + 1_000,
}

let clock: HandClock
let keyring: Keyring

beforeEach(() => {
  clock = new HandClock()
  keyring = new Keyring(clock.read)
  keyring.take({ keys: [entry], bad: [] })
})

describe('the keyring', () => {
  test('knows nobody before it was handed any', () => {
    expect(new Keyring(clock.read).ownerOf(header)).toBeUndefined()
  })

  test('finds the owner of a key, the first time and again', () => {
    expect(keyring.ownerOf(header)).toMatchObject({ accountSlot: 7, keyId: 'key_0123456789' })
    expect(keyring.ownerOf(header)).toBe(keyring.ownerOf(header))
  })

  test('knows no other text', () => {
    const other = newKeyText(randomBytes)
    const texts = ['', 'x', other, `x${text}`, text.toLowerCase(), entry.hash]
    for (const unknown of ['', text, `Basic ${text}`, ...texts.map((each) => `Bearer ${each}`)]) {
      expect(keyring.ownerOf(unknown)).toBeUndefined()
    }
  })

  test('refuses a key from the moment it expires, also one it has seen before', () => {
    expect(keyring.ownerOf(header)).toBeDefined()
    clock.nowMs = entry.expiresAtMs - 1
    expect(keyring.ownerOf(header)).toBeDefined()
    clock.nowMs = entry.expiresAtMs
    expect(keyring.ownerOf(header)).toBeUndefined()
  })

  test('forgets a key that is good no more, and no other', () => {
    const other = newKeyText(randomBytes)
    keyring.take({ keys: [{ ...entry, hash: keyHash(other) }], bad: [] })
    for (const each of [header, `Bearer ${other}`]) expect(keyring.ownerOf(each)).toBeDefined()
    keyring.take({ keys: [], bad: [entry.hash] })
    expect(keyring.ownerOf(header)).toBeUndefined()
    expect(keyring.ownerOf(`Bearer ${other}`)).toBeDefined()
  })

  test('takes a key that changed in the place of the one before', () => {
    expect(keyring.ownerOf(header)).toMatchObject({ accountSlot: 7 })
    keyring.take({ keys: [{ ...entry, accountSlot: 8 }], bad: [] })
    expect(keyring.ownerOf(header)).toMatchObject({ accountSlot: 8 })
  })

  test('takes keys that came through a message, where no end stays no end', () => {
    const keys = [{ ...entry, expiresAtMs: Number.POSITIVE_INFINITY }]
    keyring.take(structuredClone({ keys, bad: [] }))
    clock.nowMs = Number.MAX_SAFE_INTEGER
    expect(keyring.ownerOf(header)).toBeDefined()
  })

  test('hashes the text of a key once, also where others are asked for in between', () => {
    const lookUps = lookUpsOf(keyHash(text))
    for (let asked = 0; asked < 3; asked += 1) {
      keyring.ownerOf(header)
      keyring.ownerOf(`Bearer ${newKeyText(randomBytes)}`)
    }
    expect(lookUps()).toBe(1)
  })

  test('finds a key that came after it was asked for', () => {
    const other = newKeyText(randomBytes)
    expect(keyring.ownerOf(`Bearer ${other}`)).toBeUndefined()
    keyring.take({ keys: [{ ...entry, hash: keyHash(other) }], bad: [] })
    expect(keyring.ownerOf(`Bearer ${other}`)).toBeDefined()
  })

  test('remembers the headers of ten thousand keys and no more, and none that is longer than it has to be', () => {
    const hashes = lookUpsOf(entry.hash)
    keyring.ownerOf(header)
    const others = Array.from({ length: 10_000 }, () => newKeyText(randomBytes))
    keyring.take({ keys: others.map((each) => ({ ...entry, hash: keyHash(each) })), bad: [] })
    for (const each of others.slice(1)) keyring.ownerOf(`Bearer ${each}`)
    expect([keyring.ownerOf(header), hashes()]).toMatchObject([{ accountSlot: 7 }, 1])
    keyring.ownerOf(`Bearer ${others[0]}`)
    expect([keyring.ownerOf(header), hashes()]).toMatchObject([{ accountSlot: 7 }, 2])
    for (let asked = 0; asked < 2; asked += 1) {
      keyring.ownerOf(`Bearer  ${text}`)
      keyring.ownerOf(header)
    }
    expect(hashes()).toBe(4)
  })
})

describe('a keyring that has the keys of some accounts', () => {
  const other = newKeyText(randomBytes)
  const hash = keyHash(other)
  let sought: string[]
  let good = 0
  const isSought = (presented: string) => {
    return keyring.isSought(`Bearer ${presented}`, () => {
      good += 1
    })
  }

  beforeEach(() => {
    sought = []
    good = 0
    keyring = new Keyring(clock.read, (each) => sought.push(each))
    keyring.take({ keys: [entry], bad: [], isPart: true })
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
    expect(keyring.ownerOf(`Bearer ${other}`)).toBeUndefined()
    keyring.take({ keys: [{ ...entry, hash }], bad: [], isPart: true })
    expect(keyring.ownerOf(`Bearer ${other}`)).toMatchObject({ accountSlot: 7 })
    expect(keyring.ownerOf(header)).toBeDefined()
  })

  test('says of each request for a key when it is good, or was sought already', () => {
    isSought(other)
    expect(good).toBe(0)
    isSought(other)
    expect(good).toBe(1)
    keyring.take({ keys: [{ ...entry, hash }], bad: [], isPart: true })
    expect(good).toBe(2)
    keyring.take({ keys: [], bad: [keyHash(text)], isPart: true })
    expect(good).toBe(2)
  })

  test('seeks none that was not found for ten seconds', () => {
    keyring.take({ keys: [], bad: [hash], isPart: true })
    expect([isSought(other), sought]).toEqual([false, []])
    clock.nowMs += 10_000
    expect([isSought(other), sought]).toEqual([true, [hash]])
  })

  test('seeks none that it knows to be expired', () => {
    clock.nowMs = entry.expiresAtMs
    expect([keyring.ownerOf(header), isSought(text)]).toEqual([undefined, false])
  })

  test('remembers ten thousand guesses and no more', () => {
    isSought(other)
    for (let guesses = 0; guesses < 10_000; guesses += 1) isSought(newKeyText(randomBytes))
    isSought(other)
    expect(sought.filter((each) => each === hash)).toHaveLength(2)
  })

  test('seeks nothing once it has all keys', () => {
    keyring.take({ keys: [entry], bad: [] })
    expect([isSought(other), sought]).toEqual([false, []])
  })
})
