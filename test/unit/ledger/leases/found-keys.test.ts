/** Which keys a session with leases hands over: those that were found, once their funds are known, and those that changed. */
import { expect, test } from 'vitest'
import type { GoodKey } from '../../../../src/ledger/books/port.ts'
import { FoundKeys } from '../../../../src/ledger/leases/found-keys.ts'

function keyOf(accountNumber: number): GoodKey {
  const expiresAtMs = Number.POSITIVE_INFINITY
  return { id: `key_${accountNumber}`, hash: `hash ${accountNumber}`, accountNumber, expiresAtMs }
}

const isKnown = ({ accountNumber }: GoodKey) => accountNumber < 5
const nothing = { changedKeys: [], keys: [], badKeys: [] }

test('hands over what was found once, when the funds are known', () => {
  const keys = new FoundKeys()
  keys.add({ changedKeys: [], keys: [keyOf(3), keyOf(7)], bad: ['a hash'] })
  expect(keys.take(isKnown)).toEqual({ ...nothing, keys: [keyOf(3)], badKeys: ['a hash'] })
  expect(keys.take(isKnown)).toEqual(nothing)
  expect(keys.take(() => true)).toEqual({ ...nothing, keys: [keyOf(7)] })
  expect(keys.take(() => true)).toEqual(nothing)
})

test('has a key that changed while it waited sought again, and says of all that they changed', () => {
  const keys = new FoundKeys()
  const found = (...numbers: number[]) => ({ changedKeys: [], keys: numbers.map(keyOf), bad: [] })
  const changed = (changedKeys: string[] | 'all') => ({ changedKeys, keys: [], bad: [] })
  keys.add(found(6, 7, 8))
  const again = [keys.add(changed(['key_6'])), keys.add(changed(['key_7', 'key_1']))]
  expect(again).toEqual([['hash 6'], ['hash 7']])
  const changedKeys = ['key_6', 'key_7', 'key_1']
  expect(keys.take(() => true)).toEqual({ ...nothing, changedKeys, keys: [keyOf(8)] })
  keys.add(found(1, 2))
  const isStillGood = { ...changed('all'), keys: [keyOf(2)] }
  expect([keys.add(isStillGood), keys.add(changed(['key_3']))]).toEqual([['hash 1'], []])
  expect(keys.take(() => true)).toEqual({ ...nothing, changedKeys: 'all', keys: [keyOf(2)] })
})
