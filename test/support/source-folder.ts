/** Temporary source folders, and what reading one gives. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connectionKinds } from '../../src/connection-kinds.ts'
import { allTexts } from '../../src/memory/text-table.ts'
import type { ConnectionRecord } from '../../src/source/schema.ts'
import type { Batches, ConnectionBatch, SourceEntry } from '../../src/source/source.ts'

export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'source-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return directory
}

export async function entriesOf<T>(batches: Batches<T>): Promise<SourceEntry<T>[]> {
  const entries: SourceEntry<T>[] = []
  for await (const batch of batches) entries.push(...batch)
  return entries
}

/** The connections of some batches as records, undefined for what is none, in order. */
export async function connectionsOf(
  batches: AsyncIterable<ConnectionBatch>,
): Promise<(ConnectionRecord | undefined)[]> {
  const records: (ConnectionRecord | undefined)[] = []
  const sdus: string[] = []
  for await (const { sdus: texts, from, to, weights, kinds, others } of batches) {
    for (const sdu of allTexts(texts)) sdus.push(sdu)
    const plain = [...from].map((end, at) => ({
      from: sdus[end]!,
      to: sdus[to[at]!]!,
      weight: weights[at]!,
      kind: connectionKinds[kinds[at]!]!,
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
