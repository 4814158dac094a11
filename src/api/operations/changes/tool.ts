/** The tool of changes; its text has a line for each change, the person by SDU. */
import type * as z from 'zod'
import { type Tool, withNote } from '../tool-texts.ts'
import type { change } from './schema.ts'

type ChangeItem = z.output<typeof change>

/** The tool `list_changes`. */
export const changesTool: Tool<'changes', ChangeItem> = {
  conciseFields: ['type', 'sdu'],
  rest: 'narrower',
  read: (items, { all }) =>
    all.length === 0
      ? { text: 'Nothing of this kind has changed.' }
      : { text: withNote(items.map(changeLine).join('\n'), countsOf(all)) },
}

/** `SDU 7: rank in Rust 3 → 2`, `SDU 8: added, Ann Other`. */
function changeLine({ type, sdu, topic, before, after }: ChangeItem): string {
  const name = nameIn(after) ?? nameIn(before)
  if (type === 'added' || type === 'removed' || type === 'merged') {
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

/** `12 changes of 5 people: added 1, rank 11`. */
function countsOf(items: readonly ChangeItem[]): string {
  const counts = new Map<string, number>()
  for (const { type } of items) counts.set(type, (counts.get(type) ?? 0) + 1)
  const people = new Set(items.map(({ sdu }) => sdu)).size
  const parts = [...counts].map(([type, count]) => `${type} ${count}`)
  return `Changes on this page: ${items.length}, of people: ${people} (${parts.join(', ')})`
}
