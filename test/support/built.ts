/**
 * From records to what is made of them, without a command and without a file: what the tests of
 * build, catalog and serve begin with.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { ladder } from '../../src/engine/interpret/ways/ladder.ts'
import { snapshotOf } from './indexed.ts'
import type { Records } from './records.ts'

export { collected, snapshotOf } from './indexed.ts'

/** The snapshot of the records, ready to answer; by all ways of search unless some are named. */
export function servedOf(records: Partial<Records>, ways?: readonly string[]): ActiveSnapshot {
  const some = ways && ladder.filter(({ name }) => ways.includes(name))
  return activate(snapshotOf(records), { ways: some })
}

/** A new directory, removed when the test is done. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'index-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
