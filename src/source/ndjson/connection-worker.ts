/** The thread of `startConnections`: it reads the connections of a file. */
import { parentPort, workerData } from 'node:worker_threads'
import { Channel, type NoCalls, Transferred } from '../../process/channel.ts'
import type { ConnectionBatch } from '../source.ts'
import type { ConnectionCalls } from './connection-thread.ts'
import { readConnections } from './connections.ts'
import { recordsOf } from './file-records.ts'
import type { SourceFile } from './files.ts'

const port = parentPort
if (port === null) throw new Error('a thread that reads connections is started by a sync')
const batches = read(workerData)
new Channel<ConnectionCalls, NoCalls>(port, {
  next: async () => (await batches.next()).value,
})

/** Returns the digest of the file. */
async function* read(
  file: SourceFile,
): AsyncGenerator<Transferred<ConnectionBatch>, string, undefined> {
  let digest = ''
  const onEnd = (whole: string) => {
    digest = whole
  }
  for await (const batch of readConnections(recordsOf(file), onEnd)) {
    const { sdus, from, to, weights, kinds, numbers } = batch
    const columns = [sdus.text, sdus.starts, from, to, weights, kinds, numbers]
    yield new Transferred(
      batch,
      columns.map(({ buffer }) => buffer as ArrayBuffer),
    )
  }
  return digest
}
