/**
 * The rows of a CSV file, in pieces. Cells are separated by commas, semicolons, tabs or bars, whichever the header has
 * most of; a cell in quotes may hold them and line ends, of any kind. Lines that are written before a header are skipped:
 * blank ones, `sep=;`, and notes that begin with `#`.
 *
 * Invariant: a row that is damaged takes no other along. A quote that is never closed swallows what follows it; so rows
 * that go over several lines are compared with what their lines are by themselves.
 */
import { limits } from '../../limits.ts'
import { CsvTexts, undecodedMark } from './csv-texts.ts'
import type { TableRow, TableRows } from './table-rows.ts'

const delimiters = [',', ';', '\t', '|'] as const
const rowsAtOnce = 1_000

/** How a CSV file is written. */
export interface CsvForm {
  /** Name of the table in a map: `authorities`. */
  readonly table: string
  /** As `TextDecoder` names it; empty for UTF-8. */
  readonly encoding: string
  /** Whether its name says that tabs part the cells. */
  readonly isTabbed: boolean
}

/**
 * Reads a CSV file.
 * @param place its name in messages.
 * @throws Refusal `source-unreadable` for a text of another encoding.
 */
export async function* csvRows(
  place: string,
  chunks: AsyncIterable<Buffer>,
  { table, encoding, isTabbed }: CsvForm,
): TableRows {
  const texts = new CsvTexts(encoding)
  const { delimiter, all } = await beginning(texts.of(chunks), isTabbed)
  const rows = new RowSplitter(delimiter, texts.reason)
  for await (const text of all) {
    rows.push(text)
    if (rows.found.length >= rowsAtOnce) yield rows.take()
  }
  rows.end()
  texts.refuseOther(place, table, rows.count, rows.oddRows)
  yield rows.take()
}

/** A line before the header. */
const preface = /^(?:sep=(.)[^\r\n]*|[,;\t|\s]*|#[^,;\t|\r\n]*)(?:\r\n|\n|\r(?!$))/i

/** The delimiter, and all the texts from the header on. */
async function beginning(texts: AsyncGenerator<string, void, undefined>, isTabbed: boolean) {
  let begun = ''
  let said: string | undefined
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    begun += next.value
    for (let line = preface.exec(begun); line !== null; line = preface.exec(begun)) {
      said = line[1] ?? said
      begun = begun.slice(line[0].length)
    }
    if (/[\r\n]/.test(begun) || begun.length > limits.lineBytesMax) break
  }
  const header = begun.split(/[\r\n]/, 1)[0]!
  async function* all(): AsyncGenerator<string, void, undefined> {
    yield begun
    yield* texts
  }
  return { delimiter: said ?? delimiterOf(header, isTabbed), all: all() }
}

/** The delimiter that occurs most often in the header, outside of quotes. */
function delimiterOf(header: string, isTabbed: boolean): string {
  const plain = header.replaceAll(/"[^"]*"/g, '')
  if (isTabbed && plain.includes('\t')) return '\t'
  const counts = delimiters.map((delimiter) => plain.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

const lineEnds = /\r\n|\n|\r/g

/** The end of a line: where its text ends, and where the next line begins. */
interface LineEnd {
  readonly at: number
  readonly next: number
}

/** Cuts a text into rows, as it comes. */
class RowSplitter {
  /** Rows that were found and not taken. */
  found: TableRow[] = []
  /** Rows so far, the header among them, and those that hold the mark of what is not decoded. */
  count = 0
  oddRows = 0
  readonly #delimiter: string
  readonly #oddReason: string
  #text = ''
  #columns: number | undefined
  #isEnding = false
  /** Whether the rest of a line that is too long is to be passed over. */
  #isSkipping = false

  constructor(delimiter: string, oddReason: string) {
    this.#delimiter = delimiter
    this.#oddReason = oddReason
  }

  take(): readonly TableRow[] {
    const { found } = this
    this.found = []
    return found
  }

  push(text: string): void {
    this.#text = this.#text === '' ? text : this.#text + text
    let at = 0
    for (let next = this.#rowAt(at); next !== undefined; next = this.#rowAt(at)) at = next
    this.#text = this.#text.slice(at)
  }

  end(): void {
    this.#isEnding = true
    this.push('')
  }

  /** Takes the row that begins at an offset; returns where the next one begins, undefined where the text ends before. */
  #rowAt(at: number): number | undefined {
    if (at >= this.#text.length) return undefined
    const line = this.#lineEndFrom(at)
    if (this.#isSkipping || (line?.at ?? this.#text.length) - at > limits.lineBytesMax) {
      return this.#skipped(at, line)
    }
    if (line === undefined) return undefined
    const text = this.#text.slice(at, line.at)
    if (!text.includes('"')) {
      this.#add(text.split(this.#delimiter))
      return line.next
    }
    return this.#quotedRowAt(at, line)
  }

  #lineEndFrom(at: number): LineEnd | undefined {
    lineEnds.lastIndex = at
    const found = lineEnds.exec(this.#text)
    const { length } = this.#text
    // Behind a carriage return, a line feed may come with the next piece.
    if (found !== null && (this.#isEnding || found[0] !== '\r' || found.index < length - 1)) {
      return { at: found.index, next: lineEnds.lastIndex }
    }
    return this.#isEnding ? { at: length, next: length } : undefined
  }

  /** Passes over a line that is too long, once with a complaint. */
  #skipped(at: number, line: LineEnd | undefined): number | undefined {
    if (!this.#isSkipping)
      this.#reject('is too long', this.#text.slice(at, at + limits.bioCharactersMax))
    this.#isSkipping = line === undefined
    return line?.next ?? this.#text.length
  }

  #quotedRowAt(at: number, line: LineEnd): number | undefined {
    const read = this.#read(at, 'doubled')
    if (this.#mayGoOn(read) && this.#text.length - at <= limits.lineBytesMax) return undefined
    const isRow = read instanceof QuotedRow
    if (isRow && !read.hasLoneQuote && this.#isRight(read, line)) return this.#taken(read)
    const other = this.#otherwiseWritten(at, line)
    if (other !== undefined) return this.#taken(other)
    if (isRow && this.#isRight(read, line)) return this.#taken(read)
    const swallowed = isRow ? this.#linesIn(line.next, read.end) : []
    if (isRow && !swallowed.some((each) => this.#looksLikeRow(each, read))) return this.#taken(read)
    const text = this.#text.slice(at, line.at)
    if (this.#columns === undefined) this.#add(text.replaceAll('"', '').split(this.#delimiter))
    else this.#reject('has a quote that is never closed', text)
    return line.next
  }

  /** The row that a line is if its quotes are written in another way than by doubling them. */
  #otherwiseWritten(at: number, line: LineEnd): QuotedRow | undefined {
    const escaped = this.#read(at, 'escaped')
    const isEscaped = (row: QuotedRow) => this.#text.slice(at, row.end).includes('\\"')
    if (
      escaped instanceof QuotedRow &&
      this.#fits(escaped) &&
      !escaped.hasLoneQuote &&
      isEscaped(escaped)
    ) {
      return escaped
    }
    const bare = this.#read(at, 'bare')
    if (bare instanceof QuotedRow && this.#fits(bare) && bare.end <= line.next) return bare
    const cells = literalCells(this.#text.slice(at, line.at), this.#delimiter)
    return cells !== undefined && this.#fits({ cells })
      ? new QuotedRow(cells, line.next)
      : undefined
  }

  /** Whether more text may make another row of it. */
  #mayGoOn(read: ReturnType<typeof readQuoted>): boolean {
    if (this.#isEnding || read === 'swallowing') return false
    const { length } = this.#text
    return (
      read === 'unended' || read.end > length || (read.end === length && this.#text.endsWith('\r'))
    )
  }

  #read(at: number, quotes: QuotesInside) {
    return readQuoted(this.#text, at, this.#delimiter, quotes)
  }

  #fits({ cells }: Pick<QuotedRow, 'cells'>): boolean {
    return this.#columns === undefined || cells.length === this.#columns
  }

  /** Whether a row is surely one: on one line, or on lines of which those between could not be rows. */
  #isRight(row: QuotedRow, line: LineEnd): boolean {
    if (!this.#fits(row)) return false
    if (row.end <= line.next) return true
    if (row.hasLoneQuote) return false
    // The last line may be damaged itself.
    const between = this.#linesIn(line.next, row.end).slice(0, -1)
    const couldBeRow = (each: string) => this.#looksLikeRow(each, row)
    const isNumbered = isNumber(row.cells[0])
    return isNumbered
      ? !between.some(couldBeRow)
      : between.length === 0 || !between.every(couldBeRow)
  }

  #linesIn(from: number, to: number): string[] {
    return this.#text
      .slice(from, to)
      .replace(/(?:\r\n|\n|\r)$/, '')
      .split(lineEnds)
  }

  /** Whether a line has as many cells as the header, the first of the same kind. */
  #looksLikeRow(line: string, { cells: [first = ''] }: QuotedRow): boolean {
    if (this.#columns === undefined || this.#columns < 2) return false
    const cells = line.includes('"')
      ? readQuoted(line, 0, this.#delimiter, 'doubled')
      : { cells: line.split(this.#delimiter) }
    if (typeof cells === 'string' || !this.#fits(cells)) return false
    return isNumber(cells.cells[0]) === isNumber(first)
  }

  #taken({ cells, end }: QuotedRow): number {
    this.#add(cells)
    return end
  }

  #add(cells: readonly string[]): void {
    this.#columns ??= cells.length
    this.count += 1
    if (!cells.some((cell) => cell.includes(undecodedMark))) this.found.push(cells)
    else {
      this.oddRows += 1
      const text = cells.join(this.#delimiter).replaceAll(undecodedMark, '')
      this.found.push({ reason: this.#oddReason, text })
    }
  }

  #reject(reason: string, text: string): void {
    this.count += 1
    this.found.push({ reason, text: text.replaceAll(undecodedMark, '') })
  }
}

function isNumber(cell = ''): boolean {
  return /^\s*\d+\s*$/.test(cell)
}

/** A row of which a cell is in quotes. */
class QuotedRow {
  readonly cells: string[]
  /** Where the next row begins. */
  end: number
  /** Whether a quote inside a cell is not written as one. */
  hasLoneQuote = false

  constructor(cells: string[] = [], end = 0) {
    this.cells = cells
    this.end = end
  }
}

/** How a quote inside a quoted cell is written: twice, behind a backslash, or as it is. */
type QuotesInside = 'doubled' | 'escaped' | 'bare'

/**
 * Reads a row with quotes. A quote closes a cell only before a delimiter or a line end; another one is a part of the cell.
 * @returns `unended` where the text ends within quotes; `swallowing` where a later line opens a cell within them.
 */
function readQuoted(
  text: string,
  start: number,
  delimiter: string,
  quotes: QuotesInside,
): QuotedRow | 'unended' | 'swallowing' {
  const row = new QuotedRow()
  const isEnd = (at: number) =>
    at >= text.length || text[at] === delimiter || text[at] === '\n' || text[at] === '\r'
  const isEscaping = quotes === 'escaped'
  for (let at = start; ; at += 1) {
    let open = at
    while (text[open] === ' ') open += 1
    if (text[open] !== '"') {
      const from = at
      while (!isEnd(at)) at += 1
      row.cells.push(text.slice(from, at))
    } else {
      let value = ''
      let hasLineEnd = false
      for (let from = open + 1; ; ) {
        const quote = text.indexOf('"', from)
        if (quote < 0 || quote - start > limits.lineBytesMax) return 'unended'
        const part = text.slice(from, quote)
        hasLineEnd ||= /[\r\n]/.test(part)
        from = quote + 1
        if (isEscaping && /(?:^|[^\\])(?:\\\\)*\\$/.test(part)) {
          value += `${part.slice(0, -1)}"`
          continue
        }
        const isDoubled = text[from] === '"' && !isEscaping
        if (isDoubled && (quotes === 'doubled' || !isEnd(from + 1))) {
          value += `${part}"`
          from += 1
          continue
        }
        value += part
        if (isDoubled) {
          value += '"'
          from += 1
        }
        let behind = from
        while (text[behind] === ' ') behind += 1
        if (isEnd(behind)) {
          at = behind
          break
        }
        const before = text[quote - 1]
        if (hasLineEnd && (before === delimiter || before === '\n' || before === '\r'))
          return 'swallowing'
        row.hasLoneQuote = true
        value += '"'
      }
      row.cells.push(isEscaping ? value.replaceAll('\\\\', '\\') : value)
    }
    if (text[at] === delimiter) continue
    row.end = at + (text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1)
    return row
  }
}

/** The cells of a line whose quotes are parts of them; undefined where a cell opens one and does not close it. */
function literalCells(line: string, delimiter: string): string[] | undefined {
  const cells = line.split(delimiter)
  const isWhole = (cell: string) =>
    !cell.trimStart().startsWith('"') || cell.split('"').length % 2 === 1
  return cells.every(isWhole) ? cells : undefined
}
