/**
 * The small files of a directory of snapshots. Each is whole or absent after any crash: it is written under a temporary
 * name, made durable, and renamed. That a file is missing or damaged is a value, and its reader decides what follows.
 */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import { isStorageError, syncFile } from '../../process/sync-file.ts'
import { type Reader, readJson } from '../../reading/readers.ts'

export const stateNames = [
  ...(['CURRENT', 'PINNED', 'ANNOUNCED', 'VERIFIED', 'HELD-BACK', 'RELEASED', 'SYNCED'] as const),
  ...(['REMOVED', 'CORRECTIONS', 'WATERMARK', 'MIRRORED', 'WITHOUT'] as const),
]

type StateName = (typeof stateNames)[number]

/** What was read of a file. A damaged one has a Refusal `snapshot-refused`, or the error of the file system. */
export type Stored<T> =
  | { readonly kind: 'found'; readonly value: T; readonly fault?: never }
  | { readonly kind: 'missing'; readonly value?: never; readonly fault?: never }
  | { readonly kind: 'damaged'; readonly value?: never; readonly fault: Error }

interface Form<T> {
  readonly encode: (value: T) => string
  readonly decode: (text: string) => T | undefined
  /** What is wrong with such a text, to follow the path. */
  readonly fault?: string
  /** Mode of the file under any umask; without it, what the umask leaves. */
  readonly mode?: number
}

type Reading<T> = Pick<Form<T>, 'decode' | 'fault'>

interface StateFile<T> {
  readonly name: StateName
  read(directory: string): Stored<T>
  /** @throws what the file system throws; then the file is as it was. */
  write(directory: string, value: T): void
  /** Removes it durably; false when there was none. */
  remove(directory: string): boolean
}

export function stateFile<T>(name: StateName, form: Form<T>): StateFile<T> {
  return {
    name,
    read: (directory) => readStored(join(directory, name), form),
    write: (directory, value) => writeDurably(directory, name, form.encode(value), form.mode),
    remove: (directory) => removeDurably(join(directory, name), directory),
  }
}

export function asJson<T>(reader: Reader<T>, indent?: number): Form<T> {
  return {
    encode: (value) => `${JSON.stringify(value, undefined, indent)}\n`,
    decode: (text) => readJson(reader, text).value,
  }
}

export function asLine(shape = /^.*$/): Form<string> {
  return {
    encode: (line) => `${line}\n`,
    decode: (text) => (shape.test(text.trim()) ? text.trim() : undefined),
  }
}

export const asLines: Form<readonly string[]> = {
  encode: (lines) => [...lines, ''].join('\n'),
  decode: (text) => text.split('\n').filter((line) => line !== ''),
}

export function readStored<T>(path: string, form: Reading<T>): Stored<T> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (!isStorageError(error)) throw error
    return error.code === 'ENOENT' ? { kind: 'missing' } : { kind: 'damaged', fault: error }
  }
  return storedIn(text, path, form)
}

export function storedIn<T>(
  text: string,
  place: string,
  { decode, fault = 'cannot be read' }: Reading<T>,
): Stored<T> {
  const value = decode(text)
  if (value !== undefined) return { kind: 'found', value }
  return { kind: 'damaged', fault: new Refusal('snapshot-refused', `${place}: ${fault}`) }
}

/** The value of a file; undefined where it is missing. @throws the fault of a damaged one. */
export function required<T>({ kind, value, fault }: Stored<T>): T | undefined {
  if (kind === 'damaged') throw fault
  return value
}

export const temporarySuffix = '.tmp'

/** Removes the files that a killed sync left behind, and no others; one sync at a time works in a directory. */
export function removeTemporaries(directory: string, isOurs: (name: string) => boolean): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const isTemporary = entry.isFile() && entry.name.endsWith(temporarySuffix)
    if (isTemporary && isOurs(entry.name.slice(0, -temporarySuffix.length))) {
      rmSync(join(directory, entry.name), { force: true })
    }
  }
}

/**
 * In one step: a failure leaves the file as it was, and nothing beside it. A link that another user put there is replaced,
 * not followed.
 */
export function writeDurably(
  directory: string,
  name: string,
  content: string,
  mode?: number,
): void {
  const temporary = join(directory, `${name}${temporarySuffix}`)
  try {
    writeThrough(temporary, content, mode)
    renameSync(temporary, join(directory, name))
  } catch (error) {
    removeTemporary(temporary)
    throw error
  }
  syncFile(directory)
}

/** Removes a file that could not be written, or was left; ignores its own failure, which matters less than that of writing. */
function removeTemporary(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It is not a file: this program did not write it.
  }
}

function writeThrough(path: string, content: string, mode?: number): void {
  removeTemporary(path)
  const file = openSync(path, 'wx', mode)
  try {
    if (mode !== undefined) fchmodSync(file, mode)
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function removeDurably(path: string, directory: string): boolean {
  if (!existsSync(path)) return false
  rmSync(path)
  syncFile(directory)
  return true
}
