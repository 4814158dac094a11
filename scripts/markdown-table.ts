/**
 * Tables in a document that come from the code. They stand between marks, `<!-- table: NAME -->` and
 * `<!-- /table -->`. The code says what its columns hold; the columns behind them are words that are
 * written in the document, and stay with their row whatever else changes.
 */

/** A table as the code knows it: fewer cells in a row than columns leave the rest to the document. */
export interface MadeTable {
  readonly columns: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly string[])[]
}

/** Tables by the names in their marks. */
export type MadeTables = Readonly<Record<string, MadeTable>>

const places = /(<!-- table: ([a-z-]+) -->\n)([\s\S]*?)(<!-- \/table -->)/g
const ruleLengthMin = 3

/** The names of the tables that a document has a place for. */
export function tableNames(document: string): string[] {
  return [...document.matchAll(places)].map(([, , name = '']) => name)
}

/**
 * The document with its tables as the code has them.
 * @throws Error for a name that no table has.
 */
export function withTables(document: string, tables: MadeTables): string {
  return document.replace(places, (_, opening, name, written, closing) => {
    const table = tables[name]
    if (table === undefined) throw new Error(`there is no table '${name}'`)
    return `${opening}\n${tableLines(table, rowsOf(written)).join('\n')}\n\n${closing}`
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

/** A table whose columns are as wide as their widest cells. */
function tableLines({ columns, rows }: MadeTable, written: readonly string[][]): string[] {
  const words = new Map(written.map((cells) => [cells[0], cells]))
  const known = rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))
  const whole = known.map((row) =>
    columns.map((_, column) => row[column] ?? words.get(row[0])?.[column] ?? ''),
  )
  const widths = columns.map((title, column) =>
    Math.max(ruleLengthMin, title.length, ...whole.map((row) => row[column]!.length)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  return [columns, rule, ...whole].map((row) => {
    const cells = row.map((cell, column) => cell.padEnd(widths[column]!))
    return `| ${cells.join(' | ')} |`
  })
}
