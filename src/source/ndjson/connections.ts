/**
 * Connections, read into columns. Nearly all lines are between two SDUs in one plain spelling: those
 * become numbers here, so that they can be read on another thread, before anybody knows who the
 * authorities are.
 */
import { createHash } from 'node:crypto'
import { connectionKinds, kindNumberOf } from '../../connection-kinds.ts'
import { limits } from '../../limits.ts'
import { Interner } from '../../memory/interner.ts'
import type { ConnectionRecord } from '../schema.ts'
import type { ConnectionBatch, OtherConnection } from '../source.ts'
import { LineSplitter, type LineStream } from './lines.ts'
import { readPlainConnection } from './plain-connection.ts'

/** Reads a line that is no plain connection; undefined where it holds no record. */
type ReadOther = (text: string) => ConnectionRecord | undefined

/** Lines of one batch: 1.6 MB of plain connections, and no more than that of others. */
const plainMax = 65_536
const othersMax = 4_096

/**
 * Reads connections, numbered by their lines; `onEnd` is called with the digest of all lines.
 * @throws Refusal `source-unreadable` as the stream does.
 */
async function* readConnections(
  stream: LineStream,
  readOther: ReadOther,
  onEnd: (digest: string) => void,
): AsyncGenerator<ConnectionBatch, void, undefined> {
  let progress = 0
  const onProgress = (fraction: number) => {
    progress = fraction
  }
  const hash = createHash('sha256')
  const batches = new Batches()
  const splitter = new LineSplitter(
    limits.lineBytesMax,
    (line, text, fault) =>
      batches.addOther(line, fault === undefined ? readOther(text) : undefined),
    (line, bytes, start, end) => batches.addPlain(line, bytes, start, end),
  )
  for await (const chunk of stream.chunks(onProgress)) {
    hash.update(chunk)
    splitter.push(chunk)
    for (const batch of batches.takeFull()) yield { ...batch, progress }
  }
  splitter.end()
  batches.finish()
  for (const batch of batches.takeFull()) yield { ...batch, progress }
  onEnd(hash.digest('hex'))
}

/**
 * The same, but nothing where the digest of all lines is a known one. To find out takes a pass over them.
 */
export async function* readUnknown(
  stream: LineStream,
  readOther: ReadOther,
  onEnd: (digest: string) => void,
  known: string | undefined,
): AsyncGenerator<ConnectionBatch, void, undefined> {
  if (known !== undefined && (await digestOf(stream)) === known) onEnd(known)
  else yield* readConnections(stream, readOther, onEnd)
}

async function digestOf(stream: LineStream): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream.chunks(undefined)) hash.update(chunk)
  return hash.digest('hex')
}

type Batch = Omit<ConnectionBatch, 'progress'>

/** Batches while they are being filled. */
class Batches {
  readonly #sdus = new Interner()
  #full: Batch[] = []
  #sdusBefore = 0
  #count = 0
  #columns = newColumns()
  #others: OtherConnection[] = []

  /** Takes a line if it is a plain connection. */
  addPlain(line: number, bytes: Uint8Array, start: number, end: number): boolean {
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

  /** Ends the batch that is being filled. */
  finish(): void {
    const { from, to, weights, kinds, numbers } = this.#columns
    const count = this.#count
    this.#full.push({
      sdus: this.#sdus.textsFrom(this.#sdusBefore),
      from: from.subarray(0, count),
      to: to.subarray(0, count),
      weights: weights.subarray(0, count),
      kinds: kinds.subarray(0, count),
      kindNames: connectionKinds,
      numbers: numbers.subarray(0, count),
      others: this.#others,
    })
    this.#sdusBefore = this.#sdus.length
    this.#count = 0
    this.#columns = newColumns()
    this.#others = []
  }

  takeFull(): Batch[] {
    const full = this.#full
    this.#full = []
    return full
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
