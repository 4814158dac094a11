/** The events of a response over the link between a serving thread and the control thread: here two ends of one port pair. */
import { MessageChannel } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import type { AsyncRoute } from '../../../src/http/async-route.ts'
import { ControlLink, serveLink } from '../../../src/service/control/link.ts'

/** Asks for the events that `answer` gives. */
async function eventsOf(body: (signal: AbortSignal) => AsyncIterable<Uint8Array>) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const answer: AsyncRoute['answer'] = async ({ signal }) => ({
    status: 200,
    headers: [],
    body: body(signal),
  })
  serveLink(port2, answer, () => {})
  const link = new ControlLink(async () => port1)
  const leaving = new AbortController()
  const request = { method: 'POST', target: '/mcp', headers: [], body: new Uint8Array(0) }
  const response = await link.answer({ ...request, signal: leaving.signal })
  if (response.body instanceof Uint8Array) throw new Error('no events')
  return { events: response.body, leaving, control: port2 }
}

it('gives every event in its order, and then ends', async () => {
  const { events } = await eventsOf(async function* () {
    for (let number = 1; number <= 3; number += 1) yield Uint8Array.of(number)
  })
  const taken: number[] = []
  for await (const [number = 0] of events) taken.push(number)
  expect(taken).toEqual([1, 2, 3])
})

it('ends the events of a client that has left', async () => {
  let isEnded = false
  const { events, leaving } = await eventsOf(async function* () {
    try {
      yield Uint8Array.of(1)
      yield Uint8Array.of(2)
    } finally {
      isEnded = true
    }
  })
  for await (const _ of events) {
    leaving.abort()
    break
  }
  await expect.poll(() => isEnded).toBe(true)
})

it('fails behind the events when the body fails, and when the control thread is gone', async () => {
  const failing = await eventsOf(async function* () {
    yield Uint8Array.of(1)
    throw new Error('a bug')
  })
  const iterator = failing.events[Symbol.asyncIterator]()
  expect((await iterator.next()).value).toEqual(Uint8Array.of(1))
  await expect(iterator.next()).rejects.toThrow('a bug')
  const lasting = await eventsOf(async function* (signal) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
  })
  const next = lasting.events[Symbol.asyncIterator]().next()
  lasting.control.close()
  await expect(next).rejects.toThrow('the control thread has ended')
})
