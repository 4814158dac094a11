/**
 * Place of the key of a list of removals: an operator may name another file. Moving it loses no
 * key: it stands in its new file before it is gone from the old place.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Refusal } from '../../problems.ts'
import { defaultKeyFile, keyMark, readKeyFile } from '../../snapshot/store/removal-key.ts'
import { listKey, Removals, readRemovals, removalsFile } from '../../snapshot/store/removals.ts'
import { required } from '../../snapshot/store/state-file.ts'

/**
 * Alone in the directory only.
 * @param named the file; '' leaves a key where it is.
 * @returns what was done, for a person.
 * @throws Refusal `store-refused` where the key cannot be written, `snapshot-refused` where it is
 * not to be found.
 */
export function settleKey(directory: string, named: string): string | undefined {
  const list = readRemovals(directory)
  if (list.length === 0) return undefined
  const { secret, mark, file = defaultKeyFile(directory) } = list.key
  const target = named === '' ? file : resolve(named)
  const isThere = secret !== undefined && target === list.key.file
  const place = join(directory, removalsFile.name)
  if (!isThere) {
    const found = secret ?? rightKeyIn(target, mark)
    if (found === undefined && named === '') return undefined
    if (found === undefined) {
      throw new Refusal('snapshot-refused', `${target}: does not hold the key of ${place}`)
    }
    list.keyed({ secret: found, mark, file: target }).write(directory)
  }
  const isCopyGone = removeCopy(defaultKeyFile(directory), target, mark)
  if (isThere && !isCopyGone) return undefined
  return `the key of ${place} is not in ${file} any more, but in ${target} (mode 600): back it up apart from the list`
}

/** A new list gets the key that is in its file, or a new one. */
export function listToExtend(directory: string, named: string): Removals {
  settleKey(directory, named)
  const list = readRemovals(directory)
  if (list.length > 0) return list
  const file = named === '' ? defaultKeyFile(directory) : resolve(named)
  return new Removals(
    listKey(required(readKeyFile(file)) ?? randomBytes(32).toString('hex'), file),
    [],
  )
}

function rightKeyIn(file: string, mark: string): string | undefined {
  const key = required(readKeyFile(file))
  return key !== undefined && keyMark(key) === mark ? key : undefined
}

function removeCopy(usual: string, chosen: string, mark: string): boolean {
  if (usual === chosen || rightKeyIn(usual, mark) === undefined) return false
  rmSync(usual)
  return true
}
