/** Which good keys a session hands over: those that came or changed, each once, and those that are good no more. */
import { expect, test } from 'vitest'
import { HandedKeys } from '../../../src/ledger/keys/handed-keys.ts'
import type { GoodKey } from '../../../src/ledger/port.ts'

function keyOf(accountNumber: number, expiresAtMs = Number.POSITIVE_INFINITY): GoodKey {
  const id = `key_${accountNumber}`
  return { id, hash: `hash ${accountNumber}`, accountNumber, expiresAtMs }
}

const isKnown = ({ accountNumber }: GoodKey) => accountNumber < 5
const nothing = { keys: [], badKeys: [] }

test('hands over what changed, and nothing when nothing did', () => {
  const keys = new HandedKeys()
  keys.replace([keyOf(1), keyOf(2)], false)
  expect(keys.take(0, isKnown)).toEqual({ number: 1, keys: [keyOf(1), keyOf(2)], badKeys: [] })
  keys.replace([keyOf(2), keyOf(1)], false)
  expect(keys.take(1, isKnown)).toEqual({ number: 1, ...nothing })
  keys.replace([keyOf(3), keyOf(1, 9)], false)
  const badKeys = ['hash 2']
  expect(keys.take(1, isKnown)).toEqual({ number: 2, keys: [keyOf(3), keyOf(1, 9)], badKeys })
  expect(keys.take(2, isKnown)).toEqual({ number: 2, ...nothing })
})

test('tells two secrets of one key apart', () => {
  const keys = new HandedKeys()
  const [one, other] = [keyOf(1), { ...keyOf(1), hash: 'another' }]
  keys.replace([one, other], false)
  keys.take(0, isKnown)
  keys.replace([other], false)
  expect(keys.take(1, isKnown)).toMatchObject({ keys: [], badKeys: [one.hash] })
})

test('hands over again what was not taken over, as it is then', () => {
  const keys = new HandedKeys()
  keys.replace([keyOf(1), keyOf(2), keyOf(3)], false)
  keys.take(0, isKnown)
  keys.replace([keyOf(2, 8), keyOf(3, 8)], false)
  keys.take(1, isKnown)
  keys.replace([keyOf(2, 9)], false)
  const { number, ...again } = keys.take(1, isKnown)
  expect(again).toEqual({ keys: [keyOf(2, 9)], badKeys: ['hash 1', 'hash 3'] })
  expect(keys.take(number, isKnown)).toMatchObject(nothing)
})

test('says that it has the keys of some accounts, also where the keys stay the same', () => {
  const keys = new HandedKeys()
  keys.replace([keyOf(1)], false)
  keys.take(0, isKnown)
  keys.replace([keyOf(1)], true)
  expect(keys.take(1, isKnown)).toEqual({ number: 1, ...nothing, isPart: true })
})

test('hands over what was found once, when the funds are known', () => {
  const keys = new HandedKeys()
  keys.replace([], true)
  keys.add([keyOf(3), keyOf(7)], ['a hash'])
  expect(keys.take(0, isKnown)).toMatchObject({ keys: [keyOf(3)], badKeys: ['a hash'] })
  expect(keys.take(1, isKnown)).toMatchObject(nothing)
  expect(keys.take(1, () => true)).toMatchObject({ keys: [keyOf(7)], badKeys: [] })
  expect(keys.take(2, () => true)).toMatchObject(nothing)
})
