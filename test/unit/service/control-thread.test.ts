/** The control thread is begun anew. */
import { expect, it, onTestFinished, vi } from 'vitest'
import { ControlThread } from '../../../src/service/control/control-thread.ts'

/** The first thread ends at once, the second cannot start, the others can. */
const module = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort, workerData } from 'node:worker_threads'
    const place = Atomics.add(workerData, 0, 1)
    if (place === 0) process.exit(3)
    parentPort.on('message', ({ id, name }) => {
      const failure = { id, error: new Error('no place'), code: 'cannot-listen' }
      parentPort.postMessage(place === 1 ? failure : { id, value: name })
    })
  `)}`,
)

it('that died is begun anew, and one that did not begin, once each', async () => {
  const starts = new Int32Array(new SharedArrayBuffer(4))
  const deaths: string[] = []
  const keys = vi.fn(() => ({ changed: [], keys: [], bad: [] }))
  const thread = new ControlThread(
    {
      ...{ start: starts as never, keys, snapshot: () => undefined },
      handlers: { seekKey: () => {}, takeOver: () => {} },
      onDeath: ({ message }) => void deaths.push(message),
    },
    module,
  )
  onTestFinished(() => thread.close())
  await expect(thread.begun()).rejects.toThrow('the control thread ended with code 3')
  await vi.waitFor(async () => expect(await thread.begun()).toBe('start'), 30_000)
  expect(keys).toHaveBeenCalledTimes(3)
  // The second is ended before or after it runs, which is another code.
  const ended = expect.stringMatching(/^the control thread ended with code \d$/)
  expect(deaths).toEqual(['the control thread ended with code 3', ended])
  await thread.close()
  expect(deaths).toHaveLength(2)
})
