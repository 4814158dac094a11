/**
 * Values of DuckDB → cells of a table, as the reader of Parquet that is not DuckDB gives them, so that a record is the
 * same line of JSON whichever of the two has read it. A type of which that is not certain has no reader.
 */
import type {
  DuckDBDateValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampValue,
  DuckDBType,
} from '@duckdb/node-api'
import type { loadDuckDb } from './module.ts'

type TypeIds = Awaited<ReturnType<typeof loadDuckDb>>['DuckDBTypeId']
type CellReader = (value: unknown) => unknown

const dayMs = 86_400_000
const plainTypes = [
  ...['BOOLEAN', 'FLOAT', 'DOUBLE', 'TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT'],
  ...['UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT'],
] as readonly (keyof TypeIds)[]

/**
 * The reader of the values of a type: numbers and booleans as they are, whole numbers of 64 bits as bigints, days and
 * times as dates of a millisecond, lists as arrays, structs as objects. Undefined for every other type, and for texts
 * that DuckDB has a name of its own for, such as JSON.
 */
export function cellReaderOf(type: DuckDBType, ids: TypeIds): CellReader | undefined {
  const { typeId, alias } = type
  if (alias !== undefined) return undefined
  if (typeId === ids.VARCHAR) return text
  if (plainTypes.some((name) => ids[name] === typeId)) return (value) => value
  if (typeId === ids.DATE) return orNull((day: DuckDBDateValue) => new Date(day.days * dayMs))
  if (typeId === ids.TIMESTAMP || typeId === ids.TIMESTAMP_TZ) return time
  if (typeId === ids.TIMESTAMP_NS) return nanosecondTime
  if (typeId === ids.LIST) return listReader(type as DuckDBListType, ids)
  return typeId === ids.STRUCT ? structReader(type as DuckDBStructType, ids) : undefined
}

const time = orNull(({ micros }: DuckDBTimestampValue) => new Date(Number(micros / 1_000n)))

const nanosecondTime = orNull(
  ({ nanos }: DuckDBTimestampNanosecondsValue) => new Date(Number(nanos / 1_000_000n)),
)

function orNull<V>(read: (value: V) => unknown): CellReader {
  return (value) => (value === null ? null : read(value as V))
}

/** A decoder of texts takes a byte order mark from the beginning of each. */
function text(value: unknown): unknown {
  return typeof value === 'string' && value.startsWith('\ufeff') ? value.slice(1) : value
}

/** A missing list or struct is undefined, where a missing text or number is null. */
function listReader({ valueType }: DuckDBListType, ids: TypeIds): CellReader | undefined {
  const read = cellReaderOf(valueType, ids)
  if (read === undefined) return undefined
  return (value) => (value === null ? undefined : (value as DuckDBListValue).items.map(read))
}

function structReader(type: DuckDBStructType, ids: TypeIds): CellReader | undefined {
  const readers = type.entryTypes.map((entry) => cellReaderOf(entry, ids))
  if (readers.includes(undefined)) return undefined
  const names = type.entryNames
  return (value) => {
    if (value === null) return undefined
    const { entries } = value as DuckDBStructValue
    return Object.fromEntries(names.map((name, at) => [name, readers[at]!(entries[name])]))
  }
}
