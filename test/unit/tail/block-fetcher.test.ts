/** Blocks for all requests of a thread: how often the store is asked, and what becomes of what it does not give. */
import { afterEach, expect, it, vi } from 'vitest'
import { BlockFetcher } from '../../../src/tail/block-fetcher.ts'
import { Breaker } from '../../../src/tail/breaker.ts'
import type { BlockKey, TailReads } from '../../../src/tail/tail-store.ts'

const key = (number: number): BlockKey => ({ snapshot: '0', kind: 'people', number })
const bytes = ({ number }: BlockKey) => Uint8Array.of(number)

afterEach(() => {
  vi.useRealTimers()
})

function fetcherOf(blocks: TailReads['blocks']) {
  const breaker = new Breaker(() => 0)
  return { breaker, fetcher: new BlockFetcher({ store: { blocks }, breaker, callMsMax: 400 }) }
}

it('asks once for all blocks of a turn of the loop, and once for each block that is on its way', async () => {
  const calls: number[][] = []
  const { fetcher } = fetcherOf(async (keys) => {
    calls.push(keys.map(({ number }) => number))
    return keys.map(bytes)
  })
  const found = await Promise.all([1, 2, 1].map((number) => fetcher.fetch(key(number))))
  expect(found).toEqual([Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(1)])
  await fetcher.fetch(key(1))
  expect(calls).toEqual([[1, 2], [1]])
})

it('fails for a block that is missing, and for no other of the same call', async () => {
  const { breaker, fetcher } = fetcherOf(async (keys) =>
    keys.map((each) => (each.number === 1 ? null : bytes(each))),
  )
  for (let round = 0; round < 3; round += 1) {
    const [missing, found] = await Promise.allSettled([
      fetcher.fetch(key(1)),
      fetcher.fetch(key(2)),
    ])
    expect(missing).toMatchObject({ reason: { message: '0 people 1 is missing' } })
    expect(found).toMatchObject({ value: Uint8Array.of(2) })
  }
  expect(breaker.isOpen).toBe(false)
})

it('gives a call up after its deadline, and after three of them asks no more', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let calls = 0
  let called: () => void
  const { fetcher } = fetcherOf(() => {
    calls += 1
    called()
    return new Promise(() => {})
  })
  for (let round = 0; round < 3; round += 1) {
    const asked = new Promise<void>((resolve) => {
      called = resolve
    })
    const fetched = fetcher.fetch(key(1))
    await asked
    vi.advanceTimersByTime(400)
    await expect(fetched).rejects.toThrow('the tail took more than 400 ms')
  }
  await expect(fetcher.fetch(key(1))).rejects.toThrow('the tail is not reached')
  expect(calls).toBe(3)
})
