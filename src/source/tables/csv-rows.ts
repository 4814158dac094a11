/**
 * The rows of a CSV file, in pieces. The delimiter is that which the header has most of. Blank
 * lines, `sep=;` and notes that begin with `#` before a header are skipped.
 *
 * Invariant: a row that is damaged takes no other along. A quote that is never closed swallows what
 * follows it; so rows over several lines are compared with what their lines are by themselves.
 */
import { limits } from '../../limits.ts'
import { csvTexts, undecodedMark, undecodedReason } from './csv-texts.ts'
import type { TableRow, TableRows } from './table-rows.ts'

const delimiters = [',', ';', '\t', '|'] as const

interface CsvForm {
  /** As `TextDecoder` names it; empty for UTF-8. */
  readonly encoding: string
  readonly isTabbed: boolean
}

export async function* csvRows(
  chunks: AsyncIterable<Buffer>,
  { encoding, isTabbed }: CsvForm,
): TableRows {
  const { delimiter, all } = await beginning(csvTexts(chunks, encoding), isTabbed)
  const rows = new RowSplitter(delimiter, undecodedReason(encoding))
  for await (const text of all) yield rows.push(text)
  yield rows.end()
}

const preface = /^(?:sep=(.)[^\r\n]*|[,;\t|\s]*|#[^,;\t|\r\n]*)(?:\r\n|\n|\r(?!$))/i

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

/** The most frequent in the header, outside of quotes. */
function delimiterOf(header: string, isTabbed: boolean): string {
  const plain = header.replaceAll(/"[^"]*"/g, '')
  if (isTabbed && plain.includes('\t')) return '\t'
  const counts = delimiters.map((delimiter) => plain.split(delimiter).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

const lineEnds = /\r\n|\n|\r/g

/** Where the text of a line ends, and where the next line begins. */
interface LineEnd {
  readonly at: number
  readonly next: number
}

class RowSplitter {
  readonly #delimiter: string
  readonly #readQuoted: ReadQuoted
  readonly #oddReason: string
  #found: TableRow[] = []
  #text = ''
  #columns: number | undefined
  #isEnding = false
  #isSkipping = false

  constructor(delimiter: string, oddReason: string) {
    this.#delimiter = delimiter
    this.#readQuoted = quotedReader(delimiter)
    this.#oddReason = oddReason
  }

  /** @returns the rows that are whole with this text. */
  push(text: string): readonly TableRow[] {
    this.#found = []
    this.#text = this.#text === '' ? text : this.#text + text
    let at = 0
    for (let next = this.#rowAt(at); next !== undefined; next = this.#rowAt(at)) at = next
    this.#text = this.#text.slice(at)
    return this.#found
  }

  end(): readonly TableRow[] {
    this.#isEnding = true
    return this.push('')
  }

  /** Returns where the next row begins; undefined where the text ends before. */
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

  #skipped(at: number, line: LineEnd | undefined): number | undefined {
    if (!this.#isSkipping)
      this.#reject('is too long', this.#text.slice(at, at + limits.bioCharactersMax))
    this.#isSkipping = line === undefined
    return line?.next ?? this.#text.length
  }

  #quotedRowAt(at: number, line: LineEnd): number | undefined {
    const doubled = this.#readQuoted('doubled', this.#text, at)
    const isOnLine = doubled !== undefined && doubled.end <= line.next
    if (isOnLine && this.#fits(doubled.cells)) return this.#taken(doubled)
    // Every other row is judged with all the text that it may take.
    if (!this.#isEnding && this.#text.length - at <= limits.lineBytesMax) return undefined
    if (doubled !== undefined && this.#isRight(doubled, line)) return this.#taken(doubled)
    const text = this.#text.slice(at, line.at)
    const escaped = text.includes('\\"') ? this.#readQuoted('escaped', this.#text, at) : undefined
    if (escaped !== undefined && this.#fits(escaped.cells)) return this.#taken(escaped)
    const cells = this.#cellsOfLine(text)
    if (cells !== undefined) return this.#taken({ cells, end: line.next })
    const lone = this.#readQuoted('lone', this.#text, at)
    if (lone !== undefined) {
      const swallowed = this.#linesIn(line.next, lone.end)
      if (!swallowed.some((each) => this.#looksLikeRow(each, lone))) return this.#taken(lone)
    }
    if (this.#columns === undefined) this.#add(text.replaceAll('"', '').split(this.#delimiter))
    else this.#reject('has a quote that is never closed', text)
    return line.next
  }

  /** The cells of a line whose quotes are parts of them; undefined where one is opened and never closed. */
  #cellsOfLine(line: string): readonly string[] | undefined {
    const bare = this.#readQuoted('bare', line, 0)?.cells
    const read = [bare, literalCells(line, this.#delimiter)]
    return read.find((cells) => cells !== undefined && this.#fits(cells))
  }

  #fits(cells: readonly string[]): boolean {
    return this.#columns === undefined || cells.length === this.#columns
  }

  /** On one line, or on lines of which those between could not be rows. */
  #isRight(row: QuotedRow, line: LineEnd): boolean {
    // The last line may be damaged itself.
    const between = this.#linesIn(line.next, row.end).slice(0, -1)
    const likeRows = between.filter((each) => this.#looksLikeRow(each, row)).length
    const mayBeText = !isNumber(row.cells[0]) && likeRows < between.length
    return this.#fits(row.cells) && (likeRows === 0 || mayBeText)
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
      ? this.#readQuoted('lone', line, 0)?.cells
      : line.split(this.#delimiter)
    return cells !== undefined && this.#fits(cells) && isNumber(cells[0]) === isNumber(first)
  }

  #taken({ cells, end }: QuotedRow): number {
    this.#add(cells)
    return end
  }

  #add(cells: readonly string[]): void {
    this.#columns ??= cells.length
    if (cells.some((cell) => cell.includes(undecodedMark))) {
      this.#reject(this.#oddReason, cells.join(this.#delimiter))
      return
    }
    this.#found.push(cells)
  }

  #reject(reason: string, text: string): void {
    this.#found.push({ reason, text: text.replaceAll(undecodedMark, '') })
  }
}

function isNumber(cell = ''): boolean {
  return /^\s*\d+\s*$/.test(cell)
}

interface QuotedRow {
  readonly cells: readonly string[]
  readonly end: number
}

/** Inside a cell: twice, behind a backslash, twice or once, or in any way on one line. */
type QuotesInside = 'doubled' | 'escaped' | 'lone' | 'bare'

/** Undefined where the text ends within quotes, or a quote stands where none may. */
type ReadQuoted = (quotes: QuotesInside, text: string, start: number) => QuotedRow | undefined

/** A quote closes a cell only before a delimiter or a line end. */
function quotedReader(delimiter: string): ReadQuoted {
  const sign = delimiter === '\t' ? '\\t' : `\\u{${delimiter.codePointAt(0)!.toString(16)}}`
  const end = ` *(?:${sign}|[\\r\\n]|$)`
  const cell = (stops: string, inside: string) =>
    new RegExp(` *"([^${stops}]*(?:${inside}[^${stops}]*)*)(?:(" *)(?=${end})|$)`, 'uys')
  const plainCell = new RegExp(`[^${sign}\\r\\n]*`, 'uy')
  const quotedCells: Readonly<Record<QuotesInside, RegExp>> = {
    doubled: cell('"', '""'),
    escaped: cell('"\\\\', '\\\\.'),
    // Behind a delimiter or a line end, one opens a cell of a row that is swallowed.
    lone: cell('"', `"(?:"|(?<![${sign}\\r\\n]")(?!"|${end}))`),
    bare: cell('"', `"(?!${end})`),
  }
  return (quotes, text, start) => {
    const cells: string[] = []
    const shape = quotedCells[quotes]
    let at = start
    do {
      if (cells.length > 0) at += 1
      shape.lastIndex = at
      const [whole, inner = '', closing] = shape.exec(text) ?? []
      if (whole === undefined) {
        plainCell.lastIndex = at
        const [plain = ''] = plainCell.exec(text) ?? []
        if (/^ *"/.test(plain)) return undefined
        at += plain.length
        cells.push(plain)
      } else {
        at += whole.length
        if (closing === undefined || at - start > limits.lineBytesMax) return undefined
        const isEscaped = quotes === 'escaped'
        cells.push(isEscaped ? inner.replaceAll(/\\(["\\])/g, '$1') : inner.replaceAll('""', '"'))
      }
    } while (text[at] === delimiter)
    return { cells, end: at + (text.startsWith('\r\n', at) ? 2 : 1) }
  }
}

function literalCells(line: string, delimiter: string): string[] | undefined {
  const cells = line.split(delimiter)
  const isWhole = (cell: string) =>
    !cell.trimStart().startsWith('"') || cell.split('"').length % 2 === 1
  return cells.every(isWhole) ? cells : undefined
}
