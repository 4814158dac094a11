/**
 * The kind of a file by its first bytes, reported before a file of clearly another form is read.
 */
import type { FileForm } from '../source-files.ts'

interface Kind {
  readonly mark: RegExp
  readonly what: string
  readonly hint: string
  /** The form of a file that may begin so all the same. */
  readonly right?: FileForm | undefined
}

const asText = 'save it as CSV (UTF-8), or as lines of JSON'

/** Looked for in this order, in the first bytes as Latin-1. */
const kinds: readonly Kind[] = [
  // A mark of UTF-16 says how a table is to be decoded.
  kind(/^\xff\xfe|^\xfe\xff|^\0[{["]|^[{["]\0/, 'UTF-16', 'write it in UTF-8', 'csv'),
  kind(/^\p{Cc}\x8b/u, 'gzip', 'let its name end in .gz'),
  kind(
    /^PK\p{Cc}{2}.{26}(?:\[Content_Types\]|_rels\/|xl\/|docProps\/)/su,
    'a workbook of Excel',
    asText,
  ),
  kind(/^PK\p{Cc}{2}.{26}mimetype.*opendocument/su, 'a document of OpenOffice', asText),
  kind(/^PK\p{Cc}{2}/u, 'zip', 'unpack it'),
  kind(/^\xd0\xcf\p{Cc}\xe0/u, 'an old workbook of Excel', asText),
  kind(/^PAR1/, 'Parquet', 'let its name end in .parquet', 'parquet'),
  kind(/^SQLite format 3\0/, 'a database of SQLite', `export the table: ${asText}`),
  kind(/^%PDF-/, 'PDF', asText),
  kind(/^(?:ARROW1|\xff{4}|FEA1)/, 'Arrow', 'write it as Parquet'),
  kind(/^Obj\p{Cc}/u, 'Avro', 'write it as Parquet'),
  kind(/^ORC/, 'ORC', 'write it as Parquet'),
  kind(
    /^(?:BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|7z\xbc\xaf)/,
    'a compressed file',
    'unpack it, or compress it with gzip',
  ),
  kind(/^(?:\x89PNG|\xff\xd8\xff|GIF8)/, 'a picture', asText),
  kind(/^\{\\rtf/, 'RTF', asText),
  kind(
    /^\s*(?:<!doctype html|<html)/i,
    'a page of HTML',
    'download the file itself: this may be a page that asks for a login',
  ),
  kind(/^\s*<\?xml/i, 'XML', asText),
]
const array = kind(
  /^\s*\[\s*(?:\{|[\r\n])/,
  'one JSON array',
  'write each of its objects on a line of its own, without brackets and commas',
)
/** What a name may end in, by the text in the file. */
const texts: readonly Kind[] = [
  array,
  kind(/^\s*\{/, 'lines of JSON', 'let its name end in .ndjson'),
  kind(/^[^\0]*$/s, 'a text', 'let its name end in .csv or .tsv if it is a table'),
  kind(/^/, 'no file that is known', asText),
]
const wanted = { ndjson: 'lines of JSON', csv: 'CSV', parquet: 'Parquet' } as const

function kind(mark: RegExp, what: string, hint: string, right?: FileForm): Kind {
  return { mark, what, hint, right }
}

export const tellingBytes = 256

/** An unexpected form and the remedy, to follow the file's name; undefined for the right form. */
export function oddityOf(bytes: Uint8Array, form: FileForm | undefined): string | undefined {
  const start = Buffer.from(bytes.subarray(0, tellingBytes))
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
  const more = form === undefined ? texts : form === 'ndjson' ? [array] : []
  const found = [...kinds, ...more].find(({ mark }) => mark.test(start))
  if (found === undefined || (form !== undefined && found.right === form)) return undefined
  const other = form === undefined ? '' : `, not like ${wanted[form]}`
  return `looks like ${found.what}${other}: ${found.hint}`
}
