/** The tail of a serving thread: one connection, which all snapshots after another share. */
import type { NewCatalog } from '../../engine/open.ts'
import { limits } from '../../limits.ts'
import { BlockFetcher } from '../../tail/block-fetcher.ts'
import { openRedisTail } from '../../tail/redis-tail.ts'
import type { TailFacts } from '../../tail/tail-store.ts'
import { tailedBy } from '../../tail/tailed-catalog.ts'

export class ThreadTail {
  readonly #uri: string
  readonly #clock: () => number
  #fetcher: Promise<BlockFetcher> | undefined

  /** @param clock milliseconds, never going back. */
  constructor(uri: string, clock: () => number) {
    this.#uri = uri
    this.#clock = clock
  }

  /** Opens catalogs of a head with such a tail; undefined for a whole snapshot. */
  async newCatalog(facts: TailFacts | undefined): Promise<NewCatalog | undefined> {
    if (facts === undefined) return undefined
    this.#fetcher ??= this.#connect()
    try {
      return tailedBy(await this.#fetcher, facts)
    } catch (error) {
      this.#fetcher = undefined
      throw error
    }
  }

  async #connect(): Promise<BlockFetcher> {
    const callMsMax = limits.tailCallMsMax
    const store = await openRedisTail(this.#uri, { commandMsMax: callMsMax })
    return new BlockFetcher({ store, clock: this.#clock, callMsMax })
  }
}
