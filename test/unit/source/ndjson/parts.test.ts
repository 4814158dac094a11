/** Files of a source that lie as folders of parts. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../../src/source/uri.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { runInDuckDb } from '../../../support/duckdb-files.ts'

const people = ['1', '2', '3', '4'].map(
  (sdu) => `{"sdu":"${sdu}","name":"N${sdu}","topics":["AI"]}`,
)

/** A folder in which a file of authorities is a folder of parts. */
function partedSource(name: string, parts: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, name))
  for (const [part, content] of Object.entries(parts))
    writeFileSync(join(folder, name, part), content)
  return folder
}

async function positionsIn(folder: string, scansFiles = false): Promise<string[]> {
  const engine = { memoryBytes: 256 << 20, scansFiles }
  const reading = await openSource(folder, '', engine).read()
  const found: string[] = []
  for await (const batch of reading.authorities) {
    found.push(...batch.map(({ position, value }) => `${position} ${value?.sdu}`))
  }
  reading.close()
  return found
}

describe('a file of a source that is a folder of parts', () => {
  it('gives the lines of its parts by their names, as one file does', async () => {
    const folder = partedSource('authorities.ndjson', {
      'part-1.ndjson.gz': gzipSync(people.slice(2).join('\n')),
      'part-0.ndjson': people.slice(0, 2).join('\n'),
      _SUCCESS: '',
      '.part-0.ndjson.crc': 'x',
    })
    const expected = people.map((_, index) => `authorities.ndjson:${index + 1} ${index + 1}`)
    expect(await positionsIn(folder)).toEqual(expected)
    const whole = temporaryDirectory()
    writeFileSync(join(whole, 'authorities.ndjson'), `${people.join('\n')}\n`)
    expect(await openSource(folder).fingerprint()).toBe(await openSource(whole).fingerprint())
  })

  it('gives the rows of CSV below the header of each part', async () => {
    const folder = partedSource('authorities.csv', {
      'a.csv': 'sdu,name,topics\n1,Ann,AI\n2,Bob,AI\n',
      'b.csv': 'sdu,name,topics\n3,Cat,AI\n',
    })
    const expected = [1, 2, 3].map((row) => `authorities.csv row ${row} ${row}`)
    expect(await positionsIn(folder)).toEqual(expected)
  })

  it('gives the rows of Parquet, read by DuckDB or not', async () => {
    const folder = partedSource('authorities.parquet', {})
    const copies = [0, 1, 2].map(
      (part) => `COPY (SELECT i AS sdu, 'N' || i AS name, 'AI' AS topics
        FROM range(${part * 3 + 1}, ${part * 3 + 4}) r(i))
        TO '${join(folder, 'authorities.parquet', `part-${part}.parquet`)}' (FORMAT parquet)`,
    )
    await runInDuckDb(copies)
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (row) => `authorities.parquet row ${row} ${row}`,
    )
    expect(await positionsIn(folder)).toEqual(expected)
    expect(await positionsIn(folder, true)).toEqual(expected)
  })

  it('has another stamp once a part was added', async () => {
    const folder = partedSource('authorities.ndjson', { 'a.ndjson': people[0]! })
    const before = await openSource(folder).stamp()
    writeFileSync(join(folder, 'authorities.ndjson', 'b.ndjson'), people[1]!)
    expect(await openSource(folder).stamp()).not.toEqual(before)
  })

  it.each([
    ['without parts', 'authorities.csv', {}, 'it is a directory, without parts (.csv or .csv.gz)'],
    [
      'with another file',
      'authorities.csv',
      { 'a.txt': '' },
      'its name does not end in .csv or .csv.gz',
    ],
    [
      'with other columns in a part',
      'authorities.csv',
      { 'a.csv': 'sdu,name,topics\n1,Ann,AI\n', 'b.csv': 'sdu,topics,name\n2,AI,Bob\n' },
      'b.csv has other columns than the first part',
    ],
  ])('is refused %s', async (_, name, parts, reason) => {
    await expect(positionsIn(partedSource(name, parts as never))).rejects.toThrow(reason)
  })
})
