/**
 * What one request leaves for the next: nothing. Requests of every kind are interleaved on one API, which keeps its query,
 * its reply and its caches from one to the next: refused half way, failed in the middle of an answer, abandoned
 * before their body, written late, in part or never, over swaps. Each answer, header and charge is that of an API which was
 * made for this request alone. `REUSED_SEEDS=N` tries so many seeds, from `REUSED_FROM` on.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ActiveSnapshot, activate } from '../../../../src/api/active-snapshot.ts'
import { Api } from '../../../../src/api/api.ts'
import {
  type ApiReply,
  type ApiRequest,
  copiedReply,
  headersOf,
} from '../../../../src/api/exchange.ts'
import { createSharedLimits, RateLimit } from '../../../../src/api/limits/rate-limit.ts'
import { answeredIn } from '../../../../src/api/taken-items.ts'
import { newKeyText } from '../../../../src/ledger/books/key.ts'
import { accountsMax } from '../../../../src/ledger/books/port.ts'
import {
  cellsPerLine,
  createSharedBalances,
  ThreadBalances,
} from '../../../../src/ledger/live/balances.ts'
import {
  createSharedPaidQuestions,
  PaidQuestions,
} from '../../../../src/ledger/live/paid-questions.ts'
import { Reservations } from '../../../../src/ledger/live/reservations.ts'
import { UnreadableTexts } from '../../../../src/snapshot/texts/stored-blocks.ts'
import { sameIds } from '../../../support/api-client.ts'
import { snapshotOf } from '../../../support/built.ts'
import { keyringOf } from '../../../support/keyring-of.ts'
import { ownerAt, prices } from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'
import {
  aliasPool,
  handlePool,
  labelPool,
  sduPool,
  smallSources,
} from '../../../support/records.ts'

const seeds = Number(process.env.REUSED_SEEDS ?? 8)
const from = Number(process.env.REUSED_FROM ?? 1)
const steps = 400
const recentMax = 10

const keys = [1, 2, 3].map((fill) => newKeyText((count) => new Uint8Array(count).fill(fill)))
/** Micro-USD of each account: one is rich, one has a cap, one is soon poor. */
const balances = [1_000_000_000, 1_000_000_000, 12_000]
const capMicroUsd = 15_000

/** How an answer fails that is not found in peace. */
type Fault = 'bug' | 'unreadable'

/** What a service keeps of the money, and its clock. */
function newMoney(clock: () => number) {
  const keyring = keyringOf(
    keys.map((text, account) => {
      const purses = account === 1 && { purses: [1, accountsMax] }
      return { text, owner: { ...ownerAt(account, text), ...purses } }
    }),
  )
  const thread = new ThreadBalances(createSharedBalances(1), 0)
  for (const [account, amount] of balances.entries()) thread.credit(account, amount)
  thread.credit(accountsMax, capMicroUsd)
  const questions = new PaidQuestions(createSharedPaidQuestions(), 0, clock)
  const limit = { rateLimit: 4, rateBurst: 8, failedKeyLimit: 0 }
  const rateLimit = new RateLimit(createSharedLimits(1), limit)
  const newReservations = () => new Reservations(keyring, thread, prices, undefined, questions)
  /** All that was sold and is left, by account. */
  const state = () =>
    balances.map((_, account) => {
      const cells = new Float64Array(cellsPerLine)
      thread.readLine(account, cells)
      return [thread.balanceMicroUsd(account), ...cells]
    })
  return { newReservations, rateLimit, state, capLeft: () => thread.balanceMicroUsd(accountsMax) }
}

/** A snapshot whose catalog fails at its n-th use, but for its id. */
function failing(served: ActiveSnapshot, fault: Fault, after: number): ActiveSnapshot {
  let left = after
  const catalog = new Proxy(served.catalog, {
    get(target, name) {
      if (name !== 'id' && left-- <= 0) {
        throw fault === 'bug' ? new Error('a bug') : new UnreadableTexts('a test')
      }
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const texts = fault === 'bug' ? undefined : { file: -1, first: 0, pages: {} }
  return { ...served, catalog, texts }
}

/** A world: the money, and the API that answers the next request. */
class World {
  readonly money: ReturnType<typeof newMoney>
  served: ActiveSnapshot | undefined
  readonly #clock: () => number
  #api: Api | undefined

  constructor(clock: () => number) {
    this.money = newMoney(clock)
    this.#clock = clock
  }

  /** One that knows nothing of earlier requests. */
  renew(): void {
    this.#api = undefined
  }

  get api(): Api {
    this.#api ??= new Api({
      served: () => this.served,
      reservations: this.money.newReservations(),
      rateLimit: this.money.rateLimit,
      clock: this.#clock,
      ids: sameIds(),
      onError: () => {},
    })
    return this.#api
  }

  ask(request: ApiRequest, served: ActiveSnapshot | undefined): ApiReply {
    const own = this.served
    this.served = served
    try {
      return copiedReply(this.api.answer(request))
    } finally {
      this.served = own
    }
  }
}

/** A request of any kind; every part may be wrong. */
class Requests {
  readonly #random: Random
  /** Questions that are asked again: their answers are cached. */
  readonly #recent: ApiRequest[]
  #number = 0

  constructor(random: Random) {
    this.#random = random
    this.#recent = Array.from({ length: recentMax }, () => this.#another())
  }

  next(): ApiRequest {
    const random = this.#random
    const asked = random.chance(0.6) ? random.pick(this.#recent) : this.#another()
    this.#recent[random.below(recentMax)] = asked
    const account = random.pick([0, 0, 0, 1, 1, 2])
    const wrong = random.pick(['', 'Bearer no', `Bearer ${keys[0]!.slice(0, -1)}`])
    const authorization = random.chance(0.08) ? wrong : `Bearer ${keys[account]}`
    const name = random.pick(['', '', '', '', '', '', '', '', 'a', 'b'])
    return { ...asked, authorization, idempotencyKey: () => name }
  }

  #another(): ApiRequest {
    return this.#random.chance(0.25) ? this.#posted() : this.#got()
  }

  /** The same with a query string that was never asked, and without a name: it is in no cache. */
  unknown(): ApiRequest {
    const asked = this.next()
    this.#number += 1
    const query = `${asked.query}&utm_source=${this.#number}`
    return { ...asked, query, idempotencyKey: () => '' }
  }

  #got(): ApiRequest {
    const random = this.#random
    const list = (values: readonly string[]) =>
      Array.from({ length: random.between(1, 4) }, () => random.pick(values)).join(',')
    const text = () =>
      encodeURIComponent(random.pick([...labelPool, ...aliasPool, 'ada', 'zzz', '']))
    const [name, main] = random.pick([
      ['index', `query=${text()}`],
      ['index', `query=${text()}`],
      ['detail', `sdus=${list([...sduPool, '404'])}`],
      ['peers', `handles=${list([...handlePool, 'nobody'])}`],
      ['match', `handle${random.pick(['', 's'])}=${list([...handlePool, 'nobody', 'x:ann'])}`],
      ['autocomplete', `query=${text().slice(0, 3)}`],
      ['topics', `limit=${random.between(1, 5)}`],
      ['history', `sdus=${list(sduPool)}`],
      ['nothing', 'a=b'],
    ] as const)
    const more = random.pick([
      ...[
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '',
        '&limit=3',
        '&limit=0',
        '&fields=sdu,name',
        '&explain=true',
      ],
      ...['&cursor=*', '&x=y', '&query=%ff', '&limit=2&fields=sdu'],
    ])
    const tag = random.pick(['', '', '', '*', '"x"'])
    const method = random.chance(0.04) ? 'DELETE' : 'GET'
    return { method, path: `/api/v1/${name}`, query: main + more, ifNoneMatch: tag }
  }

  #posted(): ApiRequest {
    const random = this.#random
    const [name, member, pool] = random.pick([
      ['detail', 'sdus', sduPool],
      ['match', 'handles', handlePool],
      ['rank', 'sources', handlePool],
    ] as const)
    const values = Array.from({ length: random.between(0, 6) }, () => random.pick(pool))
    const more = random.pick([
      {},
      {},
      { aligned: true },
      { explain: true },
      { fields: ['name'] },
      { no: 1 },
    ])
    const json = JSON.stringify({ [member]: values, ...more })
    const body = Buffer.from(random.chance(0.1) ? json.slice(0, -1) : json)
    const contentType = random.chance(0.05) ? 'text/plain' : 'application/json'
    const ifNoneMatch = random.pick(['', '', '', '*'])
    return { method: 'POST', path: `/api/v1/${name}`, query: '', body, contentType, ifNoneMatch }
  }
}

/** What a client sees, and what is reserved for it. */
function seen(reply: ApiReply): unknown {
  const { status, body, charge, seconds, isLast } = reply
  const headers = headersOf(reply)
  return { status, headers, text: Buffer.from(body).toString(), charge, seconds, isLast }
}

/** What is counted: that the attack meets what it is about. */
const met = new Map<string, number>()
const meet = (what: string) => met.set(what, (met.get(what) ?? 0) + 1)

/** Interleaves requests on one API, each compared with an API that is made for it. */
function attack(seed: number): void {
  const random = new Random(seed, 1)
  const requests = new Requests(random)
  const clock = { nowMs: 0 }
  const read = () => clock.nowMs
  const reused = new World(read)
  const alone = new World(read)
  const sources = fc
    .sample(smallSources, { seed, numRuns: 3 })
    .map((records) => snapshotOf(records))
  /** Written late, in an order of its own. */
  const unwritten: (readonly [ApiReply, ApiReply])[] = []
  /** Heads of POSTs whose body has not come yet. */
  const later: ApiRequest[] = []
  let snapshot = sources[0]!
  reused.served = activate(snapshot)

  const renew = () => {
    alone.renew()
    alone.served = reused.served && activate(snapshot)
  }

  const compare = (request: ApiRequest, isFaulty = false) => {
    renew()
    const fault = random.pick<Fault>(['bug', 'unreadable'])
    const { served } = reused
    const own =
      isFaulty && served ? failing(served, fault, random.below(random.pick([3, 10, 40]))) : served
    const reply = reused.ask(request, own)
    const isUnreadable = Buffer.from(reply.body).includes('texts-unavailable')
    const hasFailed = isUnreadable || reply.status === 500
    const there = alone.served
    const other = hasFailed && there ? failing(there, fault, 0) : there
    const expected = alone.ask(request, other)
    expect(seen(reply)).toEqual(seen(expected))
    meet(String(reply.status))
    if (isUnreadable) meet('unreadable')
    if (reply.charge !== undefined) unwritten.push([reply, expected])
  }

  const settle = () => {
    const [pair] = unwritten.splice(random.below(unwritten.length), 1)
    if (pair === undefined) return
    const [reply, expected] = pair
    const how = random.pick(['never written', 'written', 'written in part'] as const)
    meet(how)
    if (how === 'never written') {
      reused.api.unwritten(reply)
      alone.api.unwritten(expected)
    } else if (how === 'written') {
      reused.api.written(reply)
      alone.api.written(expected)
    } else {
      for (const [api, { charge, answeredValues, body }] of [
        [reused.api, reply],
        [alone.api, expected],
      ] as const) {
        const part = body.subarray(0, body.length / 2)
        api.writtenInPart({ charge }, () => answeredIn(part, answeredValues?.()))
      }
    }
    expect(reused.money.state()).toEqual(alone.money.state())
  }

  for (let step = 0; step < steps; step += 1) {
    clock.nowMs += random.below(60)
    const what = random.below(100)
    if (what < 56) compare(requests.next())
    else if (what < 72) compare(requests.unknown(), true)
    else if (what < 78) {
      // The head of a POST is admitted; its body comes later, or never.
      const head = requests.next()
      renew()
      const entered = [reused, alone].map(({ api }) => api.admitHead(head))
      const [one, two] = entered.map((each) =>
        each.refusal === undefined ? each.takenNs : seen(each.refusal),
      )
      expect(one).toEqual(two)
      meet('head')
      if (typeof one === 'number' && random.chance(0.7)) later.push({ ...head, takenNs: one })
    } else if (what < 84) {
      const [request] = later.splice(random.below(later.length), 1)
      if (request !== undefined) compare(request)
    } else if (what < 99) settle()
    else {
      meet('swap')
      snapshot = random.pick(sources)
      reused.served = random.chance(0.1) ? undefined : activate(snapshot)
    }
  }
  while (unwritten.length > 0) settle()
  expect([reused.money.state(), reused.money.capLeft()]).toEqual([
    alone.money.state(),
    alone.money.capLeft(),
  ])
}

describe('requests that are interleaved on one API', () => {
  it('are answered and charged as each is by an API of its own', () => {
    for (let seed = from; seed < from + seeds; seed += 1) {
      try {
        attack(seed)
      } catch (error) {
        throw new Error(`REUSED_SEEDS=1 REUSED_FROM=${seed}`, { cause: error })
      }
    }
    console.info(Object.fromEntries(met))
    const all = ['200', '304', '400', '401', '402', '404', '405', '415', '422', '429', '500', '503']
    const ways = ['unreadable', 'head', 'swap', 'never written', 'written', 'written in part']
    expect([...all, ...ways].filter((what) => !met.has(what))).toEqual([])
  })
})
