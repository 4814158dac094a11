/** The kind of a file by its first bytes, where it is clearly no lines of JSON: reported before the file is read. */
import type { FileForm } from '../source-files.ts'

const byteOrderMarks: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0xff, 0xfe], 'UTF-16'],
  [[0xfe, 0xff], 'UTF-16'],
  [[0x1f, 0x8b], 'gzip'],
  [[0x50, 0x4b, 0x03, 0x04], 'zip'],
]
const hints: Readonly<Record<string, string>> = {
  'UTF-16': 'write it in UTF-8',
  gzip: 'let its name end in .gz',
  zip: 'unpack it',
  array: 'write each of its objects on a line of its own, without brackets and commas',
}

/** Describes an unexpected form of a file, and the remedy, to follow the file's name; undefined for the right form. */
export function oddityOf(bytes: Uint8Array, form: FileForm = 'ndjson'): string | undefined {
  const what =
    byteOrderMarks.find(([mark]) => mark.every((byte, index) => bytes[index] === byte))?.[1] ??
    (isPaddedText(bytes) ? 'UTF-16' : undefined) ??
    (form === 'ndjson' && isArray(bytes) ? 'array' : undefined)
  if (what === undefined) return undefined
  const wanted = form === 'ndjson' ? 'lines of JSON' : 'CSV'
  return `looks like ${what === 'array' ? 'one JSON array' : what}, not like ${wanted}: ${hints[what]}`
}

/** A brace and a NUL, in whatever order: a text of two bytes a character without its mark. */
function isPaddedText([first, second]: Uint8Array): boolean {
  return (first === 0x7b && second === 0) || (first === 0 && second === 0x7b)
}

/** An opening bracket and then an object or the end of the line. */
function isArray(bytes: Uint8Array): boolean {
  return /^\ufeff?\s*\[\s*(?:\{|[\r\n])/.test(Buffer.from(bytes.subarray(0, 256)).toString())
}
