/** The content of the windows of an outbox. */
import type { Charge } from '../../books/port.ts'
import { chargesByKey } from '../../books/sales.ts'
import type { Window } from './outbox.ts'
import type { LateCharge } from './uncharged.ts'

/** Charges in the windows after a settlement. */
export function lateChargesOf(windows: readonly Window[], last: number): LateCharge[] {
  return windows
    .filter(({ number }) => number > last)
    .flatMap(({ number, charges }) => charges.map((charge) => ({ number, ...charge })))
}

/** All that was sold in some windows, by account and key. */
export function chargesOf(windows: readonly Window[]): Charge[] {
  return chargesByKey(windows.flatMap(({ charges }) => charges))
}
