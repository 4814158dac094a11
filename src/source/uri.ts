/** The source that a URI means, by its scheme. */
import { fileURLToPath } from 'node:url'
import { Refusal } from '../problems.ts'
import { isBucketAddress } from '../storage-addresses.ts'
import { openFolder } from './ndjson/folder.ts'
import { openDatabase } from './postgresql/record-database.ts'
import type { Source } from './source.ts'

/**
 * Neither reads the source nor looks for it.
 * @param uri the path of a folder, or `file://…`, `s3://bucket/prefix`, `postgres://…`.
 * @param mapPath of the map of its tables; empty where there is none.
 * @throws Refusal `wrong-usage` for a scheme that no source has.
 */
export function openSource(uri: string, mapPath = ''): Source {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return openFolder(uri, mapPath)
  if (scheme === 'file') return openFolder(filePath(uri), mapPath)
  if (scheme === 's3') {
    if (isBucketAddress(uri)) return openFolder(uri, mapPath)
    throw new Refusal('wrong-usage', `${uri}: is no address such as s3://bucket/prefix`)
  }
  if (scheme === 'postgres' || scheme === 'postgresql') {
    if (mapPath === '') return openDatabase(uri)
    throw new Refusal('wrong-usage', '--map is for CSV and Parquet: in a database use a view')
  }
  const kinds = 'a folder, its file:// or s3:// address, or the postgres:// address of a database'
  throw new Refusal('wrong-usage', `${uri}: a source is ${kinds}`)
}

function filePath(uri: string): string {
  try {
    return fileURLToPath(uri)
  } catch (error) {
    throw new Refusal('wrong-usage', `${uri}: ${(error as Error).message}`)
  }
}
