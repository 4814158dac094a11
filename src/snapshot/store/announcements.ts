/**
 * The order of announcements: a file of snapshot ids, the newest at the end. The time of a snapshot file
 * is no substitute, because copying or touching the file changes it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from './durable.ts'

/** The name of the file. */
export const announcementsName = 'ANNOUNCED'

/** The ids that were announced, the last one at the end; none in a store without notes. */
export function announcedIds(directory: string): string[] {
  try {
    const lines = readFileSync(join(directory, announcementsName), 'utf8').split('\n')
    return lines.filter((line) => line !== '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * Notes that a snapshot is announced now.
 * @param before the one that was announced until now, which an earlier version may not have noted.
 * @param present the ids of the snapshots that are there: no other is kept in the file.
 */
export function noteAnnouncement(
  directory: string,
  id: string,
  before: string | undefined,
  present: readonly string[],
): void {
  const noted = announcedIds(directory)
  const earlier = before === undefined || noted.includes(before) ? noted : [...noted, before]
  const kept = earlier.filter((each) => each !== id && present.includes(each))
  writeDurably(directory, announcementsName, [...kept, id, ''].join('\n'))
}
