/**
 * A source that is a database of PostgreSQL: its rows come as lines of JSON, all of one moment, so
 * that a reading is always steady.
 */
import { Refusal } from '../../problems.ts'
import { type PostgresqlAddress, readPostgresqlAddress } from '../../process/postgresql.ts'
import { recordsOfLines } from '../ndjson/lines.ts'
import { digestStreams, type RecordStreams, readStreams } from '../ndjson/stream-reading.ts'
import type { RecordStream } from '../plain-records.ts'
import type {
  OnProgress,
  ReadOptions,
  Source,
  SourceMark,
  SourceReading,
  Stamp,
} from '../source.ts'
import { neededFields } from '../source-files.ts'
import { connect, type ReadTransaction } from './read-transaction.ts'
import { linesQuery, positionsIn, type RecordTable, recordTables } from './record-tables.ts'

/** The table or view whose content changes with the records. */
const watermarkName = 'watermark'

/** @throws Refusal `wrong-usage` for an address that is none. */
export function openDatabase(uri: string): Source {
  const address = readPostgresqlAddress(uri)
  return {
    name: address.name,
    lookIntervalMs: 2_000,
    fingerprint: (onProgress, earlier) => fingerprintOf(address, onProgress, earlier),
    read: (options) => readDatabase(address, options),
    stamp: () => stampDatabase(address),
  }
}

type Columns = ReadonlyMap<string, readonly string[]>

/** Refuses a database without a table or a column that has to be there. */
async function columnsIn(moment: ReadTransaction, { name }: PostgresqlAddress): Promise<Columns> {
  const names = [...recordTables.map((table) => table.name), watermarkName]
  const rows = await moment.rows<{ name: string; columns: string[] }>(columnsQuery, [names])
  const columns = new Map(rows.map((row) => [row.name, row.columns]))
  if (!columns.has('authorities')) {
    throw new Refusal('source-unreadable', `${name} has no table or view authorities`)
  }
  for (const table of recordTables) {
    const there = columns.get(table.name)
    const missing = neededFields[table.file].find((field) => there?.includes(field) === false)
    if (missing === undefined) continue
    throw new Refusal('source-unreadable', `${name}: ${table.name} has no column ${missing}`)
  }
  return columns
}

const columnsQuery = `
  SELECT names.name, array_agg(attname::text) AS columns
  FROM unnest($1::text[]) AS names (name)
  JOIN pg_catalog.pg_attribute ON attrelid = to_regclass(names.name)
  WHERE attnum > 0 AND NOT attisdropped
  GROUP BY names.name`

function streamsIn(moment: ReadTransaction, columns: Columns): RecordStreams {
  const there = recordTables.filter(({ name }) => columns.has(name))
  return Object.fromEntries(
    there.map((table) => [table.file, recordsIn(moment, table, columns.get(table.name)!)]),
  )
}

function recordsIn(
  moment: ReadTransaction,
  table: RecordTable,
  columns: readonly string[],
): RecordStream {
  const query = linesQuery(table, columns)
  const positionOf = positionsIn(table)
  async function* chunks(onProgress: OnProgress | undefined) {
    const expected = onProgress === undefined ? 1 : await expectedRows(moment, table)
    // The number that the server expects is a guess.
    yield* moment.lines(query, (rows) => onProgress?.(Math.min(rows / expected, 1)))
    onProgress?.(1)
  }
  return recordsOfLines(chunks, ({ text }) => positionOf(text))
}

async function expectedRows(moment: ReadTransaction, { name }: RecordTable): Promise<number> {
  const [row] = await moment.rows<Explained>(`EXPLAIN (FORMAT JSON) SELECT FROM "${name}"`)
  return Math.max(1, row?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 1)
}

interface Explained {
  readonly 'QUERY PLAN': readonly { readonly Plan: { readonly 'Plan Rows': number } }[]
}

async function watermarkIn(moment: ReadTransaction, columns: Columns): Promise<string | undefined> {
  if (!columns.has(watermarkName)) return undefined
  const [row] = await moment.rows<{ watermark: string | null }>(watermarkQuery)
  return row?.watermark ?? undefined
}

const watermarkQuery = `
  SELECT string_agg(line, E'\\n' ORDER BY line) AS watermark
  FROM (SELECT row_to_json(w)::text COLLATE "C" AS line FROM "${watermarkName}" w) l`

interface Sight {
  readonly moment: ReadTransaction
  readonly columns: Columns
  readonly watermark: string | undefined
}

async function lookAt(address: PostgresqlAddress): Promise<Sight> {
  const moment = await connect(address)
  try {
    await moment.begin()
    const columns = await columnsIn(moment, address)
    return { moment, columns, watermark: await watermarkIn(moment, columns) }
  } catch (error) {
    moment.end()
    throw error
  }
}

async function readDatabase(
  address: PostgresqlAddress,
  { onProgress }: ReadOptions = {},
): Promise<SourceReading> {
  const { moment, columns, watermark } = await lookAt(address)
  const records = readStreams(streamsIn(moment, columns), onProgress)
  return {
    ...records,
    isSteady: async () => true,
    mark: () =>
      watermark === undefined
        ? undefined
        : { source: address.name, watermark, fingerprint: records.fingerprint() },
    close: () => moment.end(),
  }
}

async function fingerprintOf(
  address: PostgresqlAddress,
  onProgress?: OnProgress,
  earlier?: SourceMark,
): Promise<string> {
  const { moment, columns, watermark } = await lookAt(address)
  try {
    const holds = earlier?.source === address.name && earlier.watermark === watermark
    return holds ? earlier.fingerprint : await digestStreams(streamsIn(moment, columns), onProgress)
  } finally {
    moment.end()
  }
}

/** Without a watermark, whatever any transaction in the whole server has written makes it another. */
async function stampDatabase(address: PostgresqlAddress): Promise<Stamp> {
  const { moment, watermark } = await lookAt(address)
  try {
    if (watermark !== undefined) return { version: watermark, extent: '' }
    const [row] = await moment.rows<{ version: string }>(
      'SELECT pg_current_snapshot()::text AS version',
    )
    return { version: row?.version ?? '', extent: '' }
  } finally {
    moment.end()
  }
}
