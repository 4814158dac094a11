/**
 * What a client may spend and has spent, in micro-USD. Invariant: with a limit, what is spent and what is on
 * its way are never above it, by the prices that the service publishes.
 */
import { CostLimitError } from './failures.ts'
import type { ClientRoute } from './questions.ts'

/** USD of one request or value, by operation. */
export type PriceList = Readonly<Partial<Record<ClientRoute, number>>>

/** What a client is told of money. */
export interface SpendingOptions {
  /** USD for all calls of the client. */
  readonly maxCostUsd?: number | undefined
  /** Called when the balance falls below an amount in USD, and again after it was above it. */
  readonly onBalanceBelow?:
    | { readonly usd: number; readonly call: (balanceUsd: number) => void }
    | undefined
}

/** Counts what is spent. */
export class Spending {
  readonly #options: SpendingOptions
  readonly #prices: () => Promise<PriceList>
  #spentMicroUsd = 0
  #reservedMicroUsd = 0
  #isBelow = false

  constructor(options: SpendingOptions, prices: () => Promise<PriceList>) {
    this.#options = options
    this.#prices = prices
  }

  /** USD that were charged. */
  get spentUsd(): number {
    return this.#spentMicroUsd / 1e6
  }

  /**
   * Runs a request whose price fits. The prices are fetched where there is a limit.
   * @param callMaxUsd the limit of this call.
   * @throws CostLimitError before anything is sent.
   */
  async within<T extends { readonly cost: number; readonly balance: number | null }>(
    {
      route,
      count,
      callMaxUsd,
    }: { route: ClientRoute; count: number; callMaxUsd?: number | undefined },
    run: () => Promise<T>,
  ): Promise<T> {
    const { maxCostUsd } = this.#options
    const isLimited = callMaxUsd !== undefined || maxCostUsd !== undefined
    const price = isLimited ? micro(((await this.#prices())[route] ?? 0) * count) : 0
    const leftMicroUsd =
      micro(maxCostUsd ?? Infinity) - this.#spentMicroUsd - this.#reservedMicroUsd
    if (price > Math.min(leftMicroUsd, micro(callMaxUsd ?? Infinity))) {
      const facts = { requestId: null, attempts: 0, idempotencyKey: null }
      throw new CostLimitError(
        'cost-limit',
        `the price of ${price / 1e6} USD is above the limit`,
        facts,
      )
    }
    this.#reservedMicroUsd += price
    try {
      const answer = await run()
      this.#spentMicroUsd += micro(answer.cost)
      this.#notify(answer.balance)
      return answer
    } finally {
      this.#reservedMicroUsd -= price
    }
  }

  #notify(balance: number | null): void {
    const { onBalanceBelow } = this.#options
    if (onBalanceBelow === undefined || balance === null) return
    const wasBelow = this.#isBelow
    this.#isBelow = balance < onBalanceBelow.usd
    if (this.#isBelow && !wasBelow) onBalanceBelow.call(balance)
  }
}

function micro(usd: number): number {
  return Math.round(usd * 1e6)
}
