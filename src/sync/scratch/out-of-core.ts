/**
 * The part of a sync that is not in memory, where an engine is named: its scratch directories, which only one sync uses at
 * once, because it holds the lock of the snapshot directory. Whatever ends the sync, they are removed: at the end, at
 * the first signal, or by the next sync.
 */
import { rmSync } from 'node:fs'
import { ScratchDatabase } from '../../duckdb/scratch-database.ts'
import type { Collector } from '../../indexer/collector.ts'
import type { Graph } from '../../indexer/indexer.ts'
import { ConnectionTable, type FiledGraph } from '../../indexer/out-of-core/connection-table.ts'
import { UnnamedFile } from '../../process/unnamed-file.ts'
import type { Values } from '../../settings.ts'
import type { Progress } from '../progress.ts'
import { type PlaceOptions, scratchDirectories } from './places.ts'

/** Facts of a sync that the engine needs. */
interface EngineOptions extends PlaceOptions, Values<'sourceShareMax'> {
  readonly progress: Progress
  readonly interrupted?: Interrupted
}

/** Resolves with the first signal that asks the process to end, unless `until` comes first. */
export type Interrupted = (until: AbortSignal) => Promise<void>

/** The connections of one sync, out of core if an engine is named. */
export interface OutOfCore {
  /** Columns for the collector; undefined where its own are to hold all. */
  readonly columns: ConnectionTable['columns'] | undefined
  /** Sorts the connections of a collector that has the columns, and removes the scratch directory. */
  readonly graphOf: (collector: Collector) => Promise<Graph | undefined>
  /** Removes what is left; to be called in any case. */
  readonly close: () => void
}

/**
 * Opens the engine that the settings name, if they name one, after removing what a killed sync has left.
 * @throws Refusal `wrong-usage` where its package is missing, `store-refused` for a directory that cannot be used.
 */
export async function openOutOfCore(options: EngineOptions): Promise<OutOfCore> {
  const { engine, engineMemory, sourceShareMax, progress } = options
  const { sorting: directory, reading } = scratchDirectories(options)
  for (const left of [directory, reading]) rmSync(left, { recursive: true, force: true })
  if (engine === 'memory') return inMemory
  if (sourceShareMax < 1) {
    progress.note('connections stay in memory: --source-share-max is below 1')
    return inMemory
  }
  const database = await ScratchDatabase.open({ directory, memoryBytes: engineMemory })
  const over = new AbortController()
  let graph: FiledGraph | undefined
  const endScratch = () => {
    over.abort()
    database.close()
  }
  void options.interrupted?.(over.signal).then(() => {
    database.remove()
    rmSync(reading, { recursive: true, force: true })
    process.kill(process.pid, 'SIGINT')
  })
  const close = () => {
    endScratch()
    graph?.close()
  }
  try {
    const table = await ConnectionTable.create(database)
    const graphOf = async (collector: Collector) => {
      progress.phase('sorting connections')
      graph = await table.graph(collector, () => newFile(options), progress.update)
      endScratch()
      return graph
    }
    return { columns: table.columns, graphOf, close }
  } catch (error) {
    close()
    throw error
  }
}

const inMemory: OutOfCore = {
  columns: undefined,
  graphOf: async () => undefined,
  close: () => {},
}

function newFile({ engineTemp, snapshots }: EngineOptions): UnnamedFile {
  return new UnnamedFile(engineTemp === '' ? snapshots : engineTemp, `graph-${process.pid}.tmp`)
}
