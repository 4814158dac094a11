/**
 * Proves that the tail of a head is complete before the head is served. A head whose tail cannot be proved is tried again
 * at the next look, and the one before it is served meanwhile.
 */
import { limits } from '../../limits.ts'
import { Refusal, thrownMessage } from '../../problems.ts'
import { readHeader } from '../../snapshot/file.ts'
import { pathOf } from '../../snapshot/store/directory.ts'
import { openRedisTail } from '../../tail/redis-tail.ts'
import { earlierTailNamesOf, type TailFacts, tailNameOf } from '../../tail/tail-store.ts'

/**
 * The facts of the tail of a stored snapshot; undefined for one that is no head.
 * @param uri of the tail; '' without one.
 * @throws Refusal `snapshot-refused` for a head without a tail, or a whole snapshot with one; Error while the tail is
 * not reached or not complete.
 */
export async function tailOf(
  uri: string,
  directory: string,
  id: string,
): Promise<TailFacts | undefined> {
  const path = pathOf(directory, id)
  const { authorities, people } = readHeader(path).counts
  if (people === undefined) return undefined
  if (uri === '') {
    const problem = `${path}: holds the first ${authorities} of ${people} people only`
    throw new Refusal('snapshot-refused', `${problem}: start the service with --tail`)
  }
  const { facts, isEarlier } = await factsAt(uri, id)
  if (facts?.head === authorities && facts.people === people) return facts
  const problem = isEarlier ? 'has the form of an earlier version' : 'is not complete'
  // No refusal: a tail that is not complete may become so.
  throw new Error(`the tail of ${id} ${problem}: sync again with --tail`)
}

/** The facts of the tail of a snapshot, and where it has none whether a tail of an earlier form does. */
async function factsAt(uri: string, id: string) {
  const tail = await openRedisTail(uri, { commandMsMax: limits.tailCallMsMax })
  try {
    const facts = await tail.facts(tailNameOf(id))
    if (facts !== undefined) return { facts, isEarlier: false }
    const earlier = await Promise.all(earlierTailNamesOf(id).map((name) => tail.facts(name)))
    return { facts, isEarlier: earlier.some((each) => each !== undefined) }
  } catch (error) {
    const reason = thrownMessage(error)
    throw new Error(`the tail of ${id} is not reached: ${reason}`, { cause: error })
  } finally {
    await tail.close()
  }
}
