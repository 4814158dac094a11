/** The refusal of a file system as one line: a full disk is no bug. */
import { Refusal } from '../../problems.ts'
import { isStorageError } from '../../process/sync-file.ts'

/**
 * Runs work on files, which may be asynchronous. @param place named in the message.
 * @throws Refusal `store-refused` in the place of an error of the system; every other error as it
 * is.
 */
export function orStoreRefused<T>(place: string, work: () => T): T {
  const refuse = (error: unknown): never => {
    if (!isStorageError(error)) throw error
    throw new Refusal('store-refused', `${place}: ${error.message}`)
  }
  try {
    const result = work()
    return result instanceof Promise ? (result.catch(refuse) as T) : result
  } catch (error) {
    return refuse(error)
  }
}
