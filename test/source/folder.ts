/**
 * Temporary source folders for the tests, and what reading one gives. A folder is gone when the
 * test that made it is over.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Batches, Line } from '../../src/source/reader.ts'

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
