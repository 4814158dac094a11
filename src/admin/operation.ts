/** The shape of the rows of `operations.ts`: an operation of the admin API. */
import type * as z from 'zod'
import type { AdminScope } from '../admin-scopes.ts'

/** An operation. */
export interface AdminOperation {
  /** A `GET` changes nothing; a `POST` is a change. */
  readonly method: 'GET' | 'POST'
  /** `{name}` in it is a parameter. */
  readonly path: string
  /** Scope that the admin key must have. */
  readonly scope: AdminScope
  readonly summary: string
  readonly text: string
  /** Query parameters of a GET. */
  readonly query?: z.ZodObject
  /** Body of a POST. */
  readonly body?: z.ZodObject
  readonly result: z.ZodType
  /** Content types of files that it may answer with in place of JSON. */
  readonly files?: readonly string[]
}
