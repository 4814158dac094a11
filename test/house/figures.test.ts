/**
 * What was measured and is written down is that of the record, of the format of snapshots that there is or said to
 * be of an earlier one, and the same on every page.
 */
import { describe, expect, it } from 'vitest'
import { readRecord } from '../../bench/shared/record.ts'
import { documentNames, readDocument } from '../../scripts/document-tables.ts'
import { recordedFigures } from '../../scripts/recorded-tables.ts'
import { formatVersion } from '../../src/snapshot/header.ts'

const record = readRecord()
const pages = documentNames().map((name) => ({ name, text: readDocument(name) }))

const figures = /<!-- figure: ([a-z-]+) -->(.*?)<!-- \/figure -->/g

interface Table {
  readonly page: string
  readonly above: string
  readonly columns: string
  readonly rows: readonly string[]
}

function tablesOf({ name: page, text }: (typeof pages)[number]): Table[] {
  const blocks = text.replaceAll(/(?<=<!-- table: [a-z-]+ -->)/g, '\n').split(/\n\n+/)
  return blocks.flatMap((block, at) => {
    const lines = block.split('\n')
    if (!lines.every((line) => line.startsWith('|')) || lines.length < 3) return []
    const [columns = '', , ...rows] = lines.map((line) => line.replace(/ *\| */g, '|'))
    return [{ page, above: blocks[at - 1] ?? '', columns, rows }]
  })
}

const isDated = /20\d\d-\d\d-\d\d/
const titlesOfMeasures = /µs|\b(?:ms|MB|GB|MiB|CPU s)\b/
const measures = /µs|\b(?:ms|MB|GB|MiB|bytes)\b|\d s\b/

describe('tables of what was measured', () => {
  it('say of which format the snapshots were, and that it is an earlier one', () => {
    const tables = pages.flatMap(tablesOf).filter(({ above, columns, rows }) => {
      // Of tables that come from the code none was measured but those of the record, which are dated.
      const isMade = /^<!-- table: [a-z-]+ -->$/.test(above)
      const isMeasured = titlesOfMeasures.test(columns) && !isMade
      const isOfADay = isDated.test(above) && [columns, ...rows].some((line) => measures.test(line))
      return isMeasured || isOfADay
    })
    expect(tables.length).toBeGreaterThan(0)
    const wrong = tables.filter(({ above }) => {
      return !above.includes(`format ${formatVersion}`) && !/earlier\s+format \(\d+\)/.test(above)
    })
    expect(wrong.map(({ page, above }) => `${page}: ${above.slice(0, 80)}`)).toEqual([])
  })

  it('say of a recorded bench the format of its record', () => {
    const tables = pages.flatMap(tablesOf).flatMap(({ page, above }) => {
      const bench = /--record ([a-z-]+)/.exec(above)?.[1]
      const run = record.find((each) => each.bench === bench)
      return run === undefined ? [] : [{ page, above, format: run.format }]
    })
    expect(tables.length).toBeGreaterThan(0)
    const wrong = tables.filter(({ above, format }) => !above.includes(wordsOf(format)))
    expect(wrong.map(({ page, above }) => `${page}: ${above.slice(0, 80)}`)).toEqual([])
  })
})

function wordsOf(format: number): string {
  return format === formatVersion ? `format ${format}` : `an earlier format (${format})`
}

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

  it('stand in a section that says so where they are of an earlier format', () => {
    const formats = new Set(record.map(({ format }) => format))
    const earlier = [...formats].filter((format) => format !== formatVersion)
    const sections = pages.flatMap(({ name, text }) =>
      text.split(/^## /m).map((section) => ({ name, section, found: section.match(figures) })),
    )
    const shown = sections.filter(({ found }) => found !== null)
    expect(shown.length).toBeGreaterThan(1)
    for (const { name, section } of shown) {
      const words = section.replaceAll(/\s+/g, ' ')
      for (const format of earlier) {
        expect([name, words.includes(wordsOf(format))]).toEqual([name, true])
      }
    }
  })
})
