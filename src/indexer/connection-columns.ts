/**
 * Connections as columns while they are read: in nodes, each once, in the order of the source. Columns with a
 * drain hold only the newest: the drain keeps the others, in the same order.
 */
import { float64Column, uint8Column, uint32Column } from '../memory/columns.ts'

/** Takes connections away while more are read. */
interface Drain {
  /** Connections that stay in memory at most. */
  readonly lengthMax: number
  /** Takes all connections that are in the columns; they are cleared afterwards. */
  readonly take: (columns: ConnectionColumns) => void
}

export class ConnectionColumns {
  readonly from = uint32Column()
  readonly to = uint32Column()
  readonly weights = float64Column()
  /** Numbers of kinds. */
  readonly kinds = uint8Column()
  /** The number of the source of each; empty where a source may give anything. */
  readonly sources = uint32Column()
  readonly #drain: Drain | undefined

  /** @param drain keeps the connections elsewhere; without it all stay in the columns. */
  constructor(drain?: Drain) {
    this.#drain = drain
  }

  /** Adds a connection. @throws the errors of the drain. */
  push(from: number, to: number, weight: number, kind: number, source: number | undefined): void {
    if (this.from.length === this.#drain?.lengthMax) this.drain()
    this.from.push(from)
    this.to.push(to)
    this.weights.push(weight)
    this.kinds.push(kind)
    if (source !== undefined) this.sources.push(source)
  }

  /** Hands the connections in the columns to the drain, if there is one. */
  drain(): void {
    if (this.#drain === undefined) return
    this.#drain.take(this)
    this.clear()
  }

  /** Gives the memory of the connections back. */
  clear(): void {
    for (const column of [this.from, this.to, this.weights, this.kinds, this.sources])
      column.clear()
  }
}
