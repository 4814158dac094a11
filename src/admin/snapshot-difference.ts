/** What changed from one snapshot of a directory to another, and how steady the orders are. */
import { changeItemsOf } from '../api/operations/changes.ts'
import { stabilityItem } from '../api/operations/snapshots.ts'
import { findSnapshot, loadStored } from '../snapshot/store/directory.ts'
import { Differences } from '../sync/changes/differences.ts'
import { pairOf } from '../sync/changes/pair.ts'
import { stabilityOf } from '../sync/changes/stability.ts'

/** Every change of a person. @throws Refusal `snapshot-missing`, `snapshot-refused`. */
export function differenceOf(snapshots: string, before: string, after: string) {
  const first = loadStored(snapshots, findSnapshot(snapshots, before).id)
  const second = loadStored(snapshots, findSnapshot(snapshots, after).id)
  const pair = pairOf(first, second)
  return {
    ...{ before: first.header.id, after: second.header.id },
    stability: stabilityItem(stabilityOf(pair)),
    results: [...new Differences(pair).people()].flatMap(changeItemsOf),
  }
}
