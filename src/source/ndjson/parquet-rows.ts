/**
 * The rows of a Parquet file, one row group after the other: memory is that of the largest group. A group that is
 * damaged loses its rows, and no other: a page says neither where its rows end nor which of its bytes are wrong.
 * hyparquet never returns from some damaged pages, so it has a thread; one that stands still is ended, and another reads on.
 */
import { Refusal } from '../../problems.ts'
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import type { OnProgress } from '../source.ts'
import type { TableRows } from '../tables/table-rows.ts'
import { type ParquetFile, ParquetReader, type RowGroup, type RowGroups } from './parquet-reader.ts'
import { unreadable } from './unreadable.ts'

export type ParquetCalls = {
  open(file: ParquetFile): Promise<RowGroups>
  group(group: RowGroup): Promise<readonly unknown[][]>
  turn(nothing: undefined): void
}

export type GroupReader = Pick<ParquetReader, 'open' | 'group' | 'close'>

/** A thread that gives no turn for so long is ended: to decode a column takes seconds. */
const intervalMs = 2_500
const intervalsMax = 12

class ParquetThread implements GroupReader {
  #thread: Thread<ParquetCalls> | undefined
  #file: ParquetFile | undefined

  open(file: ParquetFile): Promise<RowGroups> {
    this.#file = file
    return this.#ask('open', file)
  }

  async group(group: RowGroup): Promise<readonly unknown[][]> {
    if (this.#thread === undefined) await this.open(this.#file!)
    return this.#ask('group', group)
  }

  async close(): Promise<void> {
    await this.#thread?.worker.terminate()
    this.#thread = undefined
  }

  /** Asks the thread. @throws Error if it stands still and was ended. */
  async #ask<N extends 'open' | 'group'>(
    name: N,
    argument: Parameters<ParquetCalls[N]>[0],
  ): Promise<Awaited<ReturnType<ParquetCalls[N]>>> {
    this.#thread ??= await started()
    const { channel } = this.#thread
    let still = 0
    const onTurn = () => {
      still = 0
    }
    const timer = setInterval(() => {
      still += 1
      if (still > intervalsMax) void this.close()
      else channel.call('turn', undefined).then(onTurn, () => {})
    }, intervalMs)
    try {
      return await channel.call(name, argument)
    } finally {
      clearInterval(timer)
    }
  }
}

async function started(): Promise<Thread<ParquetCalls>> {
  const name = 'the thread that reads Parquet'
  const module = moduleOf('parquet-worker', import.meta.url)
  const thread = startThread<ParquetCalls>(module, { name, handlers: {} })
  await thread.channel.call('turn', undefined)
  return thread
}

/** From TypeScript, which not every Node loads in a thread, without a thread. */
export function newGroupReader(): GroupReader {
  return import.meta.url.endsWith('.ts') ? new ParquetReader() : new ParquetThread()
}

/** @throws Refusal `source-unreadable` for what is no Parquet file, or one without its end. */
export async function* parquetRows(
  reader: GroupReader,
  file: ParquetFile,
  onProgress?: OnProgress,
): TableRows {
  const { columns, rows: counts } = await reader.open(file).catch((error: unknown) => {
    throw error instanceof Refusal ? error : unreadable(file.path, error)
  })
  yield [columns]
  const all = counts.reduce((sum, count) => sum + count, 0)
  let rowStart = 0
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue
    yield await reader.group({ rowStart, count }).catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      const reason = `cannot be read with row group ${index + 1}, which is damaged`
      const text = `rows ${rowStart + 1} to ${rowStart + count}: ${(error as Error).message}`
      return Array.from({ length: count }, () => ({ reason, text }))
    })
    rowStart += count
    onProgress?.(rowStart / all)
  }
}
