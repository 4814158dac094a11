/** The scores of handles by both readers of a pocket file. Python times itself, in a process of its own. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pocketOf } from '../../src/export/pocket.ts'
import { openPocket } from '../../src/library/pocket-reader.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { findProgram } from '../../test/support/processes/children.ts'
import type { Batch, Store } from './store.ts'

/** So many batches are enough for Python. */
const batchesOfPython = 20

/** Prints microseconds a handle. */
const timing = `
import json, sys, time
from authority_index_pocket import Pocket
path, batches = sys.argv[1:]
with Pocket(path) as pocket, open(batches, encoding="utf-8") as lines:
    taken = handles = 0
    for batch in map(json.loads, lines):
        begin = time.perf_counter_ns()
        pocket.scores(batch)
        taken += time.perf_counter_ns() - begin
        handles += len(batch)
print(taken / handles / 1000)
`

/** A pocket file of a snapshot, and its readers; that of Python where it is installed. */
export function pocketsOf(snapshot: Snapshot): Record<string, Store> {
  const directory = mkdtempSync(join(tmpdir(), 'library-bench-'))
  const path = join(directory, 'pocket')
  const file = pocketOf(snapshot)
  writeFileSync(path, file)
  const pocket = openPocket(path)
  const bytes = file.length
  const scoresOf = (texts: readonly string[]) => {
    let sum = 0
    for (const score of pocket.scores(texts)) sum += score || 0
    return sum
  }
  const close = async () => rmSync(directory, { recursive: true, force: true })
  const stores: Record<string, Store> = { 'pocket file, JavaScript': { bytes, scoresOf, close } }
  const command = findProgram('python3')
  if (command === undefined) return stores
  const timeOf = (batches: readonly Batch[]) => {
    const lines = batches.slice(0, batchesOfPython).map(({ json }) => `${json}\n`)
    const file = join(directory, 'batches')
    writeFileSync(file, lines.join(''))
    const env = { ...process.env, PYTHONPATH: join(import.meta.dirname, '../../clients/python') }
    return Number(execFileSync(command, ['-B', '-c', timing, path, file], { env }))
  }
  stores['pocket file, Python'] = { bytes, timeOf }
  return stores
}
