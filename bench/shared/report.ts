/** How a bench reports: tables that read well in a terminal and in Markdown. */

export type Columns<Row> = Readonly<Record<string, (row: Row) => string | number>>

/** The lines of a Markdown table, columns padded; numbers to the right. */
export function table<Row>(rows: readonly Row[], columns: Columns<Row>): string[] {
  const padded = Object.entries(columns).map(([title, cellOf]) => {
    const cells = rows.map((row) => String(cellOf(row)))
    const width = Math.max(title.length, 3, ...cells.map(({ length }) => length))
    const isNumeric = cells.every((cell) => /^[-\d.,%]+$/.test(cell))
    const rule = '-'.repeat(width - 1) + (isNumeric ? ':' : '-')
    const texts = [title, ...cells].map((text) =>
      isNumeric ? text.padStart(width) : text.padEnd(width),
    )
    return texts.toSpliced(1, 0, rule)
  })
  return Array.from({ length: rows.length + 2 }, (_, line) => {
    return `| ${padded.map((texts) => texts[line]).join(' | ')} |`
  })
}
