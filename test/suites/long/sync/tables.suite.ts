/** The built program takes a CSV and a Parquet file with two commands each, and answers from them. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'

const count = 300
const numbers = Array.from({ length: count }, (_, index) => index + 1)
const map = `
authorities:
  sdu: { key: wikidata }
  name: Full Name
  country_name: Country
  topics: Interests
  socials.twitter: Twitter
`

/** Of every second person the website is none, and the country is written in two ways. */
const columns: Readonly<Record<string, (number: number) => string>> = {
  wikidata: (number) => `Q${number}`,
  'Full Name': (number) => `Ann Person${number}`,
  Country: (number) => (number % 2 === 0 ? 'US' : 'United States'),
  Interests: (number) => (number % 3 === 0 ? 'Beekeeping; Rust' : 'Rust'),
  Twitter: (number) => `@ann${number}`,
  website: (number) => (number % 2 === 0 ? 'soon' : `ann${number}.example`),
}

function csv(): string {
  const rows = numbers.map((number) => Object.values(columns).map((cell) => cell(number)))
  return [Object.keys(columns), ...rows].map((row) => row.join(',')).join('\n')
}

function parquet(rowGroupSize = 100): Buffer {
  const columnData = Object.entries(columns).map(([name, cell]) => ({
    name,
    data: numbers.map(cell),
    type: 'STRING' as const,
  }))
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize }))
}

describe.each([
  ['people.csv', csv],
  ['people.parquet', () => parquet()],
])('%s with a map', (name, content) => {
  it('is checked and synced, and nobody is lost for a website that is none', async () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, name), content())
    writeFileSync(join(directory, 'map.yaml'), map)
    const source = ['--source', join(directory, name), '--map', join(directory, 'map.yaml')]
    const snapshots = ['--snapshots', join(directory, 'snapshots')]

    const checked = await run(['sync', '--check', ...source, ...snapshots])
    expect(checked.stdout).toContain(`authorities: ${count} read, 0 rejected, 150 fields left out`)
    expect(checked.stdout).toContain('150 × website: must be an http or https address')
    expect(checked.stdout).toContain(`    ${name} row 2: "soon"`)
    expect(checked.exitCode).toBe(0)
    expect(readdirSync(directory).sort()).toEqual(['map.yaml', name].sort())

    const synced = await run(['sync', ...source, ...snapshots])
    expect(synced.stdout).toMatch(/300 authorities, 0 rejects, .*150 fields left out/)
    const found = await run(['get', '/api/v1/index?query=beekeeping&limit=50', ...snapshots])
    const { results } = JSON.parse(found.stdout)
    expect(results.length).toBe(50)
    expect(results[0].name).toMatch(/^Ann Person\d+$/)
    const countries = results.map((item: { country_name: string }) => item.country_name)
    expect(new Set(countries)).toEqual(new Set(['United States']))
  })
})

describe('a Parquet file with a page from which its reader never returns', () => {
  it('loses the row group of the page, and no other', async () => {
    const directory = temporaryDirectory()
    const bytes = parquet(3)
    // The number of values in the head of the first page.
    bytes[19] = 0
    writeFileSync(join(directory, 'people.parquet'), bytes)
    writeFileSync(join(directory, 'map.yaml'), map)
    const { stdout } = await run([
      ...['sync', '--source', join(directory, 'people.parquet')],
      ...['--map', join(directory, 'map.yaml'), '--snapshots', join(directory, 'snapshots')],
    ])
    expect(stdout).toMatch(/297 authorities, 3 rejects, /)
  })
})

describe('a check that a sync would not pass', () => {
  it('ends with 1 and the settings to go on with', async () => {
    const directory = temporaryDirectory()
    const rows = numbers.map((number) => `${number},Ann,${number > 30 ? 'AI' : ''}`)
    writeFileSync(join(directory, 'authorities.csv'), ['sdu,name,topics', ...rows].join('\n'))
    const { exitCode, stdout, stderr } = await run([
      ...['sync', '--check', '--source', directory],
      ...['--snapshots', join(directory, 'snapshots')],
    ])
    expect(exitCode).toBe(1)
    expect(stdout).toContain('to take the rest all the same: --gate reject-share-max=0.1')
    expect(stderr).toContain('30 of 300 records rejected')
  })
})
