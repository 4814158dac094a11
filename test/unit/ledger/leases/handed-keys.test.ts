/** Which good keys a session hands over: all when any changed, then those that come, each once. */
import { expect, test } from 'vitest'
import { HandedKeys } from '../../../../src/ledger/leases/handed-keys.ts'
import type { GoodKey } from '../../../../src/ledger/port.ts'

function keyOf(accountNumber: number, expiresAtMs = Number.POSITIVE_INFINITY): GoodKey {
  const id = `key_${accountNumber}`
  return { id, hash: `hash ${accountNumber}`, accountNumber, expiresAtMs }
}

const isKnown = ({ accountNumber }: GoodKey) => accountNumber < 5

test('hands over all keys when any changed, and nothing when none did', () => {
  const keys = new HandedKeys()
  keys.replace([keyOf(1), keyOf(2)], false)
  expect(keys.take(0, isKnown)).toEqual({ keys: [keyOf(1), keyOf(2)] })
  keys.replace([keyOf(2), keyOf(1)], false)
  expect([keys.version, keys.take(1, isKnown)]).toEqual([1, { keys: undefined }])
  keys.replace([keyOf(2), keyOf(1, 9)], false)
  expect(keys.take(1, isKnown)).toEqual({ keys: [keyOf(2), keyOf(1, 9)] })
})

test('says that it has the keys of some accounts, also where the keys stay the same', () => {
  const keys = new HandedKeys()
  keys.replace([keyOf(1)], false)
  keys.take(0, isKnown)
  keys.replace([keyOf(1)], true)
  expect(keys.take(1, isKnown)).toEqual({ keys: [keyOf(1)], isPart: true })
})

test('hands over what was found once, when the funds are known', () => {
  const keys = new HandedKeys()
  keys.replace([], true)
  keys.take(0, isKnown)
  keys.add([keyOf(3), keyOf(7)], ['a hash'])
  expect(keys.take(1, isKnown)).toEqual({
    keys: undefined,
    isPart: true,
    moreKeys: [keyOf(3)],
    badKeys: ['a hash'],
  })
  expect(keys.take(1, isKnown)).toEqual({ keys: undefined, isPart: true })
  expect(keys.take(1, () => true)).toMatchObject({ moreKeys: [keyOf(7)] })
  expect(keys.take(1, () => true)).toEqual({ keys: undefined, isPart: true })
})

test('hands over a key that waits with the others, when these are handed over anew', () => {
  const keys = new HandedKeys()
  keys.replace([keyOf(7)], true)
  expect(keys.take(0, isKnown)).toEqual({ keys: [], isPart: true })
  expect(keys.take(1, () => true)).toMatchObject({ moreKeys: [keyOf(7)] })
  keys.replace([keyOf(7), keyOf(1)], true)
  expect(keys.take(1, isKnown)).toMatchObject({ keys: [keyOf(1)] })
})
