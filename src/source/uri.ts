/**
 * Which source a URI means. Today there is one kind, a folder of NDJSON files; another one is another
 * scheme here and a folder of its own beside `ndjson/`.
 */
import { fileURLToPath } from 'node:url'
import { Refusal } from '../problems.ts'
import { openFolder } from './ndjson/folder.ts'
import type { Source } from './source.ts'

/**
 * The source that a URI means: `file:///var/records`, or the path of a folder as it is typed. Nothing
 * is read yet, nor is it looked for.
 * @throws Refusal `wrong-usage` for a scheme that no source has.
 */
export function openSource(uri: string): Source {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(uri)?.[1]?.toLowerCase()
  if (scheme === undefined) return openFolder(uri)
  if (scheme === 'file') return openFolder(filePath(uri))
  throw new Refusal('wrong-usage', `${uri}: a source is a folder or its file:// address`)
}

function filePath(uri: string): string {
  try {
    return fileURLToPath(uri)
  } catch (error) {
    throw new Refusal('wrong-usage', `${uri}: ${(error as Error).message}`)
  }
}
