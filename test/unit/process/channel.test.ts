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
  note(text: string): void
}

function newPair(more: Partial<Handlers<Asked>> = {}) {
  const notes: string[] = []
  const buffers: Uint8Array[] = []
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
    note: (text) => void notes.push(text),
    ...more,
  })
  return { channel: new Channel<NoCalls, Asked>(port1, {}), notes, buffers }
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
    const before = channel.call('later', 'never')
    channel.end(new Error('the cause'))
    channel.end(new Error('the exit code'))
    await expect(before).rejects.toThrow('the cause')
    await expect(channel.call('later', 'never')).rejects.toThrow('the cause')
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
