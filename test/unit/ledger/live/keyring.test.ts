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
