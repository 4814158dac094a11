/** The cache of answers: what it keeps, and what it gives up for room. */
import { describe, expect, it } from 'vitest'
import { AnswerCache } from '../../src/serve/answer-cache.ts'

describe('the answer cache', () => {
  it('answers what was kept, and nothing for what was not', () => {
    const cache = new AnswerCache(10_000)
    cache.set('query=a', new TextEncoder().encode('{"a":1}'))
    expect(Buffer.from(cache.get('query=a')!).toString()).toBe('{"a":1}')
    expect(cache.get('query=b')).toBeUndefined()
  })

  it('never holds more bytes than it may, and gives up the oldest first', () => {
    const cache = new AnswerCache(10_000)
    for (let index = 0; index < 1_000; index += 1) {
      cache.set(`query=${index}`, new Uint8Array(index % 500))
      expect(cache.bytes).toBeLessThanOrEqual(10_000)
    }
    expect(cache.get('query=0')).toBeUndefined()
    expect(cache.get('query=999')).toBeDefined()
  })

  it('has room for many pieces of one section, which take no memory of their own', () => {
    const section = new Uint8Array(new SharedArrayBuffer(1 << 20))
    const cache = new AnswerCache(10_000)
    for (let index = 0; index < 10; index += 1) {
      cache.set(`query=${index}`, section.subarray(index, index + 100_000))
    }
    expect(cache.get('query=0')).toHaveLength(100_000)
    expect(cache.bytes).toBeLessThan(10_000)
  })

  it('does not keep an answer that alone is too large, nor lose the others for it', () => {
    const cache = new AnswerCache(1_000)
    cache.set('query=small', new Uint8Array(10))
    cache.set('query=large', new Uint8Array(2_000))
    expect(cache.get('query=large')).toBeUndefined()
    expect(cache.get('query=small')).toBeDefined()
  })
})
