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
  keys.add([keyOf(3), keyOf(7)], ['a hash'])
  expect(keys.take(isKnown)).toEqual({ ...nothing, keys: [keyOf(3)], badKeys: ['a hash'] })
  expect(keys.take(isKnown)).toEqual(nothing)
  expect(keys.take(() => true)).toEqual({ ...nothing, keys: [keyOf(7)] })
  expect(keys.take(() => true)).toEqual(nothing)
})

test('has a key that changed while it waited sought again, and says of all that they changed', () => {
  const keys = new FoundKeys()
  keys.add([keyOf(6), keyOf(7), keyOf(8)], [])
  expect([keys.change(['key_6']), keys.change([7, 'key_1'])]).toEqual([['hash 6'], ['hash 7']])
  const changedKeys = ['key_6', 7, 'key_1']
  expect(keys.take(() => true)).toEqual({ ...nothing, changedKeys, keys: [keyOf(8)] })
  keys.add([keyOf(1)], [])
  expect([keys.change('all'), keys.change(['key_2']), keys.change([])]).toEqual([
    ['hash 1'],
    [],
    [],
  ])
  expect(keys.take(() => true)).toEqual({ ...nothing, changedKeys: 'all' })
})
