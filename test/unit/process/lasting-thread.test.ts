/** Threads that are begun anew. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { LastingThread } from '../../../src/process/thread.ts'

/** The first thread ends at once, the others last. */
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { workerData } from 'node:worker_threads'
    if (Atomics.add(workerData, 0, 1) === 0) process.exit(3)
    setInterval(() => {}, 1_000)
  `)}`,
)

it('begins a thread anew that died, and one that did not begin, once each', async () => {
  const starts = new Int32Array(new SharedArrayBuffer(4))
  const deaths: string[] = []
  const begun = [Promise.resolve(), Promise.reject(new Error('no place')), Promise.resolve()]
  begun[1]!.catch(() => {})
  const begin = vi.fn(() => begun[begin.mock.calls.length - 1]!)
  const thread = new LastingThread(module, {
    name: 'the thread',
    handlers: {},
    workerData: starts,
    begin,
    end: async () => {},
    onDeath: ({ message }) => void deaths.push(message),
  })
  onTestFinished(() => thread.close())
  await thread.begun()
  await vi.waitFor(() => expect(begin).toHaveBeenCalledTimes(3), 30_000)
  // The second is ended before or after it runs, which is another code.
  const ended = expect.stringMatching(/^the thread ended with code \d$/)
  expect(deaths).toEqual(['the thread ended with code 3', ended])
  await thread.close()
  expect(deaths).toHaveLength(2)
})
