/** The bench of large syncs, tiny: a source in Parquet that DuckDB writes, and its sync by phase. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { report, run } from '../../../../bench/large/bench.ts'
import { writeLargeSource } from '../../../../bench/large/source.ts'
import { reportTexts, runTexts } from '../../../../bench/large/texts.ts'
import { openSource } from '../../../../src/source/uri.ts'
import { connectionsOf } from '../../../support/source-folder.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('writes people and connections between them, of every kind and to some handles', async () => {
  const directory = temporaryDirectory()
  await writeLargeSource({ people: 100, connections: 2_000, directory })
  expect(existsSync(join(directory, 'connections.ndjson'))).toBe(false)
  const { authorities, connections } = await openSource(directory).read()
  const sdus = new Set<string>()
  for await (const entries of authorities) {
    for (const entry of entries) if (!('reason' in entry)) sdus.add(entry.value.sdu)
  }
  const records = (await connectionsOf(connections)).map((record) => record!)
  expect(sdus.size).toBe(100)
  expect(records.length).toBe(2_000)
  const isHandle = (end: string) => end.startsWith('mastodon:ghost')
  for (const { from, to } of records) {
    expect(from).not.toBe(to)
    for (const end of [from, to]) expect(sdus.has(end) || isHandle(end)).toBe(true)
  }
  expect(new Set(records.map(({ kind }) => kind)).size).toBe(5)
  const handles = records.filter(({ from, to }) => isHandle(from) || isHandle(to)).length
  expect(handles).toBeGreaterThan(40)
  expect(handles).toBeLessThan(240)
})

it('measures a sync by phase', async () => {
  const row = await run(tinyOptions())
  expect(row).toMatchObject({ people: 300, connections: 3_000 })
  expect(Object.keys(row.phases)).toEqual(
    expect.arrayContaining(['reading connections', 'sorting connections', 'ranking authorities']),
  )
  const sum = Object.values(row.phases).reduce((total, each) => total + each.cpuSeconds, 0)
  expect(sum).toBeCloseTo(row.cpuSeconds, 6)
  for (const bytes of [row.peakBytes, row.diskBytes, row.sourceBytes, row.snapshotBytes]) {
    expect(bytes).toBeGreaterThan(0)
  }
  expect(report(row).join('\n')).toContain('| sorting connections ')
})

it('reads texts of a file in both ways', async () => {
  const rows = await runTexts(tinyOptions())
  expect(rows.map(({ memory }) => memory)).toEqual(['a hundredth', 'all'])
  for (const { records, bytes, ratio } of rows) {
    expect(records).toBe(10_000)
    // More than one chunk of 4 MiB, so that there is a file.
    expect(bytes).toBeGreaterThan(5e6)
    expect(ratio).toBeGreaterThan(0)
  }
  expect(reportTexts(rows).join('\n')).toContain('| a hundredth ')
})
