/**
 * Temporary source folders for the tests, and what reading one gives. A folder is gone when the
 * test that made it is over.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { textAt } from '../../src/memory/text-table.ts'
import type { ConnectionBatch } from '../../src/source/connections.ts'
import type { Batches, Line } from '../../src/source/reader.ts'
import type { ConnectionRecord } from '../../src/source/schema.ts'

/** A new folder that holds these files. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'source-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return directory
}

/** All lines of a stream. */
export async function linesOf<T>(batches: Batches<T>): Promise<Line<T>[]> {
  const lines: Line<T>[] = []
  for await (const batch of batches) lines.push(...batch)
  return lines
}

/** The connections of some batches as records, undefined where a line holds none, in order. */
export async function connectionsOf(
  batches: AsyncIterable<ConnectionBatch>,
): Promise<(ConnectionRecord | undefined)[]> {
  const records: (ConnectionRecord | undefined)[] = []
  const sdus: string[] = []
  for await (const { sdus: texts, from, to, weights, kinds, kindNames, others } of batches) {
    for (let entry = 0; entry < texts.ends.length; entry += 1) sdus.push(textAt(texts, entry))
    const plain = [...from].map((end, at) => ({
      from: sdus[end]!,
      to: sdus[to[at]!]!,
      weight: weights[at]!,
      kind: kindNames[kinds[at]!]!,
    }))
    let next = 0
    for (const { place, record } of others) {
      records.push(...plain.slice(next, place), record)
      next = place
    }
    records.push(...plain.slice(next))
  }
  return records
}
