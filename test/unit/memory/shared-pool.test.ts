/** Memory that owners leave to others: nobody's memory is another's, and what was left is taken first. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedPool } from '../../../src/memory/shared/shared-pool.ts'

const step = fc.record({
  owner: fc.constantFrom('a', 'b', 'c'),
  /** 0 for an owner that leaves. */
  bytes: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 5_000 })),
})

describe('a pool', () => {
  it('gives no byte to two owners, and all of it begins at multiples of eight', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const pool = new SharedPool()
        const taken = new Map<string, [Uint8Array, number][]>()
        for (const [index, { owner, bytes }] of steps.entries()) {
          if (bytes === 0) {
            pool.release(owner)
            taken.delete(owner)
            continue
          }
          const memory = pool.take(owner, bytes)
          expect([memory.length, memory.byteOffset % 8]).toEqual([bytes, 0])
          taken.set(owner, [...(taken.get(owner) ?? []), [memory, index % 256]])
          memory.fill(index % 256)
        }
        for (const [memory, number] of [...taken.values()].flat()) {
          expect(memory.every((byte) => byte === number)).toBe(true)
        }
      }),
    )
  })

  it('takes what was left, together with what lies beside it, before memory that was never used', () => {
    const pool = new SharedPool()
    const [first] = [pool.take('a', 1_000), pool.take('b', 1_000), pool.take('c', 1_000)]
    pool.release('b')
    pool.release('a')
    const again = pool.take('d', 2_000)
    expect([again.buffer, again.byteOffset]).toEqual([first.buffer, first.byteOffset])
  })

  it('has room for more than it was given at once', () => {
    const pool = new SharedPool()
    const large = pool.take('a', (1 << 28) + 1)
    const other = pool.take('a', 8)
    expect(large.length).toBe((1 << 28) + 1)
    expect(other.buffer).not.toBe(large.buffer)
  })

  it('has what it expects in one piece', () => {
    const pool = new SharedPool()
    pool.expect(1 << 29)
    const [one, other] = [pool.take('a', 1 << 28), pool.take('b', 1 << 28)]
    expect([other.buffer, other.byteOffset]).toEqual([one.buffer, 1 << 28])
  })

  it('overwrites what was left, and nothing else', () => {
    const pool = new SharedPool()
    const [left, kept] = [pool.take('a', 3 << 20).fill(1), pool.take('b', 100).fill(2)]
    pool.release('a')
    let rests = 0
    pool.wipe(() => {
      rests += 1
    })
    expect(left.every((byte) => byte === 0)).toBe(true)
    expect(kept.every((byte) => byte === 2)).toBe(true)
    expect(rests).toBe(3)
  })
})
