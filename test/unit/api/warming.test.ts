/** Answers that are made before their snapshot is served. */
import { expect, it } from 'vitest'
import { getter, resultsOf } from '../../../bench/shared/in-process.ts'
import { activate } from '../../../src/api/active-snapshot.ts'
import { fillCache } from '../../../src/api/warm-up.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, topic } from '../../support/records.ts'

const queries = ['query=rust', 'query=java&limit=1', 'query=nobody+at+all', 'query=ada+lovelace']

function newServed() {
  const authorities = ['Rust', 'Rust', 'Java'].map((label, index) =>
    authority({ sdu: String(index + 1), topics: [topic(label)], name: 'Ada Lovelace' }),
  )
  return activate(snapshotOf({ authorities }))
}

function timeOf(stepMs: number) {
  let nowMs = 0
  const time = {
    restedMs: [] as number[],
    clock: () => {
      nowMs += stepMs
      return nowMs
    },
    rest: async (ms: number) => {
      time.restedMs.push(ms)
    },
  }
  return time
}

it('keeps the same answers that are given to whoever asks first, and counts none of them', async () => {
  const served = newServed()
  const counted: boolean[] = []
  await fillCache(served, queries, timeOf(0))
  served.cache.onFind = (isHit) => counted.push(isHit)
  const [warmed, cold] = [getter(served), getter(newServed())]
  for (const query of queries) {
    const target = `/api/v1/index?${query}`
    expect(resultsOf(warmed(target)), query).toBe(resultsOf(cold(target)))
  }
  expect(counted).toEqual(queries.map(() => true))
})

it('passes over what the snapshot does not understand', async () => {
  const served = newServed()
  await fillCache(served, ['query=rust&country=atlantis', 'limit=0', ...queries], timeOf(0))
  expect(queries.every((query) => served.cache.get(query) !== undefined)).toBe(true)
  expect(served.cache.get('limit=0')).toBeUndefined()
})

it('rests nine times as long as it works, and works for a quarter of a second at most', async () => {
  const short = timeOf(1)
  await fillCache(newServed(), queries, short)
  expect(short.restedMs).toEqual(queries.map(() => 9))
  const long = timeOf(150)
  const served = newServed()
  await fillCache(served, queries, long)
  expect(long.restedMs).toEqual([1350])
  expect(queries.map((query) => served.cache.get(query) !== undefined)).toEqual([
    true,
    true,
    false,
    false,
  ])
})
