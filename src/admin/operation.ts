/**
 * The rows of `operations.ts`. A row is an operation of administration: what it takes, what it answers, what its words
 * are and what it does. The admin API, its OpenAPI and the command line are made from the rows.
 */
import * as z from 'zod'
import type { AdminScope } from '../admin-scopes.ts'
import type { Books } from '../ledger/books/books.ts'
import { limits } from '../limits.ts'
import { Refusal } from '../problems.ts'

export interface AdminContext {
  /** The ledger, for changes of the cause of the request. */
  readonly books: Books
  readonly snapshots: string
  /** The file of the key of the list of removals; '' for the one that the list names. */
  readonly removalKey: string
  /** The object storage that the directory is a mirror of; '' for none. */
  readonly follow: string
  readonly clock: () => number
}

interface Row<I extends z.ZodObject, R extends z.ZodObject> {
  readonly summary: string
  readonly text: string
  /** Parameters of the path and of the query, or members of the body. An unknown name is refused. */
  readonly input: I
  readonly result: R
  /** On the machine: makes the ledger where there is none, or needs none; a change is not in the audit log then. */
  readonly ledger?: 'made' | 'unused'
  /** @throws Refusal. */
  run(context: AdminContext, input: z.output<I>): Promise<z.input<R>>
}

interface Place {
  /** `{name}` in it is a member of the input. */
  readonly path: string
  readonly scope: AdminScope
}

/** An operation of the admin API, which the command line has, too. */
export interface ServedOperation extends Row<z.ZodObject, z.ZodObject>, Place {
  readonly method: 'GET' | 'POST'
  readonly localOnly?: undefined
}

/** An operation of the command line only, on the machine of the ledger and of the snapshots. */
interface LocalOperation extends Row<z.ZodObject, z.ZodObject> {
  readonly localOnly: true
}

export type AdminOperation = ServedOperation | LocalOperation

/** The compiler checks that a row takes its input and answers its result. Whatever only reads has the scope `read`. */
export function served<I extends z.ZodObject, R extends z.ZodObject>(
  row: Row<I, R> & Place,
): ServedOperation {
  return { ...row, method: row.scope === 'read' ? 'GET' : 'POST' }
}

export function local<I extends z.ZodObject, R extends z.ZodObject>(
  row: Row<I, R>,
): LocalOperation {
  return { ...row, localOnly: true }
}

export const pageQuery = {
  limit: z.coerce.number().int().min(1).max(limits.adminPageMax).default(50),
  cursor: z.string().max(256).optional().describe('`next_cursor` of the page before'),
}

/** The result that is a list of items. */
export function listOf<S extends z.ZodRawShape>(item: S) {
  return z.object({ results: z.array(z.object(item)) })
}

export function pagedListOf<S extends z.ZodRawShape>(item: S) {
  const next_cursor = z.string().nullable().describe('null on the last page')
  return listOf(item).extend({ next_cursor })
}

/** A page of a list that is in memory as a whole; the cursor is the name of the last item. */
export function pageOf<T, J>(
  all: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  nameOf: (item: T) => string,
  shown: (item: T) => J,
): { results: J[]; next_cursor: string | null } {
  const last = cursor === undefined ? -1 : all.findIndex((item) => nameOf(item) === cursor)
  if (cursor !== undefined && last < 0) {
    throw new Refusal('wrong-usage', 'cursor: it is not known (any more); begin without one')
  }
  const items = all.slice(last + 1, last + 1 + limit)
  const isLast = last + 1 + limit >= all.length
  return { results: items.map(shown), next_cursor: isLast ? null : nameOf(items.at(-1)!) }
}

export function parametersIn({ path }: ServedOperation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

/** The input without the parameters of the path: those of its query, or the members of its body. */
export function restOf(operation: ServedOperation): z.ZodObject {
  const inPath = parametersIn(operation).map((name) => [name, true])
  return operation.input.omit(Object.fromEntries(inPath))
}

/** JSON Schema, as far as it is read here. */
export interface Described {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Described[]
  readonly description?: string
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

export function schemaJson(schema: z.ZodType): Described {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json as Described
}
