/**
 * Connections in columns: lines between two SDUs in one plain spelling become numbers here, so that
 * they can be read on another thread before the authorities are known.
 */
import { createHash } from 'node:crypto'
import { kindNumberOf } from '../../connection-kinds.ts'
import { Interner } from '../../memory/interner.ts'
import type { LineTaker, PlainRecord, RecordStream } from '../plain-records.ts'
import type { ConnectionRecord } from '../schema.ts'
import type { ConnectionBatch, OtherConnection } from '../source.ts'
import { readPlainConnection } from './plain-connection.ts'
import { connectionOf } from './records.ts'

/** Lines of one batch: 1.6 MB of plain connections, and no more than that of others. */
const plainMax = 65_536
const othersMax = 4_096

/** Ends with the digest of all records. */
export type ConnectionBatches = AsyncGenerator<ConnectionBatch, string, undefined>

/** @throws Refusal `source-unreadable` as the stream does. */
export async function* readConnections(stream: RecordStream): ConnectionBatches {
  const hash = createHash('sha256')
  const batches = new Batches()
  const onProgress = (fraction: number) => {
    batches.progress = fraction
  }
  const visit = (record: PlainRecord) => batches.addOther(record.number, connectionOf(record))
  const takeLine: LineTaker = (line, bytes, start, end) => batches.addPlain(line, bytes, start, end)
  for await (const _ of stream.read({ visit, onProgress, hash, takeLine })) {
    yield* batches.full.splice(0)
  }
  batches.finish()
  yield* batches.full.splice(0)
  return hash.digest('hex')
}

class Batches {
  readonly full: ConnectionBatch[] = []
  progress = 0
  readonly #sdus = new Interner()
  #sdusBefore = 0
  #count = 0
  #columns = newColumns()
  #others: OtherConnection[] = []

  addPlain(line: number, bytes: Buffer, start: number, end: number): boolean {
    const connection = readPlainConnection(bytes, start, end)
    if (connection === undefined) return false
    const { from, to, weights, kinds, numbers } = this.#columns
    const at = this.#count
    from[at] = this.#sdus.internBytes(bytes, connection.fromStart, connection.fromEnd)
    to[at] = this.#sdus.internBytes(bytes, connection.toStart, connection.toEnd)
    weights[at] = connection.weight
    kinds[at] = kindNumberOf(connection.kind)
    numbers[at] = line
    this.#count = at + 1
    if (this.#count === plainMax) this.finish()
    return true
  }

  addOther(line: number, record: ConnectionRecord | undefined): void {
    this.#others.push({ place: this.#count, number: line, record })
    if (this.#others.length === othersMax) this.finish()
  }

  finish(): void {
    const { from, to, weights, kinds, numbers } = this.#columns
    const count = this.#count
    this.full.push({
      sdus: this.#sdus.textsFrom(this.#sdusBefore),
      from: from.subarray(0, count),
      to: to.subarray(0, count),
      weights: weights.subarray(0, count),
      kinds: kinds.subarray(0, count),
      numbers: numbers.subarray(0, count),
      others: this.#others,
      progress: this.progress,
    })
    this.#sdusBefore = this.#sdus.length
    this.#count = 0
    this.#columns = newColumns()
    this.#others = []
  }
}

function newColumns() {
  return {
    from: new Uint32Array(plainMax),
    to: new Uint32Array(plainMax),
    weights: new Float64Array(plainMax),
    kinds: new Uint8Array(plainMax),
    numbers: new Uint32Array(plainMax),
  }
}
