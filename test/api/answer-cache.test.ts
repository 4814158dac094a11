/** The cache of answers: what it keeps, and what it gives up for room. */
import { describe, expect, it } from 'vitest'
import { AnswerCache, type KeptItems } from '../../src/api/answer-cache.ts'
import { copySourceOf } from '../../src/memory/copy-text.ts'

/** Items of so many bytes, with memory of their own. */
function itemsOf(bytes: number): KeptItems {
  const source = copySourceOf(new Uint8Array(bytes))
  return { source, start: 0, end: bytes, ownBytes: bytes, way: 'topic', members: '' }
}

describe('the answer cache', () => {
  it('answers what was kept, and nothing for what was not', () => {
    const cache = new AnswerCache(10_000)
    const items = itemsOf(7)
    cache.keepMissed('query=a', items)
    expect(cache.get('query=a')).toBe(items)
    expect(cache.get('query=b')).toBeUndefined()
  })

  it('never holds more bytes than it may, and gives up the oldest first', () => {
    const cache = new AnswerCache(10_000)
    for (let index = 0; index < 1_000; index += 1) {
      cache.keepMissed(`query=${index}`, itemsOf(index % 500))
    }
    const kept = Array.from({ length: 1_000 }, (_, index) => cache.get(`query=${index}`))
    const bytes = kept.reduce((sum, items) => sum + (items?.ownBytes ?? 0), 0)
    expect(bytes).toBeLessThanOrEqual(10_000)
    expect(cache.get('query=0')).toBeUndefined()
    expect(cache.get('query=999')).toBeDefined()
  })

  it('has room for many pieces of a section, which take no memory of their own', () => {
    const cache = new AnswerCache(10_000)
    const piece = { ...itemsOf(100_000), ownBytes: 0 }
    for (let index = 0; index < 10; index += 1) cache.keepMissed(`query=${index}`, piece)
    expect(cache.get('query=0')).toBe(piece)
  })

  it('does not keep an answer that alone is too large, nor lose the others for it', () => {
    const cache = new AnswerCache(1_000)
    cache.keepMissed('query=small', itemsOf(10))
    cache.keepMissed('query=large', itemsOf(2_000))
    expect(cache.get('query=large')).toBeUndefined()
    expect(cache.get('query=small')).toBeDefined()
  })
})
