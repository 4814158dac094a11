/**
 * Directories that are made once and kept from run to run. A directory is put in its place by a
 * rename, so that it is whole or not there at all. Several processes may make it at once. Files that
 * other users could have written are never used.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { Refusal } from '../problems.ts'
import { isStorageError } from './sync-file.ts'

/** The cache directories of a process, best first: that of XDG_CACHE_HOME, of home, and the temporary one. */
export function cacheDirectoriesOf(
  { env, getuid }: Pick<NodeJS.Process, 'env' | 'getuid'>,
  home = homeDirectory(),
  temporary = tmpdir(),
): string[] {
  const { XDG_CACHE_HOME: cacheHome = '' } = env
  return [
    ...(isAbsolute(cacheHome) ? [join(cacheHome, 'authority-index')] : []),
    ...(isAbsolute(home) ? [join(home, '.cache', 'authority-index')] : []),
    join(temporary, `authority-index-${getuid?.() ?? 0}`),
  ]
}

/** '' for a user that the system has no entry of, as systemd's DynamicUser or a container may run one. */
function homeDirectory(): string {
  try {
    return homedir()
  } catch {
    return ''
  }
}

export interface CachedTool {
  readonly name: string
  /** Whether a directory holds all of it; may throw if it does not. */
  readonly isWhole: (directory: string) => boolean
  /** Fills an empty directory; if the file system does not let it, the next place is tried. */
  readonly fill: (directory: string) => Promise<void> | void
}

/**
 * The directory of a keepsake, made unless it is there: in the first place that can be written.
 * @param userId of this process; undefined on Windows, where files do not say who may write them.
 * @throws Refusal `no-cache` when there is no such place, and what `fill` throws.
 */
export async function keep(
  keepsake: CachedTool,
  places: readonly string[],
  userId: number | undefined,
): Promise<string> {
  const reasons: string[] = []
  for (const place of places) {
    const directory = join(place, keepsake.name)
    try {
      if (isKept(keepsake, directory, userId)) return directory
      mkdirSync(place, { recursive: true, mode: 0o700 })
      if (isOurs(place, userId)) return await make(keepsake, directory, userId)
      reasons.push(`${place} can be written by others`)
    } catch (error) {
      if (!isStorageError(error)) throw error
      reasons.push(error.message)
    }
  }
  const message = `nowhere to unpack to; set XDG_CACHE_HOME: ${reasons.join('; ')}`
  throw new Refusal('no-cache', message)
}

/** Whether only this user and root can write a file that is about to be run. */
function isOurs(path: string, userId: number | undefined): boolean {
  if (userId === undefined) return true
  const { uid, mode } = statSync(path)
  return (uid === 0 || uid === userId) && (mode & 0o022) === 0
}

function isKept({ isWhole }: CachedTool, directory: string, userId: number | undefined): boolean {
  try {
    return isOurs(dirname(directory), userId) && isOurs(directory, userId) && isWhole(directory)
  } catch {
    return false
  }
}

async function make(
  keepsake: CachedTool,
  directory: string,
  userId: number | undefined,
): Promise<string> {
  const made = mkdtempSync(`${directory}.`)
  try {
    await keepsake.fill(made)
    try {
      renameSync(made, directory)
    } catch (error) {
      // One that another process put there meanwhile stays, unless it is damaged.
      if (isKept(keepsake, directory, userId)) return directory
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error
      rmSync(directory, { recursive: true, force: true })
      renameSync(made, directory)
    }
    return directory
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
