/**
 * What was measured and is written down: it is that of the record, as new as the format of snapshots or called
 * earlier, and the same on every page.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { slopes } from '../../bench/scale/slopes.ts'
import { lastResultsIn, withLastResults } from '../../bench/shared/last-results.ts'
import { readRecord } from '../../bench/shared/record.ts'
import { documentNames, readDocument } from '../../scripts/document-tables.ts'
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
      return isDated.test(above) && [columns, ...rows].some((line) => measures.test(line))
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

describe('figures that stand on several pages', () => {
  const found = pages.flatMap(({ name: page, text }) =>
    [...text.matchAll(figures)].map(([, name = '', value = '']) => ({ page, name, value })),
  )

  it('are the same on each', () => {
    expect(found.length).toBeGreaterThan(8)
    for (const name of new Set(found.map((each) => each.name))) {
      const places = found.filter((each) => each.name === name)
      const values = new Set(places.map(({ value }) => value))
      expect([name, ...values]).toHaveLength(2)
      // A figure that stands in one place needs no mark, but where the page on scale computes from it.
      if (!(name in slopes)) expect([name, places.length > 1]).toEqual([name, true])
    }
  })

  it('are those from which the page on scale computes', () => {
    const known = found.filter(({ name }) => name in slopes)
    expect(known.length).toBeGreaterThan(1)
    for (const { name, value } of known) {
      expect(Number(value.replaceAll(',', ''))).toBe(slopes[name as keyof typeof slopes].value)
    }
  })
})
