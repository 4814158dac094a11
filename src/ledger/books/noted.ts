/**
 * Changes that are not one of the books: the audit log has the entry before the change is made, and
 * a second one where it failed. The request is noted as carried out behind the change.
 */
import { Refusal } from '../../problems.ts'
import type { Books } from './books.ts'
import type { TrailContent } from './trail.ts'

type Noted = Pick<TrailContent, 'action' | 'subject' | 'before' | 'after'> &
  Partial<Pick<TrailContent, 'details'>>

export async function noted<T>(
  books: Pick<Books, 'note' | 'noteMade'>,
  what: Noted,
  work: () => Promise<T>,
): Promise<T> {
  const { details = {} } = what
  await books.note({ ...what, details })
  let result: T
  try {
    result = await work()
  } catch (error) {
    const { action, before } = what
    const reason = error instanceof Refusal ? error.message : 'a bug'
    const failed = { action: `${action}.failed`, before, after: before, details: { reason } }
    await books.note({ ...what, ...failed })
    throw error
  }
  await books.noteMade(result)
  return result
}
