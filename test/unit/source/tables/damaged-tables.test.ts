/** Tables with damage in them: a row that cannot be read is rejected with its reason, and no other is lost. */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../../src/source/uri.ts'
import { entriesOf, folderOf } from '../../../support/source-folder.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('damaged-tables.tsv', import.meta.url))

async function entriesIn(content: string | Uint8Array, name = 'authorities.csv') {
  const reading = await openSource(folderOf({ [name]: content })).read()
  return entriesOf(reading.authorities)
}

async function read(content: string | Uint8Array): Promise<(string | undefined)[]> {
  const entries = await entriesIn(content)
  return entries.map((entry) => {
    if (entry.value !== undefined) return entry.value.name
    const { position, field, reason } = entry as { position: string; field: string; reason: string }
    return `${position.replace('authorities.csv ', '')}: ${field} ${reason}`
  })
}

const header = 'sdu,name,topics,bio'
const open = 'line has a quote that is never closed'

describe('a quote in a cell', () => {
  it.each(rowsOf('quotes'))('that is %s is read', async (_, row, name) => {
    expect(await read(`${header}\n${row}\n2,Bob,AI,x\n`)).toEqual([name, 'Bob'])
  })

  it.each(rowsOf('quotes that are never closed'))(
    'that is never closed loses its row alone: %s',
    async (_, text, ...names) => {
      const expected = names.map((name) => (name.startsWith('row ') ? `${name}: ${open}` : name))
      expect(await read(`${header}${text}`)).toEqual(expected)
    },
  )

  it('may stand in a cell over several lines, also of lines that have as many commas as rows', async () => {
    const bio = 'Likes bees,\nwasps, hornets, ants\r\nand "moths", since, 1990'
    const text = `${header}\n1,Ann,AI,"${bio.replaceAll('"', '""')}"\n2,Bob,AI,x`
    const [ann, bob] = await entriesIn(text)
    expect([ann?.value?.bio, bob?.value?.name]).toEqual([bio, 'Bob'])
  })
})

describe('line ends, marks and notes', () => {
  it.each([
    ['lone carriage returns', `${header}\r1,Ann,AI,x\r2,Bob,AI,x\r`],
    ['all line ends', `${header}\r\n1,Ann,AI,x\r2,Bob,AI,x\n`],
    ['two byte order marks', `\ufeff\ufeff${header}\n1,Ann,AI,x\n\ufeff2,Bob,AI,x`],
    ['a mark within quotes', `\ufeff"\ufeffsdu",name,topics,bio\n1,Ann,AI,x\n2,Bob,AI,x`],
    ['notes', `# of 2026\n${header}\n# first\n1,Ann,AI,x\n# second\n2,Bob,AI,x`],
    ['a word for its separator', `sep=,\r\n${header}\r\n1,Ann,AI,a;b;c;d;e\r\n2,Bob,AI,x`],
    ['UTF-16', Buffer.from(`\ufeff${header}\n1,Ann,AI,x\n2,Bob,AI,é`, 'utf16le')],
  ])('a table with %s is read', async (_, content) => {
    expect(await read(content)).toEqual(['Ann', 'Bob'])
  })

  it('a row that is too long, or not UTF-8, is rejected alone', async () => {
    const long = `${header}\n1,Ann,AI,${'x'.repeat(1 << 21)}\n2,Zoë,AI,x\n`
    expect(await read(long)).toEqual(['row 1: line is too long', 'Zoë'])
    const spoiled = Buffer.concat([
      Buffer.from(`${header}\n1,Zoë,AI,x\n2,B`),
      Buffer.of(0xe9),
      Buffer.from('b,AI,x\n3,Cat,AI,x'),
    ])
    expect(await read(spoiled)).toEqual(['Zoë', undecoded(2), 'Cat'])
  })

  it('a table in Windows-1252 is rejected with the way to name its encoding, and read with it', async () => {
    const content = Buffer.from(`${header}\n1,José,AI,x\n2,Zoë,AI,x\n`, 'latin1')
    expect(await read(content)).toEqual([undecoded(1), undecoded(2)])
    const folder = folderOf({
      'authorities.csv': content,
      'map.yaml': 'authorities: { encoding: windows-1252 }',
    })
    const { authorities } = await openSource(folder, `${folder}/map.yaml`).read()
    expect((await entriesOf(authorities)).map(({ value }) => value?.name)).toEqual(['José', 'Zoë'])
  })
})

const undecoded = (row: number) =>
  `row ${row}: line is not UTF-8: name its encoding in --map, such as \`encoding: windows-1252\``

const letters = fc.string({
  unit: fc.constantFrom('a', 'b', ' ', ',', ';', '"', '\n', 'é', '\\'),
  maxLength: 12,
})
const people = fc
  .array(letters, { minLength: 3, maxLength: 12 })
  .map((bios) =>
    bios.map((bio, index) => [String(index + 1), `Person ${index + 1}`, 'AI', `x${bio}x`]),
  )
const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

describe('a drawn CSV file', () => {
  it('is read as csv-parse reads it', async () => {
    await fc.assert(
      fc.asyncProperty(people, fc.constantFrom('\n', '\r\n'), async (rows, end) => {
        const text = [header.split(','), ...rows].map((row) => row.map(quoted).join()).join(end)
        const entries = await entriesIn(text)
        const expected = parse(text, { from_line: 1 }).slice(1)
        expect(entries.map(({ raw }) => JSON.parse(raw).bio)).toEqual(
          expected.map(([, , , bio]) => bio?.trim()),
        )
      }),
      { numRuns: 60 },
    )
  })

  const damages: Readonly<Record<string, (row: string, at: number) => string>> = {
    'a quote': (row, at) => `${row.slice(0, at)}"${row.slice(at)}`,
    'an opening quote': (row) => row.replace(',', ',"'),
    'no end': (row, at) => row.slice(0, at),
    'a delimiter': (row, at) => `${row.slice(0, at)},${row.slice(at)}`,
    'a byte that is none': (row, at) => `${row.slice(0, at)}\udc00${row.slice(at)}`,
  }

  it('loses no row but those that are damaged', async () => {
    const harms = fc.array(fc.tuple(fc.constantFrom(...Object.keys(damages)), fc.nat(), fc.nat()), {
      minLength: 1,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 4, max: 30 }), harms, async (count, drawn) => {
        const rows = Array.from(
          { length: count },
          (_, index) => `${index + 1},Person ${index + 1},AI,likes bees`,
        )
        const damaged = new Set<number>()
        for (const [name, row, at] of drawn) {
          const place = row % count
          rows[place] = damages[name]!(rows[place]!, at % rows[place]!.length)
          damaged.add(place)
        }
        const names = await read(`${header}\n${rows.join('\n')}\n`)
        for (let place = 0; place < count; place += 1) {
          if (!damaged.has(place)) expect(names).toContain(`Person ${place + 1}`)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a drawn Parquet file', () => {
  it('loses no row group but those that are damaged', async () => {
    const count = 40
    const rowGroupSize = 8
    const texts = (name: string, textOf: (row: number) => string) => ({
      ...{ name, type: 'STRING' as const },
      data: Array.from({ length: count }, (_, row) => textOf(row)),
    })
    const columnData = [
      texts('sdu', (row) => String(row + 1)),
      texts('name', (row) => `Person ${row + 1}`),
      texts('topics', () => 'AI'),
    ]
    const whole = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize }))
    const names = (await entriesIn(whole, 'authorities.parquet')).map(({ value }) => value?.name)
    expect(names).toEqual(columnData[1]!.data)
    const starts = Array.from({ length: count / rowGroupSize }, (_, group) =>
      whole.indexOf(`Person ${group * rowGroupSize + 1}`),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(4), fc.nat(60), fc.nat(255), async (group, offset, byte) => {
        const at = starts[group]! + offset
        const bytes = Buffer.from(whole).fill(byte, at, at + 8)
        const entries = await entriesIn(bytes, 'authorities.parquet')
        expect(entries.length).toBe(count)
        entries.forEach(({ value }, row) => {
          if (Math.floor(row / rowGroupSize) !== group) expect(value?.name).toBe(names[row])
        })
      }),
      { numRuns: 60 },
    )
  })
})
