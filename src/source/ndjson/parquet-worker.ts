/** The thread of `newGroupReader`. */
import { parentPort } from 'node:worker_threads'
import { Channel, type NoCalls } from '../../process/channel.ts'
import { readGroup, readMetadata } from './parquet-reader.ts'
import type { ParquetCalls } from './parquet-rows.ts'

const port = parentPort
if (port === null) throw new Error('a thread that reads Parquet is started by a sync')
new Channel<ParquetCalls, NoCalls>(port, { readMetadata, readGroup, turn: () => {} })
