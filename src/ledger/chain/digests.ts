/**
 * The digests that chain the books. A row of the journal carries the digest of its content and of the
 * digest before it; the first one follows the digest of the account itself. A key carries the digest of
 * its content, and an account one of all its keys. So a change that did not come through the ledger shows,
 * and which row it is. There is no secret in a digest: it finds damage and mistakes, not a forger who
 * computes all digests anew.
 */
import { hash } from 'node:crypto'
import type { Account, JournalRow, KeyRecord } from '../account-records.ts'

/** 32 hexadecimal digits (the first half of a SHA-256) of JSON, in which no two values read the same. */
export function digestOf(values: readonly unknown[]): string {
  return digestOfText(JSON.stringify(values))
}

function digestOfText(text: string): string {
  return hash('sha256', text).slice(0, 32)
}

/** The digest with which the chain of an account begins. */
export function originOf(account: Pick<Account, 'number' | 'name' | 'createdAtMs'>): string {
  return digestOf(['account', account.number, account.name, account.createdAtMs])
}

/** Identity of a row: its account, its number, and the digest of the row before it. */
export interface RowPlace {
  readonly accountNumber: number
  readonly sequence: number
  readonly previous: string
}

/** The digest of a row as it was written. */
export function rowDigest(place: RowPlace, row: Omit<JournalRow, 'digest' | 'seal'>): string {
  return digestOfText(rowText(place, row as JournalRow))
}

/**
 * The seal of a row that others were folded into. Such a row keeps its digest, which the next row follows
 * and which cannot be computed any more; the seal binds its new content to that digest.
 */
export function rowSeal(place: RowPlace, row: JournalRow): string {
  return digestOfText(`${rowText(place, row)},${row.digest}`)
}

/** Whether a row is what was written in its place. */
export function isRowAsWritten(place: RowPlace, row: JournalRow): boolean {
  if (row.seal !== undefined) return row.seal === rowSeal(place, row)
  return row.digest === rowDigest(place, row)
}

/** Numbers, and what may hold a comma as JSON; joined by hand, because a proof does this for every row. */
function rowText({ accountNumber, sequence, previous }: RowPlace, row: JournalRow): string {
  const { kind, amountMicroUsd, balanceMicroUsd, atMs } = row
  const what = kind === 'charge' ? `${row.rows ?? 1},${JSON.stringify(row.sales)}` : wordsOf(row)
  return `${previous},${accountNumber},${sequence},${kind},${amountMicroUsd},${balanceMicroUsd},${atMs},${what}`
}

function wordsOf(row: JournalRow): string {
  const reference = 'reference' in row ? row.reference : null
  return JSON.stringify([reference, 'reason' in row ? row.reason : null])
}

/** The digest of a key as it is. */
export function keyDigest(key: Omit<KeyRecord, 'digest'>): string {
  const { id, accountNumber, hash: ofText, label, createdAtMs, expiresAtMs } = key
  const state = [expiresAtMs, key.revokedAtMs, key.replacedBy, key.unshown === true]
  const { lineage, parent, terms: { cap, scopes, requestsPerSecond, addresses } = {} } = key
  const ofCap = cap && [cap.amountMicroUsd, cap.period, cap.sinceMs]
  const restricted = [lineage, parent, ofCap, scopes, requestsPerSecond, addresses]
  return digestOf(['key', id, accountNumber, ofText, label, createdAtMs, ...state, ...restricted])
}

/** The digest of a suspension, which is held together with those of the keys. */
export function suspensionDigest(accountNumber: number, sinceMs: number): string {
  return digestOf(['suspended', accountNumber, sinceMs])
}

/** The digest of no keys. */
export const noKeys = '0'.repeat(32)

/**
 * The digest of a set with one digest more, or without one that it had: their exclusive or, so that
 * the order is of no matter and no other key has to be read.
 */
export function withToggledDigest(set: string, digest: string | undefined): string {
  if (digest === undefined) return set
  return (BigInt(`0x${set}`) ^ BigInt(`0x${digest}`)).toString(16).padStart(32, '0')
}

/** The digest of a set with one digest in the place of another, which it need not have had. */
export function withReplacedDigest(set: string, before: string | undefined, after: string): string {
  return withToggledDigest(withToggledDigest(set, before), after)
}
