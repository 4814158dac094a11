/** Tables that no sync takes as they are: a damaged one, and one with too many rejects. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../../../support/built.ts'
import { run } from '../../../support/program.ts'

const numbers = Array.from({ length: 300 }, (_, index) => String(index + 1))

it('a Parquet file with a page from which its reader never returns loses the row group of the page alone', async () => {
  const directory = temporaryDirectory()
  const columns = {
    sdu: numbers,
    name: numbers.map((number) => `Ann Person${number}`),
    topics: numbers.map(() => 'Rust'),
  }
  const columnData = Object.entries(columns).map(([name, data]) => ({
    ...{ name, data, type: 'STRING' as const },
  }))
  const bytes = Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: 3 }))
  // The number of values in the head of the first page.
  bytes[19] = 0
  writeFileSync(join(directory, 'authorities.parquet'), bytes)
  const { stdout } = await run([
    ...['sync', '--source', directory, '--snapshots', join(directory, 'snapshots')],
  ])
  expect(stdout).toMatch(/297 authorities, 3 rejects, /)
})

it('a check that a sync would not pass ends with 1 and the settings to go on with', async () => {
  const directory = temporaryDirectory()
  const rows = numbers.map((number) => `${number},Ann,${Number(number) > 30 ? 'AI' : ''}`)
  writeFileSync(join(directory, 'authorities.csv'), ['sdu,name,topics', ...rows].join('\n'))
  const { exitCode, stdout, stderr } = await run([
    ...['sync', '--check', '--source', directory],
    ...['--snapshots', join(directory, 'snapshots')],
  ])
  expect(exitCode).toBe(1)
  expect(stdout).toContain('to take the rest all the same: --gate reject-share-max=0.1')
  expect(stderr).toContain('30 of 300 records rejected')
})
