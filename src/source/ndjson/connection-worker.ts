/** The thread of `startConnections`: it reads the connections of a file. */
import { parentPort, workerData } from 'node:worker_threads'
import { Channel, type NoCalls, Transferred } from '../../process/channel.ts'
import type { ConnectionCalls } from './connection-thread.ts'
import { readConnections } from './connections.ts'
import { recordsOf } from './file-records.ts'

const port = parentPort
if (port === null) throw new Error('a thread that reads connections is started by a sync')
const batches = readConnections(recordsOf(workerData))
new Channel<ConnectionCalls, NoCalls>(port, {
  next: async () => {
    const { value, done } = await batches.next()
    if (done) return value
    const { sdus, from, to, weights, kinds, numbers } = value
    const columns = [sdus.text, sdus.starts, from, to, weights, kinds, numbers]
    return new Transferred(
      value,
      columns.map(({ buffer }) => buffer as ArrayBuffer),
    )
  },
})
