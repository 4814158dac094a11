/** Pages of items that are made as JSON values (topics, snapshots, changes, histories), and the files that changes are of. */
import type { Catalog } from '../../../engine/catalog.ts'
import type { RouteName } from '../../../operations.ts'
import { type Problem, Refusal } from '../../../problems.ts'
import {
  type ChangeFile,
  type ReadPeople,
  withPeople,
} from '../../../snapshot/changes/change-file.ts'
import { topicKey } from '../../../text/analyzer.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { ListParts } from '../../parameters/cursor.ts'
import type { OperationHandler } from '../../pipeline/operation-handler.ts'
import type { Values } from '../../schemas/inputs.ts'
import { operation } from '../operation.ts'

/** `next` is the place behind the page, any JSON value; undefined behind the last. */
export interface ListPage<P = never> {
  readonly items: readonly unknown[]
  readonly next?: P | undefined
}

interface ListSteps<R extends RouteName, P> {
  /** The values that a cursor belongs to; a list without cursors has none. */
  of?(values: Values<R>): ListParts
  /** Why there is no page at a place, undefined at the beginning. */
  refuse?(served: ActiveSnapshot, values: Values<R>, place: P | undefined): Problem | undefined
  page(served: ActiveSnapshot, values: Values<R>, place: P | undefined): ListPage<P>
}

/** An operation whose items are made as JSON values, page by page. */
export function listOperation<R extends RouteName, P = never>(
  route: R,
  { of, refuse, page }: ListSteps<R, P>,
): OperationHandler {
  const partsOf = (values: Values<R>) => [route, ...(of?.(values) ?? [])]
  return operation(route, {
    understand: (values, served) => {
      const { cursor } = values as { readonly cursor?: string }
      const read = served.cursors.read<P>(partsOf(values), cursor)
      if (read.problem !== undefined) return read
      const problem = refuse?.(served, values, read.value)
      return problem === undefined ? { value: { values, place: read.value } } : { problem }
    },
    find: (served, { values, place }) => page(served, values, place),
    render: ({ cursors }, { values }, { items, next }, body): Written => {
      body.text(items.map((item) => JSON.stringify(item)).join())
      if (next === undefined) return { way: '', members: '' }
      return { way: '', members: `,"next_cursor":"${cursors.write(partsOf(values), next)}"` }
    },
  })
}

/** Undefined if the file is gone: removed as too old, written anew without a person, or cut off. */
export function readFrom<T>(file: ChangeFile, read: (people: ReadPeople) => T): T | undefined {
  try {
    return withPeople(file, read)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof Refusal
    if (isGone) return undefined
    throw error
  }
}

/** The key that all spellings of a topic share; '' for ''. @param text its label or an alias. */
export function keyOfTopic(catalog: Catalog, text: string): string {
  const topic = text === '' ? -1 : catalog.findTopic(topicKey(text))
  return topicKey(topic < 0 ? text : catalog.labelOf(topic))
}
