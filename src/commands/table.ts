/**
 * Tables for people: columns are padded to their widest cell, numbers are aligned to the right. Programs
 * use `--json` instead.
 */
import type { Terminal } from './command.ts'

/** Prints a table. */
export function printTable(
  terminal: Pick<Terminal, 'print'>,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  for (const line of tableLines(header, rows)) terminal.print(line)
}

/** The lines of a table, the header first; a column of numbers is aligned to the right. */
export function tableLines(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const isNumeric = header.map((_, column) => rows.every((row) => /^-?[\d.]+$/.test(row[column]!)))
  const pad = (cell: string, column: number): string =>
    isNumeric[column]! ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)
  return [header, ...rows].map((row) => row.map(pad).join('  ').trimEnd())
}
