/** Blocks for all requests of a thread: how often the store is asked, and what becomes of what it does not give. */
import { afterEach, expect, it, vi } from 'vitest'
import { BlockFetcher } from '../../../src/tail/block-fetcher.ts'
import type { BlockKey, TailReads } from '../../../src/tail/tail-store.ts'

const key = (number: number): BlockKey => ({ snapshot: '0', kind: 'people', number })
const bytes = ({ number }: BlockKey) => Uint8Array.of(number)

afterEach(() => {
  vi.useRealTimers()
})

/** Blocks 1 to 9 lie on one node, 10 to 19 on another. */
const nodeOf = ({ number }: BlockKey) => String(Math.floor(number / 10))

function fetcherOf(blocks: TailReads['blocks']) {
  return new BlockFetcher({ store: { blocks, nodeOf }, clock: () => 0, callMsMax: 400 })
}

it('asks each node once for all blocks of a turn of the loop, and once for each block that is on its way', async () => {
  const calls: number[][] = []
  const fetcher = fetcherOf(async (keys) => {
    calls.push(keys.map(({ number }) => number))
    return keys.map(bytes)
  })
  const found = await Promise.all([1, 11, 2, 1].map((number) => fetcher.fetch(key(number))))
  expect(found).toEqual([1, 11, 2, 1].map((number) => Uint8Array.of(number)))
  await fetcher.fetch(key(1))
  expect(calls).toEqual([[1, 2], [11], [1]])
})

it('fails for a block that is missing, for no other of the same call, and asks on', async () => {
  const fetcher = fetcherOf(async (keys) =>
    keys.map((each) => (each.number === 1 ? null : bytes(each))),
  )
  for (let round = 0; round < 5; round += 1) {
    const [missing, found] = await Promise.allSettled([
      fetcher.fetch(key(1)),
      fetcher.fetch(key(2)),
    ])
    expect(missing).toMatchObject({ reason: { message: '0 people 1 is missing' } })
    expect(found).toMatchObject({ value: Uint8Array.of(2) })
  }
})

it('gives a call up after its deadline, after three of them asks the node no more, and the other nodes as before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let calls = 0
  let called: () => void
  const fetcher = fetcherOf(async (keys) => {
    if (keys[0]!.number >= 10) return keys.map(bytes)
    calls += 1
    called()
    return new Promise(() => {})
  })
  for (let round = 0; round < 3; round += 1) {
    const asked = new Promise<void>((resolve) => {
      called = resolve
    })
    const fetched = fetcher.fetch(key(1))
    const ofOther = fetcher.fetch(key(11))
    await asked
    // It does not wait for the node that hangs.
    expect(await ofOther).toEqual(Uint8Array.of(11))
    vi.advanceTimersByTime(400)
    await expect(fetched).rejects.toThrow('the tail took more than 400 ms')
  }
  await expect(fetcher.fetch(key(1))).rejects.toThrow('the tail is not reached')
  expect(calls).toBe(3)
  expect(await fetcher.fetch(key(11))).toEqual(Uint8Array.of(11))
})
