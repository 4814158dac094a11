/**
 * The key of a list of removals: a file of its own, which only its owner may read. It never lies beside the hashes
 * that it makes: a copy of the snapshot directory, or of the bucket, does not disclose who was removed.
 */
import { createHash } from 'node:crypto'
import { basename, dirname, relative, resolve } from 'node:path'
import { Refusal } from '../../problems.ts'
import { privateFileMode } from '../../process/private-directory.ts'
import { asLine, readStored, required, type Stored, writeDurably } from './state-file.ts'

const keyShape = /^[0-9a-f]{64}$/

/** Mark that identifies a key without disclosing it: eight digits of its SHA-256. */
export function keyMark(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}

/** Path of the key of a directory's list if no other is named: beside the directory, not in it. */
export function defaultKeyFile(directory: string): string {
  return `${resolve(directory)}.removal-key`
}

/** A file as the list names it: relative to the directory, so that both can be moved together, if it is beside it. */
export function namedFrom(directory: string, file: string): string {
  const isNear = dirname(resolve(file)) === dirname(resolve(directory))
  return isNear ? relative(resolve(directory), resolve(file)) : resolve(file)
}

export function readKeyFile(file: string): Stored<string> {
  return readStored(file, { ...asLine(keyShape), fault: 'is no key of a list of removals' })
}

/** Durable, mode 600. @throws Refusal `store-refused` for another key there, or a failed write. */
export function writeKeyFile(file: string, key: string): void {
  const there = required(readKeyFile(file))
  if (there === key) return
  if (there !== undefined) {
    throw new Refusal('store-refused', `${file}: holds the key of another list of removals`)
  }
  try {
    writeDurably(dirname(file), basename(file), `${key}\n`, privateFileMode)
  } catch (error) {
    const hint = 'name a place for the key of removals with --removal-key'
    throw new Refusal('store-refused', `${(error as Error).message}; ${hint}`)
  }
}
