/** The handler of an operation of the admin API: it makes the change and shows its result. */
import type * as z from 'zod'
import type { Books } from '../ledger/books/books.ts'
import type { Prices } from '../operations.ts'
import { Refusal } from '../problems.ts'
import type { AdminOperation } from './operation.ts'
import type { AdminOperationName, adminOperations } from './operations.ts'

type Row<N extends AdminOperationName> = (typeof adminOperations)[N]
type QueryOf<R> = R extends { query: infer Q extends z.ZodType } ? z.output<Q> : undefined
type BodyOf<R> = R extends { body: infer B extends z.ZodType } ? z.output<B> : undefined
type ParamsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never

/** The dependencies of the admin API. */
export interface AdminContext {
  /** The ledger, for changes of the cause of the request. */
  readonly books: Books
  /** The directory of the snapshots. */
  readonly snapshots: string
  /** The file of the key of the list of removals; '' for the one that the list names. */
  readonly removalKey: string
  /** The object storage that the directory is a mirror of; '' for none. */
  readonly follow: string
  readonly prices: Prices
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** A request that was read. */
interface AdminCall<N extends AdminOperationName> extends AdminContext {
  readonly params: Readonly<Record<ParamsOf<Row<N>['path']>, string>>
  readonly query: QueryOf<Row<N>>
  readonly body: BodyOf<Row<N>>
}

/** An answer that is a file. */
export interface AdminFile {
  readonly name: string
  readonly contentType: string
  readonly body: string
}

/** An operation as the pipeline carries it out. */
export interface AdminHandler {
  /** @throws Refusal. */
  readonly run: (call: never) => Promise<unknown>
  /** Shows the result as a file, if the request asks for one. */
  readonly file?: (result: never, call: never) => AdminFile | undefined
  /** Shows the result as JSON. It is called within the transaction of a change, so it asks nothing. */
  readonly show: (result: never) => unknown
}

/** A handler of an operation. */
export function handler<N extends AdminOperationName, T>(
  _: N,
  run: (call: AdminCall<N>) => Promise<T>,
  show: (result: T) => z.input<Row<N>['result']>,
  file?: (result: T, call: AdminCall<N>) => AdminFile | undefined,
): AdminHandler {
  return { run, show, ...(file && { file }) }
}

/** A page of a list that is in memory as a whole; the cursor is the name of the last item. */
export function pageAmong<T>(
  all: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  nameOf: (item: T) => string,
): { readonly items: readonly T[]; readonly next: string | null } {
  const last = cursor === undefined ? -1 : all.findIndex((item) => nameOf(item) === cursor)
  if (cursor !== undefined && last < 0) {
    throw new Refusal('wrong-usage', 'cursor: it is not known (any more); begin without one')
  }
  const items = all.slice(last + 1, last + 1 + limit)
  const isLast = last + 1 + limit >= all.length
  return { items, next: isLast ? null : nameOf(items.at(-1)!) }
}

/** The names of the parameters in the path of an operation. */
export function parametersIn({ path }: AdminOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}
