/**
 * The accounts that a service holds: all of a ledger that has no more than there is room for; of a larger one, those
 * whose keys were sent to it. An account that is held stays so, as it has a slot in shared memory.
 */
import { accountsMax } from './port.ts'

/** The reading of accounts, each with its number, which `numberOf` tells. */
interface AccountReading<A> {
  readonly numberOf: (account: A) => number
  /** The accounts that changed after a change, up to a number of them; any, where there was none. */
  readonly changed: (seen: number, most: number) => Promise<readonly A[]>
  /** Those of some accounts that there are. */
  readonly among: (numbers: readonly number[]) => Promise<readonly A[]>
}

/** Options of what is held. */
export interface HeldOptions {
  /** As many as shared memory has slots for, where it is absent. */
  readonly accountsMax?: number
  /** Is called with one line once there is no room for more. */
  readonly report: (line: string) => void
}

/** The change of a look at accounts before which there was none. */
export const noneSeen = -1

export class HeldAccounts {
  readonly #held = new Set<number>()
  readonly #roomMax: number
  readonly #report: (line: string) => void
  #isPart = false
  #isFull = false

  constructor({ accountsMax: roomMax = accountsMax, report }: HeldOptions) {
    this.#roomMax = roomMax
    this.#report = report
  }

  /** The accounts that are held and that changed after a change. New ones are held while there is room for all of them. */
  async changed<A>(
    { numberOf, changed, among }: AccountReading<A>,
    seen: number,
  ): Promise<readonly A[]> {
    const accounts = await changed(seen, this.#roomMax + 1)
    const isHeld = (account: A) => this.#held.has(numberOf(account))
    const fresh = this.#isPart ? [] : accounts.filter((account) => !isHeld(account))
    if (fresh.length > this.#roomMax - this.#held.size) this.#isPart = true
    else for (const account of fresh) this.#held.add(numberOf(account))
    return accounts.length > this.#roomMax ? among([...this.#held]) : accounts.filter(isHeld)
  }

  /** Holds accounts as far as there is room. @returns those that were not held before. */
  hold(numbers: Iterable<number>): number[] {
    const fresh = [...new Set(numbers)].filter((number) => !this.#held.has(number))
    const room = this.#roomMax - this.#held.size
    if (fresh.length > room) this.#reportFull()
    const held = fresh.slice(0, room)
    for (const number of held) this.#held.add(number)
    return held
  }

  /** Whether the ledger has other accounts, too. */
  get isPart(): boolean {
    return this.#isPart
  }

  isHeld(number: number): boolean {
    return this.#held.has(number)
  }

  /** Reports once that no more accounts fit: from then on this holds for every account that is not held. */
  #reportFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    const reason = `this service has sold to ${this.#roomMax} accounts since its start, as many as it may hold`
    this.#report(`${reason}: others are answered 503 until it is started again`)
  }
}
