/**
 * The straight line and the general pipeline give the same bytes for the same request, and charge the same: requests of all
 * kinds are drawn, plain ones and others, over swaps and until balances are empty. `PLAIN_SEEDS=N` tries so many seeds.
 */
import { describe, expect, it } from 'vitest'
import type { ActiveSnapshot } from '../../../src/api/active-snapshot.ts'
import { type ApiReply, type ApiRequest, headersOf } from '../../../src/api/exchange.ts'
import { PlainAnswers } from '../../../src/api/fast/plain-answers.ts'
import { createSharedLimits, RateLimit } from '../../../src/api/limits/rate-limit.ts'
import { operationAt } from '../../../src/operation-paths.ts'
import type { RouteName } from '../../../src/operations.ts'
import { routeNames } from '../../../src/operations.ts'
import { apiShop } from '../../support/api-shop.ts'
import { servedOf } from '../../support/built.ts'
import { ownerAt, prices } from '../../support/ledger-fixture.ts'
import { Random } from '../../support/random.ts'
import { authority, connection, handlePool, social, topic } from '../../support/records.ts'

const seeds = Number(process.env.PLAIN_SEEDS ?? 10)
const steps = 500
/** Micro-USD of each account: one is rich, one is soon poor, one has a key with a scope. */
const balances = [1_000_000_000, 40_000, 1_000_000_000]

function snapshot(names: readonly string[]): ActiveSnapshot {
  const authorities = names.map((name, index) =>
    authority({
      sdu: String(index + 1),
      name,
      socials: [social('twitter', name), social('github', index === 0 ? 'shared' : `${name}_1`)],
      topics: [topic('Rust'), topic('Economics')],
    }),
  )
  return servedOf({ authorities, connections: [connection('1', '2')] })
}

const snapshots = [snapshot(['ann', 'bob', 'cy']), snapshot(['ann', 'eve', 'bob', 'dan'])]

function shop(served: () => ActiveSnapshot | undefined, hasLimit: boolean) {
  let readings = 0
  const rates = { rateLimit: 100, rateBurst: 0 }
  const scoped = { scopes: ['match'], place: 0 } as const
  const {
    api,
    context,
    balances: thread,
  } = apiShop({
    served,
    balances,
    prices,
    ownerOf: (account) => {
      return { ...ownerAt(account, `key_${account}`), ...(account === 2 && { terms: scoped }) }
    },
    more: {
      ...(hasLimit && { rateLimit: new RateLimit(createSharedLimits(1), rates) }),
      clock: () => readings++,
    },
  })
  const sold = () =>
    balances.map((_, account) => {
      const cells = routeNames.map((_, cell) => thread.lineCell(account, cell))
      return [thread.balanceMicroUsd(account), ...cells]
    })
  return { api, plain: new PlainAnswers(context), sold }
}

const { authorizations } = apiShop({ served: () => undefined, balances })

/** A GET as the listener hands it over, plain more often than not. */
function drawn(random: Random): ApiRequest {
  const handle = () => random.pick([...handlePool, 'shared', 'twitter:ann', 'no%20body', 'ann,bob'])
  const text = () => random.pick(['rust', 'economics', 'ann', 'ann%20rust', 'zzz', '', 'r%C3%BCst'])
  const [path, main] = random.pick([
    ['/api/v1/index', `query=${text()}`],
    ['/api/v1/detail', `sdus=${random.pick(['1', '2', '3', '404', '1,2', 'x', ''])}`],
    ['/api/v1/peers', `handle=${handle()}`],
    ['/api/v1/match', `handles=${handle()}`],
  ] as const)
  const more = [
    '',
    '',
    '',
    '&limit=2',
    '&limit=0',
    '&fields=name',
    '&fields=bio,name',
    '&no=1',
    '&explain=items',
  ]
  const name = random.chance(0.05) ? 'a' : ''
  return {
    method: 'GET',
    path,
    query: `${main}${random.pick(more)}`,
    authorization: random.chance(0.03)
      ? 'Bearer no'
      : authorizations[random.pick([0, 0, 0, 1, 2])]!,
    ifNoneMatch: random.chance(0.05) ? '*' : '',
    idempotencyKey: () => name,
  }
}

function textOf(reply: ApiReply): string {
  const { status, body } = reply
  return JSON.stringify([status, headersOf(reply), Buffer.from(body).toString()])
}

describe('the straight line', () => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    it(`gives the bytes and the charges of the general pipeline (seed ${seed})`, () => {
      const random = new Random(seed, 1)
      let served: ActiveSnapshot | undefined = snapshots[0]
      const [straight, general] = [0, 1].map(() => shop(() => served, seed % 2 === 0))
      for (let step = 0; step < steps; step += 1) {
        if (random.chance(0.02))
          served = random.pick<ActiveSnapshot | undefined>([...snapshots, undefined])
        const request = drawn(random)
        const route = operationAt(request.path) as RouteName
        const [here, there] = [
          straight!.api.answer({ ...request, route }),
          general!.api.answer(request),
        ]
        expect(textOf(here), request.query).toBe(textOf(there))
        const isWritten = random.chance(0.9)
        for (const [{ api }, reply] of [
          [straight!, here],
          [general!, there],
        ] as const) {
          if (isWritten) api.written(reply)
          else api.unwritten(reply)
        }
        expect(straight!.sold()).toEqual(general!.sold())
      }
    })
  }

  const asked: ApiRequest = {
    ...{ method: 'GET', path: '', route: 'match', query: 'handle=ann' },
    ...{ authorization: authorizations[0]!, ifNoneMatch: '', idempotencyKey: () => '' },
  }
  const plain = [
    ['match', 'handle=ann'],
    ['detail', 'sdu=1'],
    ['peers', 'handle=ann&limit=2'],
    ['search', 'query=rust'],
  ] as const

  it('takes what is plain', () => {
    const { plain: answers } = shop(() => snapshots[0], true)
    for (const [route, query] of plain) {
      for (const time of [1, 2]) {
        expect(answers.answer({ ...asked, route, query }, time)?.status, route).toBe(200)
      }
    }
  })

  it('leaves alone what has a tag, a name, a scope, a price of a profile or another spelling', () => {
    const { plain: answers, sold } = shop(() => snapshots[0], true)
    const before = sold()
    const others: Partial<ApiRequest>[] = [
      { ifNoneMatch: '*' },
      { idempotencyKey: () => 'a' },
      { authorization: authorizations[2]! },
      { authorization: 'Bearer no' },
      { query: 'handle=ann&fields=bio' },
      { query: 'handle=ann,bob' },
      { query: 'handle=%61nn' },
      { query: 'handle=ann&unknown=1' },
      { route: undefined },
      { route: 'topics' },
    ]
    for (const other of others) expect(answers.answer({ ...asked, ...other }, 1)).toBeUndefined()
    expect(sold()).toEqual(before)
  })
})
