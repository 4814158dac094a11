/** An account for practice: its key and its money are memory of its own, so that nothing is sold and nothing kept. */
import { defaultPrices } from '../../operations.ts'
import { keyHash, newKeyText } from '../books/key.ts'
import { createSharedBalances, ThreadBalances } from './balances.ts'
import { Keyring } from './keyring.ts'
import { Reservations } from './reservations.ts'

const practiceMicroUsd = 1e15

interface PracticeAccount {
  readonly reservations: Reservations
  readonly authorization: string
}

/** Opens such an account. 5 MiB that go with it, untouched pages of which cost nothing. */
export function practiceAccount(): PracticeAccount {
  const key = newKeyText()
  const owner = { accountSlot: 0, keyId: 'practice', line: 0, purses: [0] }
  const authorization = `Bearer ${key}`
  const keyring = new Keyring(() => 0)
  const entry = { ...owner, hash: keyHash(key), expiresAtMs: Number.POSITIVE_INFINITY }
  keyring.take({ changed: [], keys: [entry], bad: [] })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, practiceMicroUsd)
  const reservations = new Reservations(keyring, balances, defaultPrices)
  return { reservations, authorization }
}
