/**
 * The facts that answers report while a place is shown: its requests, the balance, and the snapshots.
 * Requests for suggestions do not belong to a place, but they may be the first to show that the index has
 * moved on.
 */
import type { Exchange } from './asking.ts'

export interface SessionLog {
  /** Exchanges of the shown place, the last at the end. */
  readonly exchanges: readonly Exchange[]
  /** Balance of the account that the last answer reported; undefined before the first. */
  readonly balanceUsd: number | undefined
  /** The snapshot of the last answer to any request; '' before the first. */
  readonly snapshotId: string
}

/** The log before the first answer. */
export const emptyLog: SessionLog = { exchanges: [], balanceUsd: undefined, snapshotId: '' }

/** Maximum number of logged exchanges; the oldest go first. */
const exchangesMax = 40

/** Whether an exchange is part of a place: requests for suggestions would hide those that made the place. */
export function isOfPlace({ query }: Exchange): boolean {
  return !query.path.endsWith('/autocomplete')
}

/** The log with one more exchange. */
export function logged(told: SessionLog, exchange: Exchange): SessionLog {
  const beside = toldBeside(told, exchange)
  if (!isOfPlace(exchange)) return beside
  return { ...beside, exchanges: [...told.exchanges, exchange].slice(-exchangesMax) }
}

/** The log with an exchange that the view does not need; the same log if the exchange reports nothing new. */
export function toldBeside(told: SessionLog, exchange: Exchange): SessionLog {
  const balanceUsd = exchange.balanceUsd ?? told.balanceUsd
  const snapshotId = exchange.snapshotId || told.snapshotId
  const isSame = balanceUsd === told.balanceUsd && snapshotId === told.snapshotId
  return isSame ? told : { ...told, balanceUsd, snapshotId }
}

/** The snapshot of the shown answers; the last that answered if none is shown yet. */
export function shownSnapshotId({ exchanges, snapshotId }: SessionLog): string {
  return exchanges.findLast((exchange) => exchange.snapshotId !== '')?.snapshotId ?? snapshotId
}

/** Whether a newer snapshot has answered since a part of the shown answers came. */
export function isOutdated({ exchanges, snapshotId }: SessionLog): boolean {
  return exchanges.some((exchange) => !['', snapshotId].includes(exchange.snapshotId))
}
