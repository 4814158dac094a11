/** The query of one request after the other: what is filled in anew, and what is not kept. */
import { describe, expect, it } from 'vitest'
import type { ActiveSnapshot } from '../../../src/api/active-snapshot.ts'
import { QueriesInSteps } from '../../../src/api/pipeline/admitted.ts'

const snapshotNamed = (id: string) => ({ catalog: { id } }) as unknown as ActiveSnapshot
const owner = { accountSlot: 1, keyId: 'k', line: 0, purses: [1] }
const charge = {
  owner,
  route: 'match',
  search: '',
  askedMs: 0,
  queries: 1,
  profiles: 0,
  costMicroUsd: 5,
  asked: undefined,
} as const

describe('a query that is filled in anew', () => {
  it('has nothing of the one before', () => {
    const queries = new QueriesInSteps()
    const first = queries.enter('match', true, snapshotNamed('a'), 7, owner, undefined)
    first.search = 'handle=ann'
    first.query = { kind: 'match', count: 3 }
    first.charge = charge
    first.isReplay = true
    first.balanceMicroUsd = 1.5
    first.leftOfCapMicroUsd = 2
    queries.giveBack(first)
    const second = queries.enter('search', false, snapshotNamed('b'), 0, undefined, undefined)
    const fresh = new QueriesInSteps()
    expect(second).toEqual(
      fresh.enter('search', false, snapshotNamed('b'), 0, undefined, undefined),
    )
    expect(second).toBe(first)
  })

  it('keeps no snapshot, key or charge while no request comes', () => {
    const queries = new QueriesInSteps()
    const query = queries.enter('match', false, snapshotNamed('a'), 7, owner, undefined)
    query.charge = charge
    queries.giveBack(query)
    const { served, query: asked, cached, charge: reserved, owner: payer } = query
    expect([served, asked, cached, reserved, payer]).toEqual(Array(5).fill(undefined))
  })

  it('is another one where the first is not given back', () => {
    const queries = new QueriesInSteps()
    const first = queries.enter('match', false, snapshotNamed('a'), 0, owner, undefined)
    const second = queries.enter('detail', false, snapshotNamed('a'), 0, owner, undefined)
    expect(second).not.toBe(first)
    expect(first.route).toBe('match')
  })
})
