/**
 * Directories that only their owner may enter, and files that only their owner may read: of the mode
 * 0700 under any umask. An existing directory keeps its mode, because an operator or a container
 * runtime set it.
 */
import { mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

export const privateFileMode = 0o600

const privateMode = 0o700
/** Rights of all but the owner and the group. Kubernetes (fsGroup) needs the rights of the group. */
const othersMask = 0o007

/** @returns the uppermost directory that was made; undefined if all existed. */
export function makePrivateDirectory(path: string): string | undefined {
  return mkdirSync(path, { recursive: true, mode: privateMode })
}

/**
 * Describes excessive rights of a private directory or file, with the command that mends them.
 * @param path empty, or of nothing, where there is none.
 * @param userId of this process, which can only mend what is its own.
 * @returns undefined when users outside of its group have no rights, or another user owns it: a
 * container runtime mounts its volumes so.
 */
export function openRights(path: string, userId: number): string | undefined {
  const found = path === '' ? undefined : statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  const { uid, mode } = found
  if ((mode & othersMask) === 0 || uid !== userId) return undefined
  const digits = (mode & 0o777).toString(8)
  return `other users have rights to ${path} (mode ${digits}); type: chmod o= ${quoted(resolve(path))}`
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
