/** What a serving thread accepts: the keys that it had looked up, until they change or end. */
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { keyHash, newKeyText } from '../../../../src/ledger/books/key.ts'
import { type KeyEntry, type KeyOwner, Keyring } from '../../../../src/ledger/live/keyring.ts'
import { handKey } from '../../../support/keyring-of.ts'
import { HandClock, ownerAt, startMs } from '../../../support/ledger-fixture.ts'

const text = newKeyText()
const header = `Bearer ${text}`
const entry: KeyEntry = {
  hash: keyHash(text),
  ...ownerAt(7, 'key_0123456789'),
  expiresAtMs: startMs + 1_000,
}

/** Hands a key to the keyring, as if it had been looked up. */
function hand(key: string, owner: KeyOwner = entry, expiresAtMs = entry.expiresAtMs): void {
  handKey(keyring, { text: key, owner, expiresAtMs })
}

let clock: HandClock
let keyring: Keyring

beforeEach(() => {
  clock = new HandClock()
  keyring = new Keyring(clock.read)
  hand(text)
})

describe('the keyring', () => {
  test('knows nobody before it was handed any, and then before it was sent any', () => {
    keyring = new Keyring(clock.read)
    expect(keyring.ownerOf(header)).toBeUndefined()
    keyring.take({ changed: [], keys: [entry], bad: [] })
    expect(keyring.ownerOf(header)).toMatchObject({ accountSlot: 7 })
  })

  test('knows no other text', () => {
    const other = newKeyText()
    const texts = ['', 'x', other, `x${text}`, text.toLowerCase(), text.slice(0, -1), entry.hash]
    const pairs = [`${text} ${text}`, `${text},`]
    const headers = [...texts, ...pairs].map((each) => `Bearer ${each}`)
    for (const unknown of ['', text, 'Bearer', `Basic ${text}`, `Bearer${text}`, ...headers]) {
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

  test('forgets a key that changed, and no other', () => {
    const other = newKeyText()
    hand(other)
    for (const each of [header, `Bearer ${other}`]) expect(keyring.ownerOf(each)).toBeDefined()
    keyring.take({ changed: [entry.hash], keys: [], bad: [] })
    expect(keyring.ownerOf(header)).toBeUndefined()
    expect(keyring.ownerOf(`Bearer ${other}`)).toBeDefined()
  })

  test('takes a key that was looked up again in the place of the one before', () => {
    expect(keyring.ownerOf(header)).toMatchObject({ accountSlot: 7 })
    hand(text, { ...entry, accountSlot: 8 })
    expect(keyring.ownerOf(header)).toMatchObject({ accountSlot: 8 })
  })

  test('takes keys that came through a message, where no end stays no end', () => {
    const keys = [{ ...entry, expiresAtMs: Number.POSITIVE_INFINITY }]
    void keyring.seek(header)
    keyring.take(structuredClone({ changed: [], keys, bad: [] }))
    clock.nowMs = Number.MAX_SAFE_INTEGER
    expect(keyring.ownerOf(header)).toBeDefined()
  })

  test('hashes the text of a key once, however it is spelled', () => {
    const get = vi.spyOn(Map.prototype, 'get')
    onTestFinished(() => get.mockRestore())
    const lookUps = () => get.mock.calls.filter(([asked]) => asked === keyHash(text)).length
    for (let asked = 0; asked < 3; asked += 1) {
      keyring.ownerOf(header)
      keyring.ownerOf(`bearer  ${text}`)
      keyring.ownerOf(`Bearer ${newKeyText()}`)
    }
    expect(lookUps()).toBe(1)
  })

  test('remembers so many keys, and forgets the one that was found first for one more', () => {
    const others = Array.from({ length: 32_768 }, () => newKeyText())
    for (const other of others.slice(1)) hand(other)
    hand(text)
    expect(keyring.ownerOf(header)).toBeDefined()
    hand(others[0]!)
    const known = [others[1]!, others[2]!, text, others[0]!].map((each) =>
      Boolean(keyring.ownerOf(`Bearer ${each}`)),
    )
    expect(known).toEqual([false, true, true, true])
  })
})

describe('a look-up of a key', () => {
  const other = newKeyText()
  const otherHeader = `Bearer ${other}`
  const hash = keyHash(other)
  let sought: string[]
  let isOver: boolean

  beforeEach(() => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    sought = []
    isOver = false
    keyring = new Keyring(clock.read, (each) => sought.push(each))
    void keyring.seek(otherHeader)?.then(() => {
      isOver = true
    })
  })

  test('is one for all requests that wait for it, however they spell the header', () => {
    const soon = keyring.seek(otherHeader)
    expect(soon).toBeInstanceOf(Promise)
    expect(keyring.seek(`bearer  ${other}`)).toBe(soon)
    expect(sought).toEqual([hash])
  })

  test('is not begun for what can be no key', () => {
    const texts = ['', 'Bearer x', other, `Bearer ${other.slice(1)}`]
    expect(texts.map((each) => keyring.seek(each))).toEqual(texts.map(() => undefined))
    expect(sought).toEqual([hash])
  })

  test('ends when the key is found, and not with another', async () => {
    keyring.take({ changed: [hash], keys: [entry], bad: [entry.hash] })
    await Promise.resolve()
    expect([isOver, keyring.ownerOf(header)]).toMatchObject([false, { accountSlot: 7 }])
    keyring.take({ changed: [], keys: [{ ...entry, hash }], bad: [] })
    await Promise.resolve()
    expect(isOver).toBe(true)
    expect(keyring.ownerOf(`bearer  ${other} `)).toMatchObject({ accountSlot: 7 })
  })

  test('ends when the key is not good, which is known for a second', async () => {
    keyring.take({ changed: [], keys: [], bad: [hash] })
    await Promise.resolve()
    clock.nowMs += 999
    expect([isOver, keyring.seek(otherHeader), sought]).toEqual([true, undefined, [hash]])
    clock.nowMs += 1
    expect(keyring.seek(otherHeader)).toBeInstanceOf(Promise)
    expect(sought).toEqual([hash, hash])
  })

  test('ends after two seconds without an answer, and is begun anew then', async () => {
    await vi.advanceTimersByTimeAsync(1_999)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(isOver).toBe(true)
    void keyring.seek(otherHeader)
    expect(sought).toEqual([hash, hash])
  })

  test('ends without an answer where ten thousand others were begun since', async () => {
    for (let guesses = 0; guesses < 10_000; guesses += 1) {
      void keyring.seek(`Bearer ${newKeyText()}`)
    }
    await Promise.resolve()
    expect(isOver).toBe(true)
  })
})
