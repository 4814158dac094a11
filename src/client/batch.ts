/**
 * Single values of one turn of the event loop as one body. Equal ones are one. Invariant: every caller gets the answer or
 * the error of its own value; a value that is refused fails no other.
 */
import type { Answer } from './answers.ts'
import { BadRequestError } from './errors.ts'
import { bodyParts } from './lists.ts'

/** Answers values, one item for each in their order. */
type Run<T> = (values: readonly string[]) => Promise<Answer<readonly T[]>>

interface Waiting<T> {
  readonly resolve: (answer: Answer<T>) => void
  readonly reject: (error: unknown) => void
}

interface Group<T> {
  readonly run: Run<T>
  readonly values: Map<string, Waiting<T>[]>
}

export class Batch<T> {
  #groups = new Map<string, Group<T>>()

  /** @param group what the values of one body have in common. */
  ask(group: string, value: string, run: Run<T>, signal?: AbortSignal): Promise<Answer<T>> {
    let leave: () => void
    const answer = new Promise<Answer<T>>((resolve, reject) => {
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

/** Answers a part of a group; without the value that a refusal names, once more. */
async function settle<T>(group: Group<T>, part: readonly string[]): Promise<void> {
  try {
    const answer = await group.run(part)
    const cost = answer.cost / part.length
    part.forEach((value, at) => {
      for (const { resolve } of group.values.get(value)!) {
        resolve({ ...answer, data: answer.data[at]!, cost })
      }
    })
  } catch (error) {
    const wrong = part[placeOf(error)]
    const refused = wrong === undefined ? part : [wrong]
    for (const value of refused) for (const { reject } of group.values.get(value)!) reject(error)
    const others = wrong === undefined ? [] : part.filter((value) => value !== wrong)
    if (others.length > 0) await settle(group, others)
  }
}

/** The place of the value that a refusal names, as in `handles[3] is not a string`; -1 if it names none. */
function placeOf(error: unknown): number {
  if (!(error instanceof BadRequestError)) return -1
  return Number(/^\w+\[(\d+)\]/.exec(String(error.problem?.detail))?.[1] ?? -1)
}
