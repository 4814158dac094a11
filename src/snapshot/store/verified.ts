/**
 * The files of a directory that were verified as they lie there, by this version of the program: what was read back
 * and verified when it was published need not be verified by everybody who loads it. A file that was copied, restored
 * or touched since, or was verified by another version, is of unknown origin. Damage of the disk is found without
 * this: every load of a file compares the checksum of every section that it reads, and texts that it leaves in the file
 * are compared when they are read.
 */
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { programVersion } from '../../version.ts'
import { writeDurably } from './durable.ts'

/** The name of the file: a line for each snapshot. */
export const verifiedName = 'VERIFIED'

/** Notes that the file of a snapshot was verified just now. It keeps the notes of files that are still there. */
export function noteVerified(directory: string, fileName: string): void {
  const line = fileStateOf(directory, fileName)
  if (line === undefined) return
  const kept = linesIn(directory).filter((each) => {
    const [name = ''] = each.split(' ')
    return name !== fileName && each === fileStateOf(directory, name)
  })
  writeDurably(directory, verifiedName, [...kept, line, ''].join('\n'))
}

/** Whether the file of a snapshot is the one that was verified. */
export function isVerified(directory: string, fileName: string): boolean {
  const line = fileStateOf(directory, fileName)
  return line !== undefined && linesIn(directory).includes(line)
}

/** Line that identifies a file in its present state; a changed file has another line. Undefined if it is missing. */
export function fileStateOf(directory: string, fileName: string): string | undefined {
  const options = { bigint: true, throwIfNoEntry: false } as const
  const status = statSync(join(directory, fileName), options)
  if (status === undefined) return undefined
  const { size, mtimeNs, ctimeNs, ino } = status
  return [fileName, programVersion, size, mtimeNs, ctimeNs, ino].join(' ')
}

/** A file that cannot be read says nothing: then everything is verified. */
function linesIn(directory: string): string[] {
  try {
    return readFileSync(join(directory, verifiedName), 'utf8').split('\n')
  } catch {
    return []
  }
}
