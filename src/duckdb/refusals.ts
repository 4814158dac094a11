/** The meaning of errors of DuckDB: too little memory, or a disk that is full or fails. */
import { Refusal } from '../problems.ts'

/** The first line of an error, which says what is wrong. */
export function firstLineOf(error: unknown): string {
  return (error as Error).message.split('\n', 1)[0] ?? ''
}

/**
 * The refusal of an error that tells of memory or of the disk for what is spilled: `build-limit` where more memory would
 * do, `store-refused` where the disk is full; undefined for any other.
 */
export function spaceRefusalOf(error: unknown): Refusal | undefined {
  const line = firstLineOf(error)
  const isOfDisk = /offload|No space left|temp_directory|disk space/i.test(line)
  if (/^Out of Memory Error/i.test(line) && !isOfDisk) {
    return new Refusal('build-limit', `DuckDB: ${line}; give it more with --engine-memory`)
  }
  if (!isOfDisk) return undefined
  const hint = 'choose another place with --engine-temp'
  return new Refusal('store-refused', `DuckDB has no room on the disk: ${line}; ${hint}`)
}
