/** The handler of every operation, by its name. */
import type { AdminHandler } from '../handler.ts'
import type { AdminOperationName } from '../operations.ts'
import { bookHandlers } from './books.ts'
import { dataHandlers } from './data.ts'
import { peopleHandlers } from './people.ts'

/** The handlers. */
export const adminHandlers: Readonly<Record<AdminOperationName, AdminHandler>> = {
  ...bookHandlers,
  ...dataHandlers,
  ...peopleHandlers,
}
