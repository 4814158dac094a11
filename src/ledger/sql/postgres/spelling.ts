/** The tokens of statements as PostgreSQL spells them; see `sql/port.ts`. A table is an array for each of its columns. */

const nowMs = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'
const listShape = /\bin list\((\$\d+) as (\w+)\)/g
const rowsShape = /\brows\(\$(\d+) as ([^)]+)\)\s+as (\w+)/g

interface Spelling {
  readonly text: string
  readonly tables: readonly (readonly [place: number, columns: number])[]
}

const spellings = new Map<string, Spelling>()

/** The first column of a table takes its place among the values, the others follow all. */
export function spelled(text: string, values: readonly unknown[]) {
  const known = spellings.get(text) ?? spellingOf(text, values.length)
  spellings.set(text, known)
  const sent = [...values]
  for (const [place, columns] of known.tables) {
    const rows = values[place] as readonly (readonly unknown[])[]
    sent[place] = rows.map((row) => row[0])
    for (let column = 1; column < columns; column += 1) sent.push(rows.map((row) => row[column]))
  }
  return { text: known.text, values: sent }
}

function spellingOf(text: string, valueCount: number): Spelling {
  const tables: [number, number][] = []
  let last = valueCount
  const withTables = text.replace(rowsShape, (_, first: string, declared: string, name: string) => {
    const columns = declared.split(',').map((column) => column.trim().split(' '))
    const arrays = columns.map(([, type], index) => {
      if (index > 0) last += 1
      return `$${index === 0 ? first : last}::${type}[]`
    })
    tables.push([Number(first) - 1, columns.length])
    return `unnest(${arrays.join(', ')}) as ${name} (${columns.map(([column]) => column).join(', ')})`
  })
  const sent = withTables.replace(listShape, '= any($1::$2[])').replaceAll('now_ms()', nowMs)
  return { text: sent, tables }
}
