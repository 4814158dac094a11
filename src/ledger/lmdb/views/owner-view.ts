/** An account as a holder of one of its keys sees it: one read of a ledger on a disk, of one moment. */
import type { DailySale, OwnerView, OwnKey } from '../../port.ts'
import { ownerFacts, ownerSince } from '../../usage.ts'
import type { Environment } from '../environment.ts'
import type { Tables } from '../tables.ts'

/** Reads it; undefined for a key that the ledger does not have. */
export function ownerViewOf(environment: Environment, key: OwnKey): OwnerView | undefined {
  const { keyId } = key
  const atMs = environment.clock()
  const since = ownerSince(atMs, key)
  return environment.read((tables) => {
    const record = tables.keys.get(keyId)
    const account = record && tables.accounts.get(record.accountNumber)
    if (record === undefined || account === undefined) return undefined
    const charges = chargesSince(tables, account.number, since)
    const keyCharges = keyChargesSince(tables, account.number, keyId, since)
    return { ...ownerFacts(account, record), atMs, charges, keyCharges }
  })
}

function chargesSince(tables: Tables, number: number, firstDay: string): DailySale[] {
  const range = tables.usage.getRange({ start: [number, firstDay, ''], end: [number + 1, '', ''] })
  return Array.from(range, ({ key: [, day, route], value }) => ({ day, route, ...value }))
}

function keyChargesSince(
  tables: Tables,
  number: number,
  keyId: string,
  firstDay: string,
): DailySale[] {
  const start: [number, string, string, string] = [number, keyId, firstDay, '']
  // No id has the character that follows the last one of its id.
  const end: [number, string, string, string] = [number, `${keyId}\u0001`, '', '']
  const range = tables.keyUsage.getRange({ start, end })
  return Array.from(range, ({ key: [, , day, route], value }) => ({ day, route, ...value }))
}
