/** `dry_run=true`: what a request would cost, of every operation, and nothing of it charged. */
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { Api } from '../../../src/api/api.ts'
import type { ApiRequest } from '../../../src/api/exchange.ts'
import { keyHash, newKeyText } from '../../../src/ledger/key.ts'
import { createSharedBalances, ThreadBalances } from '../../../src/ledger/live/balances.ts'
import { Keyring } from '../../../src/ledger/live/keyring.ts'
import { Reservations } from '../../../src/ledger/live/reservations.ts'
import { defaultPrices, operations, routeNames } from '../../../src/operations.ts'
import { newApi, read, sameIds } from '../../support/api-client.ts'
import { servedOf } from '../../support/built.ts'
import { ownerAt, recordedIn } from '../../support/ledger-fixture.ts'
import { authority, social } from '../../support/records.ts'

const served = servedOf({
  authorities: [authority({ sdu: '1', name: 'Ann', socials: [social('github', 'ann', 1)] })],
})
const text = newKeyText((count) => randomBytes(count))

function newShop(microUsd: number) {
  const keyring = new Keyring(() => 0)
  keyring.replace({
    keys: [{ ...ownerAt(0, text), hash: keyHash(text), expiresAtMs: Number.POSITIVE_INFINITY }],
  })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, microUsd)
  const reservations = new Reservations(keyring, balances, defaultPrices)
  const onError = (error: unknown) => {
    throw error
  }
  const api = new Api({
    ...{ served: () => served, reservations, clock: () => 0, ids: sameIds(), onError },
    ignoresUnknown: false,
  } as ConstructorParameters<typeof Api>[0])
  return { api, balances }
}

let shop = newShop(1_000_000)
beforeEach(() => {
  shop = newShop(1_000_000)
})

function ask(target: string, more: Partial<ApiRequest> = {}) {
  const [path = '', query = ''] = target.split('?')
  const request = { method: 'GET', path, query, authorization: `Bearer ${text}`, ...more }
  const reply = shop.api.answer(request)
  const seen = read(reply)
  shop.api.written(reply)
  return seen
}

function post(target: string, json: unknown) {
  const body = Buffer.from(JSON.stringify(json))
  return ask(target, { method: 'POST', body, contentType: 'application/json' })
}

const nothing = { microUsd: 1_000_000, sales: {} }

function charged() {
  return { microUsd: shop.balances.balanceMicroUsd(0), sales: recordedIn(shop.balances, 0) }
}

/** A request to each operation, and the queries that it is. */
const requests: Readonly<Record<string, [queries: number, ask: () => ReturnType<typeof ask>]>> = {
  search: [1, () => ask('/api/v1/index?query=ann&dry_run=true')],
  detail: [2, () => ask('/api/v1/detail?sdus=1,2&dry_run=true')],
  peers: [1, () => ask('/api/v1/peers/?dry_run=true&handle=@ann')],
  match: [3, () => ask('/api/v1/match?handles=a&handles=b,c&dry_run=true')],
  rank: [2, () => post('/api/v1/rank?dry_run=true', { sources: ['@ann', '@bob', '@ann'] })],
  autocomplete: [1, () => ask('/api/v1/autocomplete?query=a&dry_run=true')],
  topics: [1, () => ask('/api/v1/topics?dry_run=true')],
  snapshots: [1, () => ask('/api/v1/snapshots?dry_run=true')],
  snapshot: [1, () => ask(`/api/v1/snapshots/${served.catalog.id}?dry_run=true`)],
  changes: [1, () => ask(`/api/v1/changes?since=${served.catalog.id}&dry_run=true`)],
  history: [1, () => ask('/api/v1/history?sdus=1&dry_run=true')],
}

describe('a dry run', () => {
  it.each(routeNames)('of %s says the cost and charges nothing', (route) => {
    const [queries, send] = requests[route]!
    const { status, json, headers } = send()
    // The snapshot of this test has no past.
    if (status !== 200) expect(['changes', 'snapshot']).toContain(route)
    else {
      const cost = (queries * defaultPrices[route]) / 1e6
      expect(json).toMatchObject({ dry_run: true, queries, cost_usd: cost, results: [] })
      expect('request_id' in json).toBe(operations[route].requestIdInBody)
      expect(Number(headers['x-cost-usd'])).toBe(cost)
      expect(headers).toMatchObject({ 'x-balance-usd': '1.00', 'cache-control': 'no-store' })
      expect(headers).not.toHaveProperty('etag')
    }
    expect(charged()).toEqual(nothing)
  })

  it('costs by body what the body would cost', () => {
    const { json } = post('/api/v1/match?dry_run=true', { handles: ['a', 'b', 'a'] })
    expect(json).toMatchObject({ queries: 2, cost_usd: 0.002 })
    expect(charged()).toEqual(nothing)
  })

  it('is answered where the balance is below the cost, and says both', () => {
    shop = newShop(500)
    const { status, headers } = ask('/api/v1/index?query=ann&dry_run=true')
    expect({ status, cost: headers['x-cost-usd'], balance: headers['x-balance-usd'] }).toEqual({
      ...{ status: 200, cost: '0.001', balance: '0.0005' },
    })
  })

  it('is no answer to the same question without it, and the other way round', () => {
    ask('/api/v1/index?query=ann')
    expect(ask('/api/v1/index?query=ann&dry_run=true').json).toMatchObject({ results: [] })
    expect(ask('/api/v1/index?query=ann').json.results).toHaveLength(1)
    expect(shop.balances.balanceMicroUsd(0)).toBe(998_000)
  })

  it('is meant, too, where its name is percent-encoded', () => {
    expect(ask('/api/v1/index?query=ann&dry%5Frun=true').json).toMatchObject({ dry_run: true })
    expect(ask('/api/v1/match?handle=ann&%64ry_run=true').json).toMatchObject({ dry_run: true })
    expect(charged()).toEqual(nothing)
  })

  it('is refused where the request would be, and where it is not clear', () => {
    for (const target of [
      '/api/v1/index?dry_run=true',
      '/api/v1/index?query=ann&dry_run=yes',
      '/api/v1/index?query=ann&dry_run',
      '/api/v1/index?query=ann&dry_run=true&dry_run=false',
      '/api/v1/index?query=ann&dry_run=true&dry_run=true',
      '/api/v1/index?query=ann&dryRun=true',
      '/api/v1/index?query=ann&dry-run=true',
    ]) {
      expect([target, ask(target).status]).toEqual([target, 400])
    }
    const { json } = ask('/api/v1/index?query=ann&dryRun=true')
    expect(json.detail).toContain('did you mean dry_run?')
    expect(post('/api/v1/match?limit=1', { handles: ['a'] }).status).toBe(400)
    expect(ask('/api/v1/index?query=ann&dry_run=true', { authorization: 'Bearer x' }).status).toBe(
      401,
    )
    expect(charged()).toEqual(nothing)
  })

  it('is no dry run with `false`, and costs', () => {
    expect(ask('/api/v1/index?query=ann&dry_run=false').json.results).toHaveLength(1)
    expect(shop.balances.balanceMicroUsd(0)).toBe(999_000)
  })

  it('finds the words dry_run in a text', () => {
    expect(ask('/api/v1/index?query=dry_run=true').json).not.toHaveProperty('dry_run')
  })

  it('costs nothing where nothing does', () => {
    const query = 'query=ann&dry_run=true'
    const reply = newApi(served).answer({ method: 'GET', path: '/api/v1/index', query })
    expect(read(reply).json).toMatchObject({ dry_run: true, cost_usd: 0, results: [] })
  })
})
