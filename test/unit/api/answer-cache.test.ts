/** The cache of answers: what it keeps, and what it gives up for room. */
import { describe, expect, it } from 'vitest'
import { AnswerCache, type CachedAnswer } from '../../../src/api/answer-cache.ts'
import { limits } from '../../../src/limits.ts'
import { pieceOf } from '../../../src/memory/copy-text.ts'

/** Items of so many bytes, each of which is the last digit of a number. */
function itemsOf(bytes: number, number = 0): CachedAnswer {
  const piece = pieceOf(String(number % 10).repeat(bytes))
  return { ...piece, isOfSection: false, way: 'topic', members: '', profiles: 0, profilesMax: 0 }
}

function textOf({ source, start, end }: CachedAnswer): string {
  const { buffer, byteOffset } = source.data
  return Buffer.from(buffer, byteOffset + start, end - start).toString()
}

describe('the answer cache', () => {
  it('never holds more bytes than it may, gives up the oldest first, and keeps the others whole', () => {
    const cache = new AnswerCache(10_000)
    for (let count = 1; count <= 1_000; count += 1) {
      cache.put(`query=${count - 1}`, itemsOf((count * 37) % 500, count - 1))
      const kept = Array.from({ length: count }, (_, index) => cache.get(`query=${index}`))
      const first = kept.findIndex((items) => items !== undefined)
      expect(first).toBeGreaterThanOrEqual(0)
      const texts = kept.slice(first).map((items) => textOf(items!))
      expect(texts.join('').length).toBeLessThanOrEqual(10_000)
      expect(texts).toEqual(texts.map(({ length }, step) => textOf(itemsOf(length, first + step))))
    }
  })

  it('keeps the first of two answers to one query', () => {
    const cache = new AnswerCache(10_000)
    cache.put('query=a', itemsOf(7, 1))
    cache.put('query=a', itemsOf(7, 2))
    expect(textOf(cache.get('query=a')!)).toBe('1111111')
  })

  it('keeps the pieces of sections while copied answers fill its ring again and again', () => {
    const cache = new AnswerCache(10_000)
    const piece = { ...itemsOf(100_000), isOfSection: true }
    cache.put('query=piece', piece)
    for (let index = 0; index < 1_000; index += 1) cache.put(`query=${index}`, itemsOf(1_000))
    expect(cache.get('query=0')).toBeUndefined()
    expect(cache.get('query=piece')).toMatchObject(piece)
  })

  it('has room for the first page of each of 10,000 topics, and gives up the oldest of more than it has room for', () => {
    const cache = new AnswerCache(limits.answerCacheBytesMax)
    const piece = { ...itemsOf(1), isOfSection: true }
    const queryOf = (topic: number) => `query=a%20topic%20of%20some%20length%20${topic}&limit=10`
    for (let topic = 0; topic < 10_000; topic += 1) cache.put(queryOf(topic), piece)
    expect(cache.get(queryOf(0))).toBeDefined()
    for (let topic = 10_000; topic < 20_000; topic += 1) cache.put(queryOf(topic), piece)
    expect(cache.get(queryOf(0))).toBeUndefined()
    expect(cache.get(queryOf(19_999))).toBeDefined()
  })

  it('does not keep an answer that alone is too large, nor lose the others for it', () => {
    const cache = new AnswerCache(2_000)
    cache.put('query=small', itemsOf(10))
    cache.put('query=large', itemsOf(2_000))
    expect(cache.get('query=large')).toBeUndefined()
    expect(cache.get('query=small')).toBeDefined()
  })

  it('tells what was asked again since it was kept, what was asked far more often first', () => {
    const cache = new AnswerCache(10_000)
    for (const query of ['once', 'never', 'often', 'twice']) cache.put(query, itemsOf(7))
    for (const [query, times] of [
      ['once', 1],
      ['often', 100],
      ['twice', 2],
    ] as const) {
      for (let time = 0; time < times; time += 1) cache.countHit(cache.get(query)!)
    }
    expect(cache.askedAgain()).toEqual(['often', 'twice', 'once'])
  })
})
