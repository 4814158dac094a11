/**
 * Which source a URI means: the kind is its scheme, and each kind has a folder of its own beside
 * this file.
 */
import { fileURLToPath } from 'node:url'
import { Refusal } from '../problems.ts'
import { isBucketAddress } from '../storage-addresses.ts'
import { openFolder } from './ndjson/folder.ts'
import { openDatabase } from './postgresql/record-database.ts'
import type { Source } from './source.ts'

/** How a source of each scheme is opened. */
const openers: Readonly<Record<string, (uri: string) => Source>> = {
  file: (uri) => openFolder(filePath(uri)),
  postgres: openDatabase,
  postgresql: openDatabase,
  s3: (uri) => openFolder(bucketAddress(uri)),
}

/**
 * The source that a URI means: `file:///var/records`, or the path of a folder as it is typed, or the
 * address of a database, `postgres://…`, or of a place in a bucket, `s3://bucket/prefix`. Nothing is read yet, nor is it looked for.
 * @throws Refusal `wrong-usage` for a scheme that no source has.
 */
export function openSource(uri: string): Source {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return openFolder(uri)
  const open = Object.hasOwn(openers, scheme) ? openers[scheme] : undefined
  if (open !== undefined) return open(uri)
  const kinds = 'a folder, its file:// or s3:// address, or the postgres:// address of a database'
  throw new Refusal('wrong-usage', `${uri}: a source is ${kinds}`)
}

function bucketAddress(uri: string): string {
  if (isBucketAddress(uri)) return uri
  throw new Refusal('wrong-usage', `${uri}: is no address such as s3://bucket/prefix`)
}

function filePath(uri: string): string {
  try {
    return fileURLToPath(uri)
  } catch (error) {
    throw new Refusal('wrong-usage', `${uri}: ${(error as Error).message}`)
  }
}
