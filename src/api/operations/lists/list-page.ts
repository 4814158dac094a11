/** Pages of items that are made as JSON values (topics, snapshots, changes, histories), and the files that changes are of. */
import type { Catalog } from '../../../engine/catalog.ts'
import type { RouteName } from '../../../operations.ts'
import { Refusal } from '../../../problems.ts'
import { type ChangeFile, ChangeReader } from '../../../snapshot/changes/change-file.ts'
import { topicKey } from '../../../text/analyzer.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { Body } from '../../items/body.ts'
import type { OperationHandler, ParsedQuery } from '../../pipeline/operation-handler.ts'
import { operation, type Steps } from '../operation.ts'

/** `next` is undefined behind the last page. */
export interface ListPage {
  readonly items: readonly unknown[]
  readonly next: string | undefined
}

/** An operation whose items are made as JSON values. */
export function listOperation<R extends RouteName, Q extends ParsedQuery>(
  route: R,
  steps: Pick<Steps<R, Q, ListPage>, 'understand' | 'find'>,
): OperationHandler<Q, ListPage> {
  return operation<R, Q, ListPage>(route, { ...steps, render: renderListPage })
}

function renderListPage(
  _served: ActiveSnapshot,
  _query: unknown,
  { items, next }: ListPage,
  body: Body,
): Written {
  body.text(items.map((item) => JSON.stringify(item)).join())
  return { way: '', members: next === undefined ? '' : `,"next_cursor":${JSON.stringify(next)}` }
}

/** Undefined if the file is gone: removed as too old, written anew without a person, or cut off. */
export function readFrom<T>(file: ChangeFile, read: (reader: ChangeReader) => T): T | undefined {
  let reader: ChangeReader | undefined
  try {
    reader = new ChangeReader(file)
    return read(reader)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof Refusal
    if (isGone) return undefined
    throw error
  } finally {
    reader?.close()
  }
}

/** The key that all spellings of a topic share; '' for ''. @param text its label or an alias. */
export function keyOfTopic(catalog: Catalog, text: string): string {
  const topic = text === '' ? -1 : catalog.findTopic(topicKey(text))
  return topicKey(topic < 0 ? text : catalog.labelOf(topic))
}
