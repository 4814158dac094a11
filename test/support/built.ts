/**
 * From records to what is made of them, without a command and without a file: what the tests of
 * build, catalog and serve begin with.
 */
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { ladder } from '../../src/engine/interpret/ways/ladder.ts'
import { snapshotOf } from './indexed.ts'
import type { Records } from './records.ts'

export { collected, snapshotOf } from './indexed.ts'
export { temporaryDirectory } from './temporary-directory.ts'

/** The snapshot of the records, ready to answer; by all ways of search unless some are named. */
export function servedOf(records: Partial<Records>, ways?: readonly string[]): ActiveSnapshot {
  const some = ways && ladder.filter(({ name }) => ways.includes(name))
  return activate(snapshotOf(records), { ways: some })
}
