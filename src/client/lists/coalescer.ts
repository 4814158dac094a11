/**
 * Single questions of one turn of the event loop as one batch. Equal ones are one. Invariant: every caller
 * gets the answer or the error of its own value; a value that is refused fails no other.
 */
import {
  CapReachedError,
  InsufficientBalanceError,
  InvalidParameterError,
  PayloadTooLargeError,
} from '../failures.ts'
import { bodyParts } from '../questions.ts'

/** Answers values, one result for each in their order. */
type RunBatch<T> = (values: readonly string[]) => Promise<readonly T[]>

interface Waiting<T> {
  readonly resolve: (answer: T) => void
  readonly reject: (error: unknown) => void
}

interface Group<T> {
  readonly run: RunBatch<T>
  readonly values: Map<string, Waiting<T>[]>
}

/** Gathers questions. */
export class Coalescer<T> {
  #groups = new Map<string, Group<T>>()

  /**
   * Asks for a value together with the others of its group.
   * @param group what questions of one batch have in common.
   */
  ask(group: string, value: string, run: RunBatch<T>, signal?: AbortSignal): Promise<T> {
    let leave: () => void
    const answer = new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted()
      leave = () => reject(signal!.reason)
      signal?.addEventListener('abort', leave, { once: true })
      if (this.#groups.size === 0) setTimeout(() => this.#flush(), 0)
      const known = this.#groups.get(group) ?? { run, values: new Map() }
      this.#groups.set(group, known)
      const waiting = known.values.get(value)
      if (waiting === undefined) known.values.set(value, [{ resolve, reject }])
      else waiting.push({ resolve, reject })
    })
    return answer.finally(() => signal?.removeEventListener('abort', leave))
  }

  #flush(): void {
    const groups = this.#groups
    this.#groups = new Map()
    for (const group of groups.values()) {
      for (const part of bodyParts([...group.values.keys()])) void settle(group, part)
    }
  }
}

/** Answers a part of a group; if one value spoils it, its halves. */
async function settle<T>(group: Group<T>, part: readonly string[]): Promise<void> {
  try {
    const answers = await group.run(part)
    part.forEach((value, index) => {
      for (const { resolve } of group.values.get(value)!) resolve(answers[index]!)
    })
  } catch (error) {
    if (part.length > 1 && isOfSome(error, part)) {
      const half = part.length >> 1
      await Promise.all([settle(group, part.slice(0, half)), settle(group, part.slice(half))])
      return
    }
    for (const value of part) for (const { reject } of group.values.get(value)!) reject(error)
  }
}

/** Whether the values of a refused part may be answered in smaller parts. */
function isOfSome(error: unknown, { length }: readonly string[]): boolean {
  if (error instanceof InsufficientBalanceError) {
    const left = error instanceof CapReachedError ? error.remainingUsd : error.balanceUsd
    return (error.costUsd ?? Infinity) / length <= (left ?? 0)
  }
  return error instanceof InvalidParameterError || error instanceof PayloadTooLargeError
}
