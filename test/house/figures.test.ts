/**
 * What was measured and is written down: it is that of the record, as new as the format of snapshots or called
 * earlier, and the same on every page.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lastResultsIn, withLastResults } from '../../bench/shared/last-results.ts'
import { readRecord } from '../../bench/shared/record.ts'
import { documentNames, readDocument } from '../../scripts/document-tables.ts'
import { rowsOf } from '../../scripts/markdown-table.ts'
import { recordedFigures } from '../../scripts/recorded-tables.ts'
import { formatVersion } from '../../src/snapshot/header.ts'

const record = readRecord()
const benches = readFileSync('bench/README.md', 'utf8')
const pages = [...documentNames(), 'bench/README.md'].map((name) => ({
  name,
  text: name === 'bench/README.md' ? benches : readDocument(name),
}))

/** A measured figure that stands on several pages. */
const figures = /<!-- figure: ([a-z-]+) -->(.*?)<!-- \/figure -->/g

/** A table with the paragraph above it: what it says of where the table is from. */
interface Table {
  readonly page: string
  readonly above: string
  readonly columns: string
  readonly rows: readonly string[]
}

/** The tables of a page, their cells without the spaces around them. */
function tablesOf({ name: page, text }: (typeof pages)[number]): Table[] {
  const blocks = text.split(/\n\n+/)
  return blocks.flatMap((block, at) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('|')) || lines.length < 3) return []
    const [columns = '', , ...rows] = lines.map((line) => line.replace(/ *\| */g, '|'))
    return [{ page, above: blocks[at - 1] ?? '', columns, rows }]
  })
}

const isDated = /20\d\d-\d\d-\d\d/
/** Columns of figures that were measured. */
const titlesOfMeasures = /µs|\b(?:ms|MB|GB|MiB|CPU s)\b/
const measures = /µs|\b(?:ms|MB|GB|MiB|bytes)\b|\d s\b/

describe('results of benches', () => {
  it('are those of the record, each with its commit', () => {
    expect(lastResultsIn(benches)).toEqual(record.map(({ bench }) => bench))
    for (const run of record) expect(withLastResults(benches, run)).toBe(benches)
  })

  it('are of snapshots of the format that there is', () => {
    const older = record.filter(({ format }) => format !== formatVersion)
    // The way out: `npm run bench -- --full --record NAME`.
    expect(older.map(({ bench, format }) => `${bench}: format ${format}`)).toEqual([])
  })
})

describe('tables of what was measured', () => {
  it('say of which format the snapshots were, and that it is an earlier one', () => {
    const documents = pages.filter(({ name }) => name !== 'bench/README.md')
    const tables = documents.flatMap(tablesOf).filter(({ above, columns, rows }) => {
      // Of tables that come from the code none was measured but those of the record, which are dated.
      const isMade = /^<!-- table: [a-z-]+ -->$/.test(above)
      const isMeasured = titlesOfMeasures.test(columns) && !isMade
      const isOfADay = isDated.test(above) && [columns, ...rows].some((line) => measures.test(line))
      return isMeasured || isOfADay
    })
    expect(tables.length).toBeGreaterThan(3)
    const wrong = tables.filter(({ above }) => {
      return !above.includes(`format ${formatVersion}`) && !/earlier\s+format \(\d+\)/.test(above)
    })
    expect(wrong.map(({ page, above }) => `${page}: ${above.slice(0, 80)}`)).toEqual([])
  })

  it('say on every page what the page of the benches says', () => {
    const known = tablesOf(pages.at(-1)!)
    const shared = pages
      .slice(0, -1)
      .flatMap(tablesOf)
      .flatMap((table) => {
        const same = known.filter(({ columns }) => columns === table.columns)
        return same.length === 0 ? [] : [{ ...table, known: same.flatMap(({ rows }) => rows) }]
      })
    expect(shared.length).toBeGreaterThan(1)
    const wrong = shared.flatMap(({ page, rows, known }) => {
      return rows.filter((row) => !known.includes(row)).map((row) => `${page}: ${row}`)
    })
    expect(wrong).toEqual([])
  })
})

describe('ratios', () => {
  const isRatio =
    /\bratio\b|^by |\bby\b.*\b(?:ceiling|GET|read|p50|loop|warm)\b|whole by it|scaling/
  const [, told = ''] = /\n\n(Ratios that are medians[\s\S]*?)\n\n/.exec(benches) ?? []

  it('say whether they are medians of rounds or quotients, for each bench that has them', () => {
    const columns = record.flatMap(({ bench, lines }) => {
      const headers = lines.filter((_, at) => /^\|[ |:-]+\|$/.test(lines[at + 1] ?? ''))
      return headers.flatMap((line) => rowsOf(line)[0]!).map((column) => ({ bench, column }))
    })
    const ratios = columns.filter(({ column }) => isRatio.test(column))
    expect(ratios.length).toBeGreaterThan(15)
    const untold = ratios.filter(({ bench, column }) => {
      // The benches are named behind their ratios.
      const [, ...parts] = told.split(`\`${column}\``)
      return !parts.some((part) => new RegExp(`of\\s+${bench}\\b`).test(part))
    })
    expect(untold).toEqual([])
  })
})

describe('figures that stand on several pages', () => {
  const known = recordedFigures()
  const found = pages.flatMap(({ name: page, text }) =>
    [...text.matchAll(figures)].map(([, name = '', value = '']) => ({ page, name, value })),
  )

  it('are the same on each, and those of the record', () => {
    expect(found.length).toBeGreaterThan(10)
    for (const name of new Set(found.map((each) => each.name))) {
      const values = new Set(found.filter((each) => each.name === name).map(({ value }) => value))
      expect([name, ...values]).toHaveLength(2)
      expect([name, known[name] ?? [...values][0]]).toEqual([name, ...values])
    }
  })
})
