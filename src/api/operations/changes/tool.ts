/** The tool of changes; its text has a line for each change, the person by SDU. */
import type * as z from 'zod'
import { type Tool, withNote } from '../tool-texts.ts'
import type { change } from './schema.ts'

type ChangeItem = z.output<typeof change>

/** The tool `list_changes`. */
export const changesTool: Tool<'changes', ChangeItem> = {
  conciseFields: ['type', 'sdu', 'topic', 'before', 'after'],
  concise: ({ type, sdu, before, after }) =>
    isOfPerson(type) ? { type, sdu, name: nameIn(after) ?? nameIn(before) ?? null } : undefined,
  rest: 'narrower',
  read: (items, { all }) => {
    if (all.length === 0) {
      const hint = 'Nothing of this kind has changed.'
      return { text: hint, more: { hint } }
    }
    const counts = countsOf(all)
    return { text: withNote(items.map(changeLine).join('\n'), inWords(counts)), more: { counts } }
  },
}

/** Whether a change is of a whole person, whose profile is too long for a line. */
function isOfPerson(type: ChangeItem['type']): boolean {
  return type === 'added' || type === 'removed' || type === 'merged'
}

/** `SDU 7: rank in Rust 3 → 2`, `SDU 8: added, Ann Other`. */
function changeLine({ type, sdu, topic, before, after }: ChangeItem): string {
  const name = nameIn(after) ?? nameIn(before)
  if (isOfPerson(type)) {
    return `SDU ${sdu}: ${type}${name === undefined ? '' : `, ${name}`}`
  }
  const what = topic === null ? type.replace('_', ' ') : `${type} in ${topic}`
  return `SDU ${sdu}: ${what} ${valueText(before)} → ${valueText(after)}`
}

/** The name in a profile item. */
function nameIn(value: ChangeItem['after']): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return typeof value.name === 'string' ? value.name : undefined
}

/** Characters of a value that a line repeats. */
const valueCharactersMax = 100

function valueText(value: ChangeItem['after']): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === 'null' ? 'none' : text.slice(0, valueCharactersMax)
}

interface Counts {
  readonly changes: number
  readonly people: number
  readonly types: Readonly<Record<string, number>>
}

function countsOf(items: readonly ChangeItem[]): Counts {
  const types = new Map<string, number>()
  for (const { type } of items) types.set(type, (types.get(type) ?? 0) + 1)
  const people = new Set(items.map(({ sdu }) => sdu)).size
  return { changes: items.length, people, types: Object.fromEntries(types) }
}

/** `Changes on this page: 12, of people: 5 (added 1, rank 11)`. */
function inWords({ changes, people, types }: Counts): string {
  const parts = Object.entries(types).map(([type, count]) => `${type} ${count}`)
  return `Changes on this page: ${changes}, of people: ${people} (${parts.join(', ')})`
}
