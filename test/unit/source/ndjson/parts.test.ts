import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { openSource } from '../../../../src/source/uri.ts'
import { temporaryDirectory } from '../../../support/built.ts'

const people = ['1', '2', '3', '4'].map(
  (sdu) => `{"sdu":"${sdu}","name":"N${sdu}","topics":["AI"]}`,
)

function partedSource(name: string, parts: Readonly<Record<string, string | Buffer>>): string {
  const folder = temporaryDirectory()
  mkdirSync(join(folder, name))
  for (const [part, content] of Object.entries(parts))
    writeFileSync(join(folder, name, part), content)
  return folder
}

async function positionsIn(folder: string): Promise<string[]> {
  const reading = await openSource(folder).read()
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

  it('gives the rows of Parquet', async () => {
    const partOf = (sdus: string[]) =>
      Buffer.from(
        parquetWriteBuffer({
          columnData: [
            { name: 'sdu', data: sdus, type: 'STRING' },
            { name: 'name', data: sdus.map((sdu) => `N${sdu}`), type: 'STRING' },
            { name: 'topics', data: sdus.map(() => 'AI'), type: 'STRING' },
          ],
          rowGroupSize: 2,
        }),
      )
    const folder = partedSource('authorities.parquet', {
      'part-2.parquet': partOf(['7', '8', '9']),
      'part-0.parquet': partOf(['1', '2', '3']),
      'part-1.parquet': partOf(['4', '5', '6']),
    })
    const expected = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
      (row) => `authorities.parquet row ${row} ${row}`,
    )
    expect(await positionsIn(folder)).toEqual(expected)
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
