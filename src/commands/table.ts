/** Tables for people: columns are padded to their widest cell, numbers are aligned to the right. */

function tableLines(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  )
  const isNumeric = header.map((_, column) => rows.every((row) => /^-?[\d.]+$/.test(row[column]!)))
  const pad = (cell: string, column: number): string =>
    isNumeric[column]! ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!)
  return [header, ...rows].map((row) => row.map(pad).join('  ').trimEnd())
}

type Facts = Readonly<Record<string, unknown>>

/** The lines of an answer of administration: one for each member, and a table for each list. */
export function answerLines(answer: Facts): string[] {
  const members = Object.entries(answer).filter(([, value]) => value !== null)
  const facts = members.filter(([, value]) => !isList(value))
  const width = Math.max(0, ...facts.map(([name]) => name.length))
  const lists = members.flatMap(([name, value]) =>
    isList(value) ? [...(members.length > 1 ? ['', name] : []), ...listLines(value)] : [],
  )
  return [...facts.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`), ...lists]
}

function isList(value: unknown): value is readonly Facts[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'object')
}

/** @param columns else those that the list has. */
export function listLines(
  list: readonly Facts[],
  columns: readonly string[] = [...new Set(list.flatMap(Object.keys))],
): string[] {
  if (columns.length === 0) return ['none']
  const header = columns.map((name) => name.toUpperCase().replaceAll('_', ' '))
  return tableLines(
    header,
    list.map((each) => columns.map((name) => cellOf(each[name]))),
  )
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
