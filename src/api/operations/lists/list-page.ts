/** Pages of items that are made as JSON values (topics, snapshots, changes, histories), and the files that changes are of. */
import type { Catalog } from '../../../engine/catalog.ts'
import type { RouteName } from '../../../operations.ts'
import { Refusal } from '../../../problems.ts'
import {
  type ChangeFile,
  type ReadPeople,
  withPeople,
} from '../../../snapshot/changes/change-file.ts'
import { topicKey } from '../../../text/analyzer.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { Parsed } from '../../exchange.ts'
import type { ListParts } from '../../parameters/cursor.ts'
import type { OperationHandler } from '../../pipeline/operation-handler.ts'
import type { Values } from '../../schemas/inputs.ts'
import { operation } from '../operation.ts'

/** `next` is the place behind the page, any JSON value; undefined behind the last. */
export interface ListPage<P = never> {
  readonly items: readonly unknown[]
  readonly next?: P | undefined
}

interface ListSteps<R extends RouteName, P, B> {
  /** The values that a cursor belongs to; a list without cursors has none. */
  of?(values: Values<R>): ListParts
  /** What the page at a place begins with, the place itself unless given, or why there is none. */
  begin?(served: ActiveSnapshot, values: Values<R>, place: P | undefined): Parsed<B>
  page(served: ActiveSnapshot, values: Values<R>, begun: B): ListPage<P>
}

/** An operation whose items are made as JSON values, page by page. */
export function listOperation<R extends RouteName, P = never, B = P | undefined>(
  route: R,
  { of, begin, page }: ListSteps<R, P, B>,
): OperationHandler {
  return operation(route, {
    understand: (values, served) => {
      const { cursor } = values as { readonly cursor?: string }
      const list: ListParts = [route, ...(of?.(values) ?? [])]
      const { value: place, problem } = served.cursors.read<P>(list, cursor)
      if (problem !== undefined) return { problem }
      const begun = begin?.(served, values, place) ?? { value: place as B }
      if (begun.problem !== undefined) return begun
      return { value: { values, list, begun: begun.value } }
    },
    find: (served, { values, begun }) => page(served, values, begun),
    render: ({ cursors }, { list }, { items, next }, body): Written => {
      body.text(items.map((item) => JSON.stringify(item)).join())
      if (next === undefined) return { way: '', members: '' }
      return { way: '', members: `,"next_cursor":"${cursors.write(list, next)}"` }
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
