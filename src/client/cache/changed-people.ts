/** The people that the changes between two snapshots are about. */

import { ChangesGoneError } from '../failures.ts'
import { type ChangedPeople, lettersAndDigits } from './answer-cache.ts'

/** The members of a change that are read. */
interface ReadChange {
  readonly type: string
  readonly sdu: string
  readonly before: unknown
  readonly after: unknown
}

/** Reads pages of changes to the end; undefined if they do not go back so far. */
export async function changedSince(
  pages: AsyncIterable<{ readonly results: readonly ReadChange[] }>,
): Promise<ChangedPeople | undefined> {
  const sdus = new Set<string>()
  const handles = new Set<string>()
  try {
    for await (const { results } of pages) {
      for (const { type, sdu, before, after } of results) {
        sdus.add(sdu)
        if (type !== 'handle') continue
        for (const text of [before, after]) {
          if (typeof text === 'string') handles.add(lettersAndDigits(text.replace(/^[^:]*:/, '')))
        }
      }
    }
  } catch (error) {
    if (error instanceof ChangesGoneError) return undefined
    throw error
  }
  return { sdus, handles: [...handles] }
}
