/** Rejects by what is wrong with them: each field and reason once, with the first three. */

import { jsonWithAllDigits } from '../source/loose-json.ts'
import type { RejectSink } from '../source/rejects.ts'
import type { Reject } from '../source/source.ts'

const examplesMax = 3
const exampleCharactersMax = 120

export interface RejectGroup {
  /** Without the places in lists: `topics.weight`. */
  readonly field: string
  readonly reason: string
  count: number
  readonly examples: RejectExample[]
}

interface RejectExample {
  readonly position: string
  /** JSON, or the beginning of the record where the field has none. */
  readonly value: string
}

export class RejectGroups implements RejectSink {
  readonly #groups = new Map<string, RejectGroup>()
  readonly #isWithheld: (raw: string) => boolean

  constructor(isWithheld: (raw: string) => boolean = () => false) {
    this.#isWithheld = isWithheld
  }

  add({ position, field, reason, raw }: Reject): void {
    const group = this.#groupOf(field.replaceAll(/\.\d+(?=\.|$)/g, ''), reason)
    group.count += 1
    if (group.examples.length === examplesMax || this.#isWithheld(raw)) return
    group.examples.push({ position, value: valueIn(raw, field) })
  }

  #groupOf(field: string, reason: string): RejectGroup {
    const key = `${field}\0${reason}`
    const group = this.#groups.get(key) ?? { field, reason, count: 0, examples: [] }
    this.#groups.set(key, group)
    return group
  }

  sorted(): RejectGroup[] {
    return [...this.#groups.values()].sort((a, b) => b.count - a.count)
  }
}

function ownMember(value: unknown, name: string): unknown {
  const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, name)
  return isOwn ? (value as Record<string, unknown>)[name] : undefined
}

function valueIn(raw: string, field: string): string {
  let value: unknown
  try {
    value = jsonWithAllDigits(raw)
    for (const name of field.split('.')) value = ownMember(value, name)
  } catch {
    value = undefined
  }
  return (JSON.stringify(value) ?? raw).slice(0, exampleCharactersMax)
}
