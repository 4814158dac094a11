/**
 * The order of announcements: a file of snapshot ids, the newest at the end. The time of a snapshot file
 * is no substitute, because copying or touching the file changes it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeDurably } from './durable.ts'

/** The name of the file. */
export const announcementsName = 'ANNOUNCED'

/** The announced ids, the newest at the end; empty where the file does not exist. */
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
 * Writes that a snapshot is announced now.
 * @param before the current snapshot until now: a directory that was put together by hand has no such file.
 * @param present the ids of the snapshots in the directory; the file keeps no others.
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
