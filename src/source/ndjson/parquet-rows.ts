/**
 * The rows of a Parquet file, one row group after the other: memory is that of the largest group. A group that is
 * damaged loses its rows, and no other: a page says neither where its rows end nor which of its bytes are wrong.
 * hyparquet never returns from some damaged pages, so it has a thread; one that stands still is ended, and another reads on.
 */
import { parquetSchema } from 'hyparquet'
import { Refusal } from '../../problems.ts'
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import type { OnProgress } from '../source.ts'
import type { TableRows } from '../tables/table-rows.ts'
import { readGroup, readMetadata } from './parquet-reader.ts'
import type { StoredFile } from './stored-files.ts'
import { unreadable } from './unreadable.ts'

const inPlace = { readMetadata, readGroup }

export type ParquetCalls = typeof inPlace & { turn(nothing: undefined): void }

/** The thread begins with the first call, and again behind one at which it was ended. */
type GroupReader = typeof inPlace & { close(): Promise<void> }

/** A thread that gives no turn for so long is ended: to decode a column takes seconds. */
const intervalMs = 2_500
const intervalsMax = 12

/** From TypeScript, which not every Node loads in a thread, without a thread. */
function newGroupReader(): GroupReader {
  if (import.meta.url.endsWith('.ts')) return { ...inPlace, close: async () => {} }
  const module = moduleOf('parquet-worker', import.meta.url)
  let thread: Thread<ParquetCalls> | undefined
  const close = async () => {
    const ended = thread
    thread = undefined
    await ended?.worker.terminate()
  }
  /** @throws Error if the thread stands still and was ended. */
  async function watched<T>(call: (channel: Thread<ParquetCalls>['channel']) => Promise<T>) {
    thread ??= startThread(module, { name: 'the thread that reads Parquet', handlers: {} })
    const { channel } = thread
    let still = 0
    const onTurn = () => {
      still = 0
    }
    const timer = setInterval(() => {
      still += 1
      if (still > intervalsMax) void close()
      else channel.call('turn', undefined).then(onTurn, () => {})
    }, intervalMs)
    try {
      return await call(channel)
    } finally {
      clearInterval(timer)
    }
  }
  return {
    readMetadata: (file) => watched((channel) => channel.call('readMetadata', file)),
    readGroup: (group) => watched((channel) => channel.call('readGroup', group)),
    close,
  }
}

/** @throws Refusal `source-unreadable` for what is no Parquet file, or one without its end. */
export async function* parquetRows(file: StoredFile, onProgress?: OnProgress): TableRows {
  const reader = newGroupReader()
  try {
    const metadata = await reader.readMetadata(file).catch((error: unknown) => {
      throw error instanceof Refusal ? error : unreadable(file.path, error)
    })
    yield [parquetSchema(metadata).children.map(({ element }) => element.name)]
    let rowStart = 0
    for (const [index, group] of metadata.row_groups.entries()) {
      const count = Number(group.num_rows)
      if (count === 0) continue
      const alone = { ...metadata, row_groups: [group] }
      yield await reader.readGroup({ file, metadata: alone }).catch((error: unknown) => {
        if (error instanceof Refusal) throw error
        const reason = `cannot be read with row group ${index + 1}, which is damaged`
        const text = `rows ${rowStart + 1} to ${rowStart + count}: ${(error as Error).message}`
        return Array.from({ length: count }, () => ({ reason, text }))
      })
      rowStart += count
      onProgress?.((index + 1) / metadata.row_groups.length)
    }
  } finally {
    await reader.close()
  }
}
