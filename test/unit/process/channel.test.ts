/** A channel between two threads: here two ends of one port pair, which say the same. */
import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Refusal } from '../../../src/problems.ts'
import { Channel, type Handlers, type NoCalls, Transferred } from '../../../src/process/channel.ts'

type Asked = {
  double(number: number): number
  later(text: string): Promise<string>
  refuse(nothing: undefined): void
  fail(nothing: undefined): void
  memory(bytes: number): Uint8Array
  count(to: number): AsyncIterable<number>
  note(text: string): void
}

function newPair(more: Partial<Handlers<Asked>> = {}) {
  const notes: string[] = []
  const produced: number[] = []
  const buffers: Uint8Array[] = []
  const state = { isFinished: false }
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  new Channel<Asked, NoCalls>(port2, {
    double: (number) => number * 2,
    later: async (text) => `${text}!`,
    refuse: () => {
      throw new Refusal('snapshot-refused', 'it is damaged')
    },
    fail: () => {
      throw new TypeError('a bug')
    },
    memory: (bytes) => {
      const buffer = new Uint8Array(bytes).fill(7)
      buffers.push(buffer)
      return new Transferred(buffer, [buffer.buffer])
    },
    count: async function* (to) {
      try {
        for (let number = 1; number <= to; number += 1) {
          produced.push(number)
          yield number
        }
      } finally {
        state.isFinished = true
      }
    },
    note: (text) => void notes.push(text),
    ...more,
  })
  return { channel: new Channel<NoCalls, Asked>(port1, {}), notes, produced, buffers, state }
}

describe('a call', () => {
  it('returns what its handler returns, at once or later', async () => {
    const { channel } = newPair()
    expect(await Promise.all([channel.call('double', 21), channel.call('later', 'yes')])).toEqual([
      42,
      'yes!',
    ])
  })

  it('is refused as its handler refuses, and fails as it fails', async () => {
    const { channel } = newPair()
    const refusal = await channel.call('refuse', undefined).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(Refusal)
    expect(refusal).toMatchObject({ code: 'snapshot-refused', message: 'it is damaged' })
    await expect(channel.call('fail', undefined)).rejects.toThrow(new TypeError('a bug'))
    expect(await channel.call('double', 2)).toBe(4)
  })

  it('hands memory over instead of copying it', async () => {
    const { channel, buffers } = newPair()
    expect(await channel.call('memory', 3)).toEqual(Uint8Array.of(7, 7, 7))
    expect(buffers[0]!.byteLength).toBe(0)
  })

  it('fails with the first cause, whatever is said of the end later', async () => {
    const { channel } = newPair({ later: () => new Promise(() => {}) })
    const items = channel.stream('count', 3)
    const before = channel.call('later', 'never')
    channel.end(new Error('the cause'))
    channel.end(new Error('the exit code'))
    await expect(before).rejects.toThrow('the cause')
    await expect(channel.call('later', 'never')).rejects.toThrow('the cause')
    await expect(items.next()).rejects.toThrow('the cause')
  })

  it('fails when the other side is gone, whether it was made before or after', async () => {
    const { channel } = newPair({ later: () => new Promise(() => {}) })
    const before = channel.call('later', 'never')
    channel.end(new Error('the thread has ended'))
    await expect(before).rejects.toThrow('the thread has ended')
    await expect(channel.call('double', 1)).rejects.toThrow('the thread has ended')
  })
})

describe('a word', () => {
  it('arrives in the order it was said, before a call that is made behind it', async () => {
    const { channel, notes } = newPair()
    channel.notify('note', 'one')
    channel.notify('note', 'two')
    await channel.call('double', 1)
    expect(notes).toEqual(['one', 'two'])
  })
})

describe('a stream', () => {
  it('gives every item in its order, and then ends', async () => {
    const { channel } = newPair()
    const taken: number[] = []
    for await (const number of channel.stream('count', 300)) taken.push(number)
    expect(taken).toEqual(Array.from({ length: 300 }, (_, index) => index + 1))
  })

  it('is made no faster than it is taken', async () => {
    const { channel, produced } = newPair()
    for await (const number of channel.stream('count', 1_000)) {
      await channel.call('double', 1)
      expect(produced.length - number).toBeLessThanOrEqual(64)
      if (number === 200) break
    }
  })

  it('is made no further when nobody takes it any more', async () => {
    const { channel, produced, state } = newPair()
    for await (const number of channel.stream('count', 1_000)) if (number === 3) break
    await channel.call('double', 1)
    await channel.call('double', 1)
    expect(state.isFinished).toBe(true)
    expect(produced.length).toBeLessThan(100)
  })

  it('fails behind its items when the other side fails or is gone', async () => {
    const { channel } = newPair({
      count: async function* () {
        yield 1
        throw new Refusal('source-unreadable', 'the file ends')
      },
    })
    const taken: number[] = []
    const take = async () => {
      for await (const number of channel.stream('count', 2)) taken.push(number)
    }
    await expect(take()).rejects.toThrow('the file ends')
    expect(taken).toEqual([1])
    channel.end(new Error('the thread has ended'))
    await expect(take()).rejects.toThrow('the thread has ended')
  })
})
