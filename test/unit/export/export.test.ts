/** Tables out: every format holds the same rows, and what was written can be a source. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { exportTables } from '../../../src/commands/export-tables.ts'
import { type ExportTable, snapshotTables } from '../../../src/export/tables.ts'
import {
  csvText,
  type ExportFormat,
  exportFormats,
  writeTable,
} from '../../../src/export/write-table.ts'
import { parquetRows } from '../../../src/source/ndjson/parquet-rows.ts'
import { csvRows } from '../../../src/source/tables/csv-rows.ts'
import { isDamaged, type TableRows } from '../../../src/source/tables/table-rows.ts'
import { openSource } from '../../../src/source/uri.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority, connection, social, topic } from '../../support/records.ts'
import { entriesOf } from '../../support/source-folder.ts'

const texts = ['plain', 'with "quotes"', 'a, comma', 'two\nlines', 'é 王 👩‍🚀', '=1+1']
const snapshot = snapshotOf({
  authorities: texts.map((bio, index) =>
    authority({
      ...{ sdu: `00${index + 1}`, name: `Ann ${index}`, bio },
      topics: [topic('Rust'), topic(`Topic ${index % 2}`)],
      socials: [social('github', `ann${index}`)],
      ...(index === 0 && { countryName: 'France', website: 'https://ann.example/' }),
    }),
  ),
  connections: [connection('001', '002'), connection('003', '002')],
})

const noProgress = () => {}
const csvForm = { encoding: '', isTabbed: false }

/** The cells of a file as the texts of CSV, where nothing and a blank text are the same. */
async function cellsIn(path: string, { columns }: ExportTable): Promise<string[][]> {
  const cellText = (cell: unknown) =>
    typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : String(cell ?? '')
  if (path.endsWith('.ndjson')) {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    const records: Record<string, unknown>[] = lines.map((line) => JSON.parse(line))
    return records.map((record) => columns.map(({ name }) => cellText(record[name])))
  }
  const [header, ...rows] = path.endsWith('.csv')
    ? await rowsOf(csvRows(chunksOf(path), csvForm))
    : await rowsOf(parquetRows({ path, sizeBytes: statSync(path).size }))
  expect(header).toEqual(columns.map(({ name }) => name))
  const withoutMark = (text: string) =>
    path.endsWith('.csv') ? text.replace(/^'(?=[=+@-])/, '') : text
  return rows.map((row) => row.map((cell) => withoutMark(cellText(cell))))
}

async function rowsOf(pieces: TableRows) {
  const rows: (readonly unknown[])[] = []
  for await (const piece of pieces)
    rows.push(...piece.flatMap((row) => (isDamaged(row) ? [] : [row])))
  return rows
}

async function* chunksOf(path: string) {
  const handle = await open(path)
  yield await handle.readFile()
  await handle.close()
}

async function written(directory: string, name: string, format: ExportFormat) {
  const table = snapshotTables(snapshot).find((table) => table.name === name)!
  const { path, rows } = await writeTable(directory, table, format, noProgress)
  return { cells: await cellsIn(path, table), path, rows }
}

describe.each(['people', 'topics', 'ranks', 'handles', 'connections'])(
  'the table of %s',
  (name) => {
    it('has the same rows in every format', async () => {
      const directory = temporaryDirectory()
      const [first, ...others] = await Promise.all(
        exportFormats.map((format) => written(directory, name, format)),
      )
      expect(first!.cells.length).toBeGreaterThan(1)
      expect(first!.rows).toBe(first!.cells.length)
      for (const { cells } of others) expect(cells).toEqual(first!.cells)
      expect(readdirSync(directory).length).toBe(exportFormats.length)
    })
  },
)

describe('an export', () => {
  it('holds everybody by rank, with the facts of the profile', async () => {
    const { cells } = await written(temporaryDirectory(), 'people', 'ndjson')
    const [best] = cells
    expect(best).toEqual(['002', 'Ann 1', texts[1], '', '["Rust","Topic 1"]', ...best!.slice(5)])
    expect(cells.map(([sdu]) => sdu).sort()).toEqual(texts.map((_, index) => `00${index + 1}`))
    expect(cells.map(([, , bio]) => bio).sort()).toEqual([...texts].sort())
  })

  it('ranks the members of each topic from 1, with shares that are one together', async () => {
    const { cells } = await written(temporaryDirectory(), 'ranks', 'csv')
    const rust = cells.filter(([topic]) => topic === 'Rust')
    expect(rust.map(([, rank]) => rank)).toEqual(texts.map((_, index) => String(index + 1)))
    const shares = rust.map(([, , , share]) => Number(share))
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6)
  })

  it('names who owns a handle, and who is connected with whom', async () => {
    const handles = await written(temporaryDirectory(), 'handles', 'parquet')
    expect(handles.cells).toContainEqual(['github', 'ann3', '004'])
    const { cells } = await written(temporaryDirectory(), 'connections', 'parquet')
    expect(cells).toContainEqual(['001', '002'])
    expect(cells).toContainEqual(['002', '003'])
  })

  it.each(exportFormats)('of people as %s is a source of the same people', async (format) => {
    const { path } = await written(temporaryDirectory(), 'people', format)
    const reading = await openSource(path).read()
    const people = (await entriesOf(reading.authorities)).map(({ value }) => value)
    expect(people).not.toContain(undefined)
    expect(people.map((person) => person?.bio).sort()).toEqual([...texts].sort())
    const ann = people.find((person) => person?.sdu === '001')
    expect(ann).toMatchObject({ countryName: 'France', website: 'https://ann.example/' })
    expect(ann?.socials).toMatchObject([{ platform: 'github', handle: 'ann0' }])
  })

  it('that fails leaves the earlier file and nothing else', async () => {
    const directory = temporaryDirectory()
    const { path } = await written(directory, 'topics', 'csv')
    const before = readFileSync(path, 'utf8')
    const [table] = snapshotTables(snapshot)
    const rows = (function* () {
      yield table!.columns.map(() => null)
      throw new Error('the disk is full')
    })()
    const failing = { ...table!, name: 'topics', rows }
    await expect(writeTable(directory, failing, 'csv', noProgress)).rejects.toThrow('is full')
    expect(readdirSync(directory)).toEqual(['topics.csv'])
    expect(readFileSync(path, 'utf8')).toBe(before)
  })

  it('that a signal interrupts leaves whole tables and no part of one', async () => {
    const directory = temporaryDirectory()
    const tables = snapshotTables(snapshot).slice(0, 2)
    let interrupt = () => {}
    const interrupted = new Promise<void>((resolve) => {
      interrupt = resolve
    })
    const rows = (function* () {
      interrupt()
      yield* tables[0]!.rows
    })()
    const silent = { report: () => {}, print: () => {}, interactive: false, discards: false }
    const call = {
      ...{ operands: [], clock: Date.now, onHangup: () => {}, surroundings: undefined as never },
      values: { out: directory, format: 'csv', json: true },
      terminal: { ...silent, isSeen: false, printed: async () => {} },
      interrupted: () => interrupted,
    }
    const exported = exportTables(call, [{ ...tables[0]!, rows }, tables[1]!])
    await expect(exported).rejects.toThrow(`interrupted: ${tables[1]!.name} is left out`)
    expect(readdirSync(directory)).toEqual([`${tables[0]!.name}.csv`])
  })

  it('as CSV marks what a spreadsheet would run, and no number', () => {
    const cells = ['=1+1', '@SUM(A1)', '+49 151', '-2+3', '\tx', '-5', '-1.5', 'a=b', null]
    expect(csvText([[...cells, -3, 7]])).toBe(
      "'=1+1,'@SUM(A1),'+49 151,'-2+3,'\tx,-5,-1.5,a=b,,-3,7\r\n",
    )
  })
})
