/** Connections as columns while they are read: in nodes, each once, in the order of the source. */
import { float64Column, uint8Column, uint32Column } from '../memory/columns.ts'

export class ConnectionColumns {
  readonly from = uint32Column()
  readonly to = uint32Column()
  readonly weights = float64Column()
  readonly kinds = uint8Column()
  /** The number of the source of each; empty where a source may give anything. */
  readonly sources = uint32Column()

  push(from: number, to: number, weight: number, kind: number, source: number | undefined): void {
    this.from.push(from)
    this.to.push(to)
    this.weights.push(weight)
    this.kinds.push(kind)
    if (source !== undefined) this.sources.push(source)
  }

  clear(): void {
    for (const column of [this.from, this.to, this.weights, this.kinds, this.sources])
      column.clear()
  }
}
