/**
 * Connections on a thread beside the one that reads authorities, which takes a minute for a million
 * people (measured).
 */
import { moduleOf, startThread } from '../../process/thread.ts'
import type { ConnectionBatch } from '../source.ts'
import type { ConnectionBatches } from './connections.ts'
import type { SourceFile } from './files.ts'

export type ConnectionCalls = {
  /** The next batch; behind the last, the digest of the file. */
  next(nothing: undefined): ConnectionBatch | string
}

/** Some 50 MB, with all of 200,000 people who have five connections each. */
const aheadMax = 16

/**
 * Begins to read at once; its batches can be had once.
 * @throws Refusal `source-unreadable` as `readConnections` does.
 */
export function startConnections(file: SourceFile) {
  const name = 'the thread that reads connections'
  const module = moduleOf('connection-worker', import.meta.url)
  const { worker, channel } = startThread<ConnectionCalls>(module, {
    ...{ name, handlers: {}, workerData: file },
  })
  const ask = () => {
    const item = channel.call('next', undefined)
    // Those behind the last batch, or behind a failure, are never looked at.
    item.catch(() => {})
    return item
  }
  const asked = Array.from({ length: aheadMax }, ask)
  // A sync that is given up need not wait for it.
  worker.unref()
  async function* batches(): ConnectionBatches {
    // The reader of its batches does.
    worker.ref()
    const next = () => {
      asked.push(ask())
      return asked.shift()!
    }
    let item = await next()
    while (typeof item !== 'string') {
      yield item
      item = await next()
    }
    return item
  }
  return { batches: batches(), close: () => void worker.terminate() }
}
