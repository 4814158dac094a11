/**
 * Results as text if the model has named fields or asked for a page: a model reads the text when its
 * client shows it no structured content.
 */
import { reasonOf } from '../api/operations/tool-texts.ts'
import type { Explanation } from '../api/schemas/person.ts'

/** `sdu 7, authority_score 61` for each item with the requested fields. */
export function chosenLines(items: readonly Chosen[]): string {
  return items.map(chosenLine).join('\n')
}

interface Chosen extends Readonly<Record<string, unknown>> {
  readonly explanation?: Explanation
}

function chosenLine({ explanation, ...fields }: Chosen): string {
  const told = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${told.join(', ')}${reasonOf({ explanation })}`
}

/** Adds to a text the number of all matches, and the cursor of the next page. */
export function withPage(
  text: string,
  { total, next_cursor: next }: { readonly total?: number; readonly next_cursor?: string | null },
): string {
  if (total === undefined) return text
  const more = typeof next === 'string' ? `; go on with cursor ${next}` : ''
  return `${text}\n\n${total} in all${more}`
}
