/**
 * Tables in a document that come from the code. They stand below a mark, `<!-- table: NAME -->`. The code says what its
 * columns hold; the columns behind them are words that are written in the document, and stay with their row whatever else
 * changes.
 */

/** A table as the code knows it: fewer cells in a row than columns leave the rest to the document. */
export interface MadeTable {
  /** Of a measured table, whose numbers stand at the right: a paragraph above it. */
  readonly above?: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Tables by the names in their marks. */
export type MadeTables = Readonly<Record<string, MadeTable>>

/** Figures in sentences by the names in their marks, `<!-- figure: NAME -->…<!-- /figure -->`. */
export type Figures = Readonly<Record<string, string>>

const places = /(<!-- table: ([a-z-]+) -->\n)((?:[^|\n].*\n\n)?(?:\|.*\n)*)/g
const figurePlaces = /(<!-- figure: ([a-z-]+) -->).*?(<!-- \/figure -->)/g
const ruleLengthMin = 3

export function tableNames(document: string): string[] {
  return [...document.matchAll(places)].map(([, , name = '']) => name)
}

/** @throws Error for a name that no table has. */
export function withTables(document: string, tables: MadeTables): string {
  return document.replace(places, (_, opening, name, written) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`there is no table '${name}'`)
    const above = table.above ? [table.above, ''] : []
    return `${opening}${[...above, ...tableLines(table, rowsOf(written))].join('\n')}\n`
  })
}

/** @throws Error for a name that no figure has. */
export function withFigures(document: string, figures: Figures): string {
  return document.replace(figurePlaces, (_, opening, name, closing) => {
    if (!(name in figures)) throw new Error(`there is no figure '${name}'`)
    return `${opening}${figures[name]}${closing}`
  })
}

/** The rows of a document's tables that wait for words: `limits: \`resultsMax\``. */
export function rowsWithoutWords(document: string, tables: MadeTables): string[] {
  return [...document.matchAll(places)].flatMap(([, , name = '', written = '']) => {
    const known = new Map(tables[name]?.rows.map((row) => [row[0], row.length]))
    return rowsOf(written)
      .filter(([first = '', ...rest]) => rest.slice((known.get(first) ?? 1) - 1).includes(''))
      .map(([first]) => `${name}: ${first}`)
  })
}

/** The cells of every row of the tables in a text, header rows included. */
export function rowsOf(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}

function tableLines({ above, columns, rows }: MadeTable, written: readonly string[][]): string[] {
  const words = new Map(written.map((cells) => [cells[0], cells]))
  const known = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const whole = known.map((row) =>
    columns.map((_, column) => row[column] ?? words.get(row[0])?.[column] ?? ''),
  )
  const widths = columns.map((title, column) =>
    Math.max(ruleLengthMin, title.length, ...whole.map((row) => row[column]!.length)),
  )
  const areNumbers = columns.map((_, column) => {
    return above !== undefined && whole.every((row) => /^[-\d.,%]+$/.test(row[column]!))
  })
  const rule = widths.map((width, column) => {
    return areNumbers[column] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)
  })
  return [columns, rule, ...whole].map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column]!
      return areNumbers[column] ? cell.padStart(width) : cell.padEnd(width)
    })
    return `| ${cells.join(' | ')} |`
  })
}
