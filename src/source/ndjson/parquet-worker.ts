/** The thread of a `ParquetThread`. */
import { parentPort } from 'node:worker_threads'
import { Channel, type NoCalls } from '../../process/channel.ts'
import { ParquetReader } from './parquet-reader.ts'
import type { ParquetCalls } from './parquet-rows.ts'

const port = parentPort
if (port === null) throw new Error('a thread that reads Parquet is started by a sync')
const reader = new ParquetReader()
new Channel<ParquetCalls, NoCalls>(port, {
  open: (file) => reader.open(file),
  group: (group) => reader.group(group),
  turn: () => {},
})
