/** Batches of connections as columns and back: the same batches. */
import {
  bytesIn,
  type Column,
  doublesIn,
  type KeptColumns,
  numbersIn,
  textsIn,
} from '../../indexer/kept/columns.ts'
import type { ConnectionBatch, KnownConnections } from '../../source/source.ts'

const digestName = 'connections'
const columnNames = ['from', 'to', 'weights', 'kinds', 'numbers'] as const

/** The columns of all connections of a source. @param digest of them. */
export function* connectionColumns(
  digest: string,
  batches: readonly ConnectionBatch[],
): Generator<readonly [string, Column], void, undefined> {
  yield [digestName, Buffer.from(digest)]
  for (const [index, batch] of batches.entries()) {
    const { sdus, kindNames, others, progress } = batch
    const name = nameOf(index)
    for (const column of columnNames) yield [`${name}.${column}`, batch[column]]
    yield [`${name}.text`, sdus.text]
    yield [`${name}.ends`, sdus.ends]
    yield [`${name}.others`, Buffer.from(JSON.stringify({ kindNames, others, progress }))]
  }
}

/** The connections in columns, if there are some. */
export function connectionsIn(columns: KeptColumns): KnownConnections | undefined {
  if (!columns.has(digestName)) return undefined
  return {
    digest: Buffer.from(bytesIn(columns, digestName)).toString(),
    *batches() {
      for (let index = 0; columns.has(`${nameOf(index)}.from`); index += 1) {
        yield batchIn(columns, nameOf(index))
      }
    },
  }
}

function nameOf(index: number): string {
  return `connections-${index}`
}

function batchIn(columns: KeptColumns, name: string): ConnectionBatch {
  return {
    sdus: textsIn(columns, name),
    from: numbersIn(columns, `${name}.from`),
    to: numbersIn(columns, `${name}.to`),
    weights: doublesIn(columns, `${name}.weights`),
    kinds: bytesIn(columns, `${name}.kinds`),
    numbers: numbersIn(columns, `${name}.numbers`),
    // An absent record is left out by JSON, and read as undefined.
    ...JSON.parse(Buffer.from(bytesIn(columns, `${name}.others`)).toString()),
  }
}
