/** An API that sells: threads of one service, accounts with a key and money each, and a clock that is set by hand. */
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import { Api, type ApiContext } from '../../src/api/api.ts'
import { newKeyText } from '../../src/ledger/books/key.ts'
import { createSharedBalances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import type { KeyOwner } from '../../src/ledger/live/keyring.ts'
import { createSharedPaidQuestions, PaidQuestions } from '../../src/ledger/live/paid-questions.ts'
import { Reservations } from '../../src/ledger/live/reservations.ts'
import { defaultPrices, type Prices } from '../../src/operations.ts'
import { rethrow, sameIds } from './api-client.ts'
import { keyringOf } from './keyring-of.ts'
import { ownerAt } from './ledger-fixture.ts'

interface ShopOptions {
  readonly served: () => ActiveSnapshot | undefined
  /** Micro-USD of each account. */
  readonly balances: readonly number[]
  readonly prices?: Prices
  readonly threads?: number
  /** The owner of the key of an account; one without terms where it is absent. */
  readonly ownerOf?: (account: number) => KeyOwner
  /** What the API has beside, and in the place of, what is given here. */
  readonly more?: Partial<ApiContext>
}

/** A new shop. Its first thread is `api`, with `context`. */
export function apiShop({
  served,
  balances: amounts,
  prices = defaultPrices,
  threads = 1,
  ownerOf = (account) => ownerAt(account, `key_${account}`),
  more = {},
}: ShopOptions) {
  const clock = { nowMs: 0 }
  const readClock = () => clock.nowMs
  const keys = amounts.map((_, account) => newKeyText((limit) => account % limit))
  const [money, questions] = [createSharedBalances(threads), createSharedPaidQuestions()]
  const owned = keys.map((text, account) => ({ text, owner: ownerOf(account) }))
  const contexts = Array.from({ length: threads }, (_, place) => {
    const thread = new ThreadBalances(money, place)
    const paid = new PaidQuestions(questions, place, readClock)
    const reservations = new Reservations(keyringOf(owned), thread, prices, undefined, paid)
    const surroundings = { clock: readClock, ids: sameIds(), onError: rethrow }
    return { served, reservations, ...surroundings, ...more }
  })
  const balances = new ThreadBalances(money, 0)
  for (const [account, amount] of amounts.entries()) balances.credit(account, amount)
  const apis = contexts.map((context) => new Api(context))
  const authorizations = keys.map((text) => `Bearer ${text}`)
  return { apis, api: apis[0]!, context: contexts[0]!, balances, clock, authorizations }
}
