/** The settings of a sync whose connections are not in memory. */
import { choice, integer, text } from './kinds.ts'

/** A part of the table in `../settings.ts`. */
export const syncEngineSettings = {
  engine: choice(
    'ENGINE',
    ['memory', 'duckdb'],
    'memory',
    'where a sync sorts connections: in memory, or on disk in DuckDB, which reads Parquet, too (needs @duckdb/node-api)',
  ),
  engineMemory: integer(
    'BYTES',
    { min: 268_435_456, max: 1_099_511_627_776 },
    1_073_741_824,
    'bytes of memory that DuckDB takes, and once more while it reads; what needs more goes to --engine-temp',
  ),
  engineTemp: text(
    'DIR',
    '',
    'directory for what does not fit into the memory of a sync; the snapshot directory unless given',
  ),
} as const
