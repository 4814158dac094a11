/** How a bench reports: tables that read well in a terminal and in Markdown. */

/** The lines of a Markdown table, columns padded; numbers to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, 3, ...rows.map((row) => row[column]!.length)),
  )
  const numeric = header.map((_, column) => rows.every((row) => /^[-\d.,%]+$/.test(row[column]!)))
  const line = (cells: readonly string[]) =>
    `| ${cells
      .map((cell, column) =>
        numeric[column] ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join(' | ')} |`
  const rule = widths.map((width, column) => '-'.repeat(width - 1) + (numeric[column] ? ':' : '-'))
  return [line(header), `| ${rule.join(' | ')} |`, ...rows.map(line)]
}
