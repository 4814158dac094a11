/**
 * Sales of one service that are not charged. The ledger keeps a row of each whose account it has.
 */
import { formatUsd } from '../../money.ts'
import type { Charge } from '../books/port.ts'
import { totalOf } from '../books/sales.ts'
import type { Reply } from './settlement.ts'

const listedMax = 10

export class Uncharged {
  readonly #report: (line: string) => void
  #givenAwayMicroUsd = 0

  constructor(report: (line: string) => void) {
    this.#report = report
  }

  get givenAwayMicroUsd(): number {
    return this.#givenAwayMicroUsd
  }

  giveAway(charges: readonly Charge[]): void {
    const { amountMicroUsd } = totalOf(charges)
    if (amountMicroUsd === 0) return
    this.#givenAwayMicroUsd += amountMicroUsd
    this.#report(`${formatUsd(amountMicroUsd)} USD cannot be charged any more and are given away`)
  }

  /** What a settlement of some charges did not charge. */
  note(charges: readonly Charge[], { lost, unpaid }: Pick<Reply, 'lost' | 'unpaid'>): void {
    if (lost.length > 0) {
      const listed = lost.slice(0, listedMax).join(', ')
      const more = lost.length > listedMax ? ', …' : ''
      const line = 'the database has lost accounts that were known here; nothing is sold to them'
      this.#report(`${line}: ${listed}${more} (${lost.length} in all)`)
    }
    const numbers = new Set([...lost, ...unpaid])
    this.giveAway(charges.filter(({ accountNumber }) => numbers.has(accountNumber)))
  }
}
