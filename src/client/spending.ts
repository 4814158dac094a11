/**
 * The budget of a client and its spending, in micro-USD. Invariant: with a limit, the costs of all requests, also of
 * those on their way, are never above it, by the prices that the service publishes.
 */
import { CostLimitError, RefusedError } from './failures.ts'
import type { ClientRoute } from './questions.ts'

/** USD of one request or value, by operation. */
export type PriceList = Readonly<Partial<Record<ClientRoute, number>>>

/** A limit of a client's spending, and a callback for a low balance. */
export interface SpendingOptions {
  /** USD for all calls of the client. */
  readonly maxCostUsd?: number | undefined
  /** Called when the balance falls below an amount in USD, and again after it was above it. */
  readonly onBalanceBelow?:
    | { readonly usd: number; readonly call: (balanceUsd: number) => void }
    | undefined
}

/** A priced call: its operation, its requests or values, and the most it may cost. */
export interface PricedQuestion {
  readonly route: ClientRoute
  readonly count: number
  /** The most items that are sold as profiles beside. */
  readonly profiles: number
  readonly callMaxUsd?: number | undefined
}

/** Counts the spending of a client. */
export class Spending {
  readonly #options: SpendingOptions
  readonly #prices: () => Promise<PriceList>
  #spentMicroUsd = 0
  #reservedMicroUsd = 0
  /** Price of the calls that ended without an answer. */
  #unknownMicroUsd = 0
  #isBelow = false

  constructor(options: SpendingOptions, prices: () => Promise<PriceList>) {
    this.#options = options
    this.#prices = prices
  }

  /** USD that were charged. */
  get spentUsd(): number {
    return this.#spentMicroUsd / 1e6
  }

  /** @throws CostLimitError if a limit does not pay for a question. */
  async assertPays(question: PricedQuestion): Promise<void> {
    this.#priceOf(question, await this.#pricesFor(question))
  }

  /**
   * Runs a request whose price fits. The prices are fetched only if there is a limit.
   * @throws CostLimitError before anything is sent.
   */
  async within<T extends { readonly cost: number; readonly balance: number | null }>(
    question: PricedQuestion,
    run: () => Promise<T>,
  ): Promise<T> {
    const prices = await this.#pricesFor(question)
    // Nothing may happen between the two: the rest of the budget is for one question only.
    const price = this.#priceOf(question, prices)
    this.#reservedMicroUsd += price
    try {
      const answer = await run()
      this.#spentMicroUsd += micro(answer.cost)
      this.#notify(answer.balance)
      return answer
    } catch (error) {
      // It may have been charged all the same.
      if (!(error instanceof RefusedError)) this.#unknownMicroUsd += price
      throw error
    } finally {
      this.#reservedMicroUsd -= price
    }
  }

  /** The prices; undefined without a limit. */
  async #pricesFor({ callMaxUsd }: PricedQuestion): Promise<PriceList | undefined> {
    const isLimited = callMaxUsd !== undefined || this.#options.maxCostUsd !== undefined
    return isLimited ? this.#prices() : undefined
  }

  /** The price of a question in micro-USD; 0 without a limit. */
  #priceOf(question: PricedQuestion, prices: PriceList | undefined): number {
    if (prices === undefined) return 0
    const { route, count, profiles, callMaxUsd } = question
    const price = micro((prices[route] ?? 0) * count + (prices.detail ?? 0) * profiles)
    const maxMicroUsd = micro(this.#options.maxCostUsd ?? Infinity)
    const goneMicroUsd = this.#spentMicroUsd + this.#reservedMicroUsd + this.#unknownMicroUsd
    const leftMicroUsd = maxMicroUsd - goneMicroUsd
    if (price > Math.min(leftMicroUsd, micro(callMaxUsd ?? Infinity))) {
      const facts = { requestId: null, attempts: 0, idempotencyKey: null }
      const text = `the price of ${price / 1e6} USD is above the limit`
      throw new CostLimitError('cost-limit', text, facts)
    }
    return price
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
