/** Buckets of hashes: each value is found by its hash, in order, whether one stretch of buckets or several are filled. */
import { deepStrictEqual } from 'node:assert/strict'
import { describe, expect, it } from 'vitest'
import { inBuckets, valuesOf } from '../../../src/memory/hash-buckets.ts'
import { Random } from '../../support/random.ts'

describe.each([0, 1, 3, 1_000, 100_000])('%d values', (count) => {
  const random = new Random(count, 1)
  const hashes = Uint32Array.from({ length: count }, () => random.between(0, 2 ** 31) * 2)
  const values = hashes.map((_, index) => index)
  const table = inBuckets(hashes, values)

  it('are found by their hashes, those of one hash in their order', () => {
    const byHash = new Map<number, number[]>()
    hashes.forEach((hash, index) => {
      byHash.set(hash, [...(byHash.get(hash) ?? []), index])
    })
    const found = Array.from(byHash.keys(), (hash) => valuesOf(table, hash))
    deepStrictEqual(found, [...byHash.values()])
    expect([table.values.length, table.starts.at(-1)]).toEqual([count, count])
  })
})
