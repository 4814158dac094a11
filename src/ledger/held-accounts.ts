/**
 * The accounts that a service holds: all of a ledger that has no more than there is room for; of a larger one, those
 * whose keys were sent to it. An account that is held stays so, as it has a slot in shared memory.
 */
import { changedNumbers } from './books/held-rows.ts'
import { accountsMax } from './port.ts'
import type { RunStatement } from './sql/port.ts'

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

  /** The numbers of those that are held and changed after a change. New ones are held while there is room for all of them. */
  async changed(query: RunStatement, seen: number): Promise<readonly number[]> {
    const changed = await changedNumbers(query, seen, this.#roomMax + 1)
    const fresh = this.#isPart ? [] : changed.filter((number) => !this.#held.has(number))
    if (fresh.length > this.#roomMax - this.#held.size) this.#isPart = true
    else for (const number of fresh) this.#held.add(number)
    if (changed.length > this.#roomMax) return [...this.#held]
    return changed.filter((number) => this.#held.has(number))
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
