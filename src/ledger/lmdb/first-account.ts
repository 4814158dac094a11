/**
 * The account that a service creates in an empty ledger, so that a first user can send requests at once.
 * Its key is marked until it was shown: if a start fails before that, the next one creates another key and
 * revokes the unseen one.
 */
import type { KeyRecord } from '../account-records.ts'
import { firstKeyOrder } from '../keys/key-changes.ts'
import { accounts, createAccount } from './accounts.ts'
import { allKeys, putKey } from './by-key/stored-keys.ts'
import type { Environment } from './environment.ts'
import { issueKey } from './keys.ts'
import type { Tables } from './tables.ts'

/**
 * Makes the account with its key, or its key anew where that was never shown; all in one transaction.
 * @returns the text of the key, which is nowhere else; undefined when there was an account.
 * @throws Refusal `ledger-refused` when the disk refuses.
 */
export function createFirstAccount(
  environment: Environment,
  openingMicroUsd?: number,
): string | undefined {
  const isNeeded = environment.read((tables) => isEmpty(tables) || unshownKey(tables) !== undefined)
  if (!isNeeded) return undefined
  return environment.write('keys', (tables) => {
    const unshown = unshownKey(tables)
    if (unshown === undefined) createAccount(environment, firstKeyOrder.account, openingMicroUsd)
    else putKey(tables, revoked(unshown, environment.clock()))
    const { text, record } = issueKey(environment, firstKeyOrder)
    putKey(tables, { ...record, unshown: true })
    return text
  })
}

/** The key of the first account was shown: it is made no more. */
export function markFirstKeyShown(environment: Environment): void {
  environment.transact((tables) => {
    const key = unshownKey(tables)
    if (key !== undefined) putKey(tables, shown(key))
  })
}

function isEmpty(tables: Tables): boolean {
  return accounts(tables).length === 0
}

/** The key that was never shown; a key that was revoked is known to a person. */
function unshownKey(tables: Tables): KeyRecord | undefined {
  return allKeys(tables).find((key) => key.unshown === true && key.revokedAtMs === null)
}

function shown({ unshown: _, ...key }: KeyRecord): KeyRecord {
  return key
}

function revoked(key: KeyRecord, atMs: number): KeyRecord {
  return { ...shown(key), revokedAtMs: atMs }
}
