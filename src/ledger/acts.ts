/**
 * The entry of the audit log for each kind of change of the books: its name, its subject and its order.
 */
import { usdNumber } from '../money.ts'
import type { Account } from './account-records.ts'
import type {
  AdminKeyOrder,
  Credited,
  IssuedAdminKey,
  IssuedKey,
  KeyChange,
  KeyOrder,
  Redeemed,
  Rotation,
  SetKey,
} from './administration.ts'
import type { Adjustment } from './checks/checked-orders.ts'
import type { TrailFacts } from './trail.ts'

/** The subject of a change: an account, a key or an admin key, by its name or id. */
export interface TrailSubject {
  readonly kind: 'account' | 'key' | 'admin-key'
  readonly id: string
}

/** A change of the books, before it is made. */
export interface Act<T> {
  readonly action: string
  readonly details: TrailFacts
  /** Undefined before it is made. @param result what the change returned; undefined before that. */
  readonly subject: (result: T | undefined) => TrailSubject | undefined
}

/** The acts by the names of the functions that make the changes. */
export const acts = {
  createAccount: (name: string, openingMicroUsd?: number): Act<Account> =>
    ofAccount('create', name, {
      ...(openingMicroUsd !== undefined && { opening_usd: usdNumber(openingMicroUsd) }),
    }),
  topUp: (name: string, amountMicroUsd: number, reference: string): Act<Credited> =>
    ofAccount('top-up', name, { amount_usd: usdNumber(amountMicroUsd), reference }),
  adjust: (name: string, { amountMicroUsd, reference, reason }: Adjustment): Act<Credited> =>
    ofAccount('adjust', name, { amount_usd: usdNumber(amountMicroUsd), reference, reason }),
  suspend: (name: string): Act<boolean> => ofAccount('suspend', name, {}),
  resume: (name: string): Act<boolean> => ofAccount('resume', name, {}),
  issueKey: ({ account }: KeyOrder): Act<IssuedKey> => ({
    ...{ action: 'key.issue', details: { account } },
    subject: (issued) => issued && { kind: 'key', id: issued.record.id },
  }),
  setKey: (id: string, _: KeyChange): Act<SetKey> => ofKey('set', id, {}),
  revokeKey: (id: string): Act<boolean> => ofKey('revoke', id, {}),
  rotateKey: (id: string, overlapMs: number): Act<Rotation> =>
    ofKey('rotate', id, { overlap_seconds: overlapMs / 1_000 }),
  renewKey: (id: string, _: string, __: number): Act<IssuedKey | undefined> =>
    ofKey('renew', id, {}),
  redeemNote: (): Act<Redeemed> => ({
    ...{ action: 'key.issue', details: {} },
    subject: (redeemed) =>
      redeemed?.state === 'issued' ? { kind: 'key', id: redeemed.issued.record.id } : undefined,
  }),
  withdrawKey: ({ record }: IssuedKey): Act<void> => ofKey('withdraw', record.id, {}),
  issueAdminKey: (_: AdminKeyOrder): Act<IssuedAdminKey> => ({
    ...{ action: 'admin-key.issue', details: {} },
    subject: (issued) => issued && { kind: 'admin-key', id: issued.record.id },
  }),
  revokeAdminKey: (id: string): Act<boolean> => ({
    ...{ action: 'admin-key.revoke', details: {} },
    subject: () => ({ kind: 'admin-key', id }),
  }),
} as const

function ofAccount<T>(what: string, name: string, details: TrailFacts): Act<T> {
  return { action: `account.${what}`, details, subject: () => ({ kind: 'account', id: name }) }
}

function ofKey<T>(what: string, id: string, details: TrailFacts): Act<T> {
  return { action: `key.${what}`, details, subject: () => ({ kind: 'key', id }) }
}
