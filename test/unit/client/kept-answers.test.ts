/** Answers that are kept: for how long, within how many bytes, and which survive a new snapshot. */
import { describe, expect, test } from 'vitest'
import { type CacheOptions, KeptAnswers } from '../../../src/client/cache/answer-cache.ts'
import { changedSince } from '../../../src/client/cache/changed-people.ts'
import { ChangesGoneError } from '../../../src/client/failures.ts'

function scene(options: Partial<CacheOptions> = {}) {
  const world = { ms: 0, snapshot: 's1', looks: 0 }
  const cache = new KeptAnswers({
    bytesMax: 10_000,
    freshMs: 100,
    now: () => world.ms,
    served: async () => {
      world.looks += 1
      return world.snapshot
    },
    ...options,
  })
  return { world, cache }
}

const answerOf = (snapshot: string, results: readonly unknown[] = []) => ({ results, snapshot })

describe('an answer', () => {
  test('needs no look at the service while it is fresh, and one for all answers then', async () => {
    const { world, cache } = scene()
    cache.put('a', answerOf('s1'))
    cache.put('b', answerOf('s1', [1]))
    world.ms = 100
    expect(await cache.get('a')).toEqual(answerOf('s1'))
    expect(world.looks).toBe(0)
    world.ms = 101
    expect(await Promise.all([cache.get('a'), cache.get('b')])).toEqual([
      answerOf('s1'),
      answerOf('s1', [1]),
    ])
    expect(world.looks).toBe(1)
  })

  test('is asked for anew where the service cannot be looked at', async () => {
    const { world, cache } = scene({ served: () => Promise.reject(new Error('away')) })
    cache.put('a', answerOf('s1'))
    world.ms = 101
    expect(await cache.get('a')).toBeUndefined()
  })

  test('is gone with its snapshot', async () => {
    const { world, cache } = scene()
    cache.put('a', answerOf('s1'))
    world.ms = 101
    world.snapshot = 's2'
    expect(await cache.get('a')).toBeUndefined()
  })

  test('is gone when another answer is of another snapshot', async () => {
    const { cache } = scene()
    cache.put('a', answerOf('s1'))
    cache.put('b', answerOf('s2'))
    expect(await cache.get('a')).toBeUndefined()
    expect(await cache.get('b')).toEqual(answerOf('s2'))
  })

  test('that was not used for longest makes room', async () => {
    const { cache } = scene({ bytesMax: 3 * 2 * (JSON.stringify(answerOf('s1')).length + 1) })
    for (const key of ['a', 'b', 'c']) cache.put(key, answerOf('s1'))
    await cache.get('a')
    cache.put('d', answerOf('s1'))
    expect(await cache.get('b')).toBeUndefined()
    for (const key of ['a', 'c', 'd']) expect(await cache.get(key)).toBeDefined()
  })
})

describe('an answer that follows changes', () => {
  const change = (type: string, sdu: string, before: unknown = null, after: unknown = null) => ({
    type,
    sdu,
    before,
    after,
  })
  /** Answers about ann (7), bob (8) and a handle nobody has, after some changes. */
  async function keptAfter(...results: ReturnType<typeof change>[]): Promise<string[]> {
    const changes = () => changedSince(pages({ results }))
    const { world, cache } = scene({ changes })
    cache.put('ann', answerOf('s1'), { sdus: ['7'], handle: '@Ann' })
    cache.put('bob', answerOf('s1'), { sdus: ['8'], handle: 'https://github.com/bob' })
    cache.put('nobody', answerOf('s1'), { sdus: [], handle: 'twitter:no-body' })
    cache.put('search', answerOf('s1'))
    world.ms = 101
    world.snapshot = 's2'
    const kept: string[] = []
    for (const key of ['ann', 'bob', 'nobody', 'search']) {
      const answer = await cache.get(key)
      if (answer?.snapshot === 's2') kept.push(key)
      else expect(answer).toBeUndefined()
    }
    return kept
  }

  test('stays where the changes are of others', async () => {
    expect(await keptAfter(change('score', '9', 1, 2))).toEqual(['ann', 'bob', 'nobody'])
  })

  test('is not kept beside those of another snapshot', async () => {
    const { world, cache } = scene({ changes: async () => undefined })
    cache.put('a', answerOf('s1'), { sdus: ['7'] })
    cache.put('b', answerOf('s2'), { sdus: ['8'] })
    expect(await cache.get('b')).toBeUndefined()
    expect(world.looks).toBe(0)
    expect(await cache.get('a')).toEqual(answerOf('s1'))
    expect(world.looks).toBe(1)
  })

  test('goes where one of its people changed', async () => {
    expect(await keptAfter(change('score', '7', 1, 2))).toEqual(['bob', 'nobody'])
  })

  test('goes where its handle came or went, in whatever spelling', async () => {
    expect(await keptAfter(change('handle', '9', null, 'github:Bob'))).toEqual(['ann', 'nobody'])
    expect(await keptAfter(change('handle', '9', null, 'twitter:no-body'))).toEqual(['ann', 'bob'])
  })

  test('goes where the changes are not known so far back', async () => {
    const refusal = { code: 'changes-gone', status: 410, problem: {}, retryAfter: null }
    const facts = { requestId: null, attempts: 1, idempotencyKey: null }
    const gone = async function* (): AsyncGenerator<never> {
      yield await Promise.reject(new ChangesGoneError(refusal, facts))
    }
    expect(await changedSince(gone())).toBeUndefined()
  })
})

async function* pages<T>(...all: T[]): AsyncGenerator<T> {
  yield* all
}
