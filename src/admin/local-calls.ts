/**
 * The operations of the admin API without its listener: a command carries them out on the ledger and the directory
 * themselves. The same schemas read them, and the same handlers do the work.
 */
import type * as z from 'zod'
import { Refusal } from '../problems.ts'
import type { AdminContext } from './handler.ts'
import { adminHandlers } from './handlers/every.ts'
import type { AdminOperation } from './operation.ts'
import { type AdminOperationName, adminOperations } from './operations.ts'

/** Arguments of a call of an operation. */
export interface Given {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: Readonly<Record<string, unknown>>
}

/** Carries out an operation; returns its answer, as JSON has it. @throws Refusal. */
export type CallOperation = (
  name: AdminOperationName,
  given?: Given,
  // biome-ignore lint/suspicious/noExplicitAny: read by the names of its members
) => Promise<any>

/** Calls of operations here. @param context without `books`, only what reads no ledger can be called. */
export function localCalls(
  context: Omit<AdminContext, 'books'> & Partial<AdminContext>,
): CallOperation {
  return async (name, { params = {}, query = {}, body = {} } = {}) => {
    const operation: AdminOperation = adminOperations[name]
    const { run, show } = adminHandlers[name]
    const input = {
      params,
      query: operation.query && read(operation.query, query),
      body: operation.body && read(operation.body, body),
    }
    return show((await run({ ...context, ...input } as never)) as never)
  }
}

function read(schema: z.ZodType, value: unknown): unknown {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const { path, message } = error.issues[0]!
  throw new Refusal('wrong-usage', path.length === 0 ? message : `${path.join('.')}: ${message}`)
}
