import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type afterAll, onTestFinished } from 'vitest'

/**
 * A new directory, removed when the test is done, with the key of removals that a sync may leave beside it.
 * @param atEnd `afterAll` keeps it for all tests of a file.
 */
export function temporaryDirectory(
  atEnd: typeof onTestFinished | typeof afterAll = onTestFinished,
): string {
  const directory = mkdtempSync(join(tmpdir(), 'index-'))
  atEnd(() => {
    for (const path of [directory, `${directory}.removal-key`]) {
      rmSync(path, { recursive: true, force: true })
    }
  })
  return directory
}
