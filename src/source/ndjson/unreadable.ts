/** The refusal of a file that cannot be read. */
import { Refusal } from '../../problems.ts'

export function unreadable(path: string, error: unknown): Refusal {
  return new Refusal('source-unreadable', `${path} cannot be read: ${(error as Error).message}`)
}
