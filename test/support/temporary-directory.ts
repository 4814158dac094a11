import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory, removed when the test is done, with the key of removals that a sync may leave beside it. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'index-'))
  onTestFinished(() => {
    for (const path of [directory, `${directory}.removal-key`]) {
      rmSync(path, { recursive: true, force: true })
    }
  })
  return directory
}
