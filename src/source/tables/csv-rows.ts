/**
 * The rows of a CSV file, in pieces. Cells are separated by commas, semicolons, tabs or bars, whichever the header
 * has most of; a cell in quotes may hold them and line ends. The text is UTF-8. Lines that spreadsheets write before
 * the header, blank lines and `sep=;`, are skipped.
 */
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { limits } from '../../limits.ts'
import { Refusal } from '../../problems.ts'
import type { TableRows } from './table-rows.ts'

const delimiters = [',', ';', '\t', '|'] as const
const rowsAtOnce = 1_000

/**
 * Reads a CSV file.
 * @param place its name in messages.
 * @throws Refusal `source-unreadable` for a text that is not UTF-8, quotes that are wrong, no header.
 */
export async function* csvRows(place: string, chunks: AsyncIterable<Buffer>): TableRows {
  const { header, all } = await beginning(textsIn(place, chunks))
  const parser = parse({
    delimiter: delimiterOf(header),
    // A row of another length is rejected by itself.
    relax_column_count: true,
    max_record_size: limits.lineBytesMax,
  })
  // An error of either reaches the loop through the last one; the callback only says so.
  const records = pipeline(Readable.from(all), parser, () => {})
  let rows: string[][] = []
  try {
    for await (const record of records) {
      rows.push(record)
      if (rows.length < rowsAtOnce) continue
      yield rows
      rows = []
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('source-unreadable', `${place} cannot be read: ${messageOf(error)}`)
  }
  yield rows
}

/** Decoded, however the bytes are cut; without the byte order mark. */
async function* textsIn(
  place: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (bytes?: Buffer) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch {
      throw new Refusal('source-unreadable', `${place} is not UTF-8: save it as UTF-8`)
    }
  }
  for await (const chunk of chunks) yield decoded(chunk)
  yield decoded()
}

/** Lines before a header: `sep=`, and lines of separators only. */
const preface = /^(?:sep=[^\n]*\n|[,;\t|\s]*\n)*/i

/** The first line that is not blank, and all the texts from there on. */
async function beginning(texts: AsyncGenerator<string, void, undefined>) {
  let begun = ''
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    begun = (begun + next.value).replace(preface, '')
    if (begun.includes('\n') || begun.length > limits.lineBytesMax) break
  }
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield begun
    yield* texts
  }
  return { header: begun.split('\n', 1)[0]!, all: all() }
}

/** The delimiter that occurs most often in the header, outside of quotes. */
function delimiterOf(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '')
  const counts = delimiters.map((delimiter) => plain.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

/** Message of an error of the library; it begins with the fault. */
function messageOf(error: unknown): string {
  return (error as Error).message.replace(/^Invalid /, 'invalid ')
}
