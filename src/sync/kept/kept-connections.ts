/** Batches of connections as columns and back: the same connections in the same pieces. */
import {
  bytesIn,
  type Column,
  doublesIn,
  type KeptColumns,
  numbersIn,
  textsIn,
} from '../../indexer/kept/columns.ts'
import type { Texts } from '../../memory/text-table.ts'
import type { ConnectionBatch, KnownBatch, KnownConnections } from '../../source/source.ts'

const sdusName = 'connection-sdus'
const columnNames = ['from', 'to', 'weights', 'kinds', 'numbers'] as const

/** The connections of the first incremental sync. */
export const noConnections: KnownConnections = {
  sdus: { text: new Uint8Array(0), ends: new Uint32Array(0) },
  batches: [],
}

/** The columns of all connections of a source; none where they are of no pieces, as those of a database. */
export function* connectionColumns(
  batches: readonly ConnectionBatch[],
): Generator<readonly [string, Column], void, undefined> {
  if (batches[0]?.pieces === undefined) return
  const sdus = joined(batches.map((batch) => batch.sdus))
  yield [`${sdusName}.text`, sdus.text]
  yield [`${sdusName}.ends`, sdus.ends]
  for (const [index, batch] of batches.entries()) {
    const name = nameOf(index)
    for (const column of columnNames) yield [`${name}.${column}`, batch[column]]
    yield [`${name}.pieces`, batch.pieces!]
    yield [`${name}.others`, Buffer.from(JSON.stringify(batch.others))]
  }
}

/** The connections in columns. */
export function connectionsIn(columns: KeptColumns): KnownConnections {
  if (!columns.has(`${sdusName}.text`)) return noConnections
  const batches: KnownBatch[] = []
  while (columns.has(`${nameOf(batches.length)}.from`)) {
    batches.push(batchIn(columns, nameOf(batches.length)))
  }
  return { sdus: textsIn(columns, sdusName), batches }
}

function nameOf(index: number): string {
  return `connections-${index}`
}

function batchIn(columns: KeptColumns, name: string): KnownBatch {
  return {
    from: numbersIn(columns, `${name}.from`),
    to: numbersIn(columns, `${name}.to`),
    weights: doublesIn(columns, `${name}.weights`),
    kinds: bytesIn(columns, `${name}.kinds`),
    numbers: numbersIn(columns, `${name}.numbers`),
    pieces: numbersIn(columns, `${name}.pieces`),
    // An absent record is left out by JSON, and read as undefined.
    others: JSON.parse(Buffer.from(bytesIn(columns, `${name}.others`)).toString()),
  }
}

/** All texts, numbered on. */
function joined(all: readonly Texts[]): Texts {
  const text = Buffer.concat(all.map((texts) => texts.text))
  const ends = new Uint32Array(all.reduce((sum, texts) => sum + texts.ends.length, 0))
  let length = 0
  let at = 0
  for (const texts of all) {
    for (const end of texts.ends) ends[at++] = length + end
    length += texts.text.length
  }
  return { text, ends }
}
