/** The tokens of statements as SQLite spells them; see `port.ts`. A list or a table is a JSON array. */

const listShape = /\bin list\((\$\d+) as \w+\)/g
const rowsShape = /\brows\((\$\d+) as ([^)]+)\)/g
/** A writer has the whole file, so no row has to be locked. */
const lockShape = /\sfor update(?: skip locked)?\b/g
const tableShape = /^create table (?!if)/
const typeShape = /\b(bigint|boolean|uuid)\b/g
const types: Readonly<Record<string, string>> = {
  bigint: 'integer',
  boolean: 'integer',
  uuid: 'text',
}

export function spelled(text: string): string {
  if (tableShape.test(text)) return `${text.replace(typeShape, (type) => types[type]!)} strict`
  return text
    .replace(rowsShape, (_, value: string, declared: string) => {
      const columns = declared
        .split(',')
        .map((column, index) => `value ->> ${index} as ${column.trim().split(' ')[0]}`)
      return `(select ${columns.join(', ')} from json_each(${value}))`
    })
    .replace(listShape, 'in (select value from json_each($1))')
    .replace(lockShape, '')
}

/** A value as it is bound. A number would be a double, whose sums are doubles: whole ones are to stay whole. */
export function bound(value: unknown): string | number | bigint | null {
  if (Array.isArray(value)) return JSON.stringify(value)
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value)
  return value as string | number | bigint | null
}
