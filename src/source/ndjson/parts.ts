/**
 * A folder of parts, which follow each other by their names and are read as one file. Names that
 * begin with `_` or `.` are notes of the programs that write them.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import type { OnProgress } from '../source.ts'
import { type FileForm, fileForms } from '../source-files.ts'
import type { TableRows } from '../tables/table-rows.ts'

/** @throws Refusal `source-unreadable` where there is none, or where a file has another form. */
export async function partPaths(directory: string, form: FileForm): Promise<readonly string[]> {
  const names = (await readdir(directory)).filter((name) => !/^[._]/.test(name)).sort()
  const usual = fileForms[form].filter((ending) => directory.endsWith(ending))
  const right = fileForms[form].filter((ending) => usual.some((start) => ending.startsWith(start)))
  const endings = right.join(' or ')
  const other = names.find((name) => !right.some((ending) => name.endsWith(ending)))
  if (names.length > 0 && other === undefined) return names.map((name) => join(directory, name))
  const reason =
    other === undefined
      ? `${directory} cannot be read: it is a directory, without parts (${endings})`
      : `${join(directory, other)} is no part of ${directory}: its name does not end in ${endings}`
  throw new Refusal('source-unreadable', reason)
}

interface Part {
  readonly path: string
  readonly sizeBytes: number
}

function* inTurn<P extends Part>(parts: readonly P[], onProgress: OnProgress | undefined) {
  const all = parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) || 1
  let before = 0
  for (const part of parts) {
    const start = before
    const within = (share: number) => onProgress?.((start + share * part.sizeBytes) / all)
    yield { part, onProgress: onProgress && within }
    before += part.sizeBytes
  }
}

const newline = 0x0a

/** A part that does not end in a line end gets one. */
export async function* chunksOfParts<P extends Part>(
  parts: readonly P[],
  chunksOf: (part: P, onProgress: OnProgress | undefined) => AsyncIterable<Buffer>,
  onProgress: OnProgress | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  for (const { part, onProgress: onPart } of inTurn(parts, onProgress)) {
    let last: number | undefined = newline
    for await (const chunk of chunksOf(part, onPart)) {
      last = chunk.at(-1)
      yield chunk
    }
    if (last !== newline) yield Buffer.from('\n')
  }
}

/** @throws Refusal `source-unreadable` for a part with other columns than the first. */
export async function* rowsOfParts<P extends Part>(
  parts: readonly P[],
  rowsOf: (part: P, onProgress: OnProgress | undefined) => TableRows,
  onProgress: OnProgress | undefined,
): TableRows {
  let header: string | undefined
  for (const { part, onProgress: onPart } of inTurn(parts, onProgress)) {
    let isBegun = false
    for await (const rows of rowsOf(part, onPart)) {
      if (isBegun || rows.length === 0) {
        yield rows
        continue
      }
      const [first, ...others] = rows
      isBegun = true
      const columns = JSON.stringify(first)
      header ??= columns
      if (header !== columns) {
        const reason = `${part.path} has other columns than the first part: ${columns}, not ${header}`
        throw new Refusal('source-unreadable', reason)
      }
      yield part === parts[0] ? rows : others
    }
  }
}
