/** The source that a URI means: the kind is its scheme, and each kind has a folder of its own beside this file. */
import { fileURLToPath } from 'node:url'
import type { ReadingRoom } from '../duckdb/reading-database.ts'
import { Refusal } from '../problems.ts'
import { isBucketAddress } from '../storage-addresses.ts'
import { openDuckDbFile } from './duckdb/record-file.ts'
import { openFolder } from './ndjson/folder.ts'
import { openDatabase } from './postgresql/record-database.ts'
import type { Source } from './source.ts'

/** Room of an engine that reads a source, and whether it is to read what can be read without it. */
export interface SourceEngine extends ReadingRoom {
  readonly scansFiles: boolean
}

type Opener = (uri: string, mapPath: string, engine: SourceEngine) => Source

/** Function that opens a source, by scheme. */
const openers: Readonly<Record<string, Opener>> = {
  file: (uri, ...rest) => openFiles(filePath(uri), ...rest),
  postgres: withoutMap(openDatabase),
  postgresql: withoutMap(openDatabase),
  duckdb: withoutMap((uri, engine) => openDuckDbFile(duckDbPath(uri), engine)),
  s3: (uri, mapPath) => openFolder(bucketAddress(uri), mapPath),
}

/** Memory of an engine where no setting says it. */
const memoryBytesUsual = 1 << 30

/**
 * The source that a URI means: `file:///var/records`, or the path of a folder as it is typed, or the address of a
 * database, `postgres://…` or `duckdb:///FILE`, or of a place in a bucket, `s3://bucket/prefix`. Neither reads the source
 * nor looks for it.
 * @param mapPath of the map of its tables; empty where there is none.
 * @throws Refusal `wrong-usage` for a scheme that no source has.
 */
export function openSource(
  uri: string,
  mapPath = '',
  engine: SourceEngine = { memoryBytes: memoryBytesUsual, scansFiles: false },
): Source {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return openFiles(uri, mapPath, engine)
  const open = Object.hasOwn(openers, scheme) ? openers[scheme] : undefined
  if (open !== undefined) return open(uri, mapPath, engine)
  const kinds =
    'a folder, its file:// or s3:// address, the postgres:// address of a database, or duckdb:///FILE'
  throw new Refusal('wrong-usage', `${uri}: a source is ${kinds}`)
}

function openFiles(path: string, mapPath: string, engine: SourceEngine): Source {
  return openFolder(path, mapPath, engine.scansFiles ? engine.memoryBytes : undefined)
}

function withoutMap(open: (uri: string, engine: SourceEngine) => Source): Opener {
  return (uri, mapPath, engine) => {
    if (mapPath === '') return open(uri, engine)
    throw new Refusal('wrong-usage', '--map is for CSV and Parquet: in a database use a view')
  }
}

function bucketAddress(uri: string): string {
  if (isBucketAddress(uri)) return uri
  throw new Refusal('wrong-usage', `${uri}: is no address such as s3://bucket/prefix`)
}

function duckDbPath(uri: string): string {
  if (/^duckdb:\/\/\/./i.test(uri)) return filePath(uri.replace(/^duckdb/i, 'file'))
  throw new Refusal(
    'wrong-usage',
    `${uri}: a file of DuckDB is duckdb:///PATH, its path from the root`,
  )
}

function filePath(uri: string): string {
  try {
    return fileURLToPath(uri)
  } catch (error) {
    throw new Refusal('wrong-usage', `${uri}: ${(error as Error).message}`)
  }
}
