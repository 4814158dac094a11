/** Every operation of administration, once. Its rows stand in `rows/`, by what they work on. */
import type { AdminOperation, ServedOperation } from './operation.ts'
import { bookOperations } from './rows/books.ts'
import { peopleOperations } from './rows/people.ts'
import { snapshotOperations } from './rows/snapshots.ts'

export const adminRoot = '/admin/v1'

const table = { ...bookOperations, ...snapshotOperations, ...peopleOperations }

export type AdminOperationName = keyof typeof table

export const adminOperations: Readonly<Record<AdminOperationName, AdminOperation>> = table

/** The operations of the admin API, in the order of the table. */
export const servedOperations: readonly (readonly [AdminOperationName, ServedOperation])[] =
  Object.entries(adminOperations).flatMap(([name, row]) =>
    row.localOnly ? [] : [[name as AdminOperationName, row] as const],
  )
