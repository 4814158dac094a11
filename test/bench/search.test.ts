/** The search bench, tiny: every engine answers every kind of query. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { report, run } from '../../bench/search.ts'

it('measures every engine on every kind of query', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'bench-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const rows = await run('tiny', directory)
  const engines = new Set(rows.map(({ engine }) => engine))
  expect([...engines]).toEqual(['authority-index', 'FlexSearch', 'MiniSearch', 'Orama'])
  for (const engine of engines) {
    expect(rows.filter((row) => row.engine === engine)).toHaveLength(rows.length / engines.size)
  }
  expect(rows.every(({ p50Us, p99Us }) => p50Us > 0 && p99Us >= p50Us)).toBe(true)
  expect(report(rows)).toHaveLength(rows.length + 2)
})
