/**
 * A reader of Parquet on a thread of its own: hyparquet never returns from some damaged pages, so a thread that stands
 * still is ended, and another reads on.
 */
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import { type ParquetFile, ParquetReader, type RowGroup, type RowGroups } from './parquet-reader.ts'

/** The calls that the thread answers. */
export type ParquetCalls = {
  open(file: ParquetFile): Promise<RowGroups>
  group(group: RowGroup): Promise<readonly unknown[][]>
  /** Answers when the loop of the thread turns. */
  turn(nothing: undefined): void
}

/** What reads the row groups of a file. */
export type GroupReader = Pick<ParquetReader, 'open' | 'group' | 'close'>

/** Interval at which a thread that reads is asked for a turn, and of these without one after which it is ended: to decode a column takes seconds. */
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

  /** Ends the thread, wherever it is. */
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

/** A thread whose modules are loaded. */
async function started(): Promise<Thread<ParquetCalls>> {
  const name = 'the thread that reads Parquet'
  const module = moduleOf('parquet-worker', import.meta.url)
  const thread = startThread<ParquetCalls>(module, { name, handlers: {} })
  await thread.channel.call('turn', undefined)
  return thread
}

/** A reader as built; from TypeScript, which not every Node loads in a thread, without a thread. */
export function newGroupReader(): GroupReader {
  return import.meta.url.endsWith('.ts') ? new ParquetReader() : new ParquetThread()
}
