/** The tool of a match, and its text of an answer. */
import type * as z from 'zod'
import { parseHandle } from '../../../text/handle.ts'
import { reasonOf, someOf, type Tool, unknownOf, withNote } from '../tool-texts.ts'
import type { match } from './schema.ts'

type Match = z.output<typeof match>

/** The tool `match_handle`. */
export const matchTool: Tool<'match', Match> = {
  conciseFields: ['sdu', 'name', 'rank', 'country_name', 'topic', 'handle', 'explanation'],
  rest: 'values',
  read: (items, { input: { handles }, all, chosen }) => {
    const owned = new Set(all.map((item) => identityOf(item.handle ?? handles[0]!)))
    const unowned = handles.filter((handle) => !owned.has(identityOf(handle)))
    const missing = unowned.length === 0 ? '' : `No authority owns ${someOf(unowned)}`
    if (all.length > 0) {
      const text = withNote(chosen ?? matchLines(items, handles[0]!), missing)
      return { text, more: unknownOf(unowned) }
    }
    const way = "try search_authorities with the person's name"
    return { text: `${missing}; ${way}.`, more: unknownOf(unowned, way) }
  },
}

/** The identity that all spellings of one handle share. */
function identityOf(handle: string): string {
  const { platform, key } = parseHandle(handle)
  return `${platform ?? ''}:${key}`
}

/** `@ann: owned by Ann Other (France), SDU 7, rank 3 in Rust` for each. */
function matchLines(items: readonly Match[], onlyHandle: string): string {
  return items.map((item) => matchLine(item, onlyHandle)).join('\n')
}

function matchLine(item: Match, onlyHandle: string): string {
  const { handle = onlyHandle, name, country_name: country, sdu, rank, topic } = item
  const owner = country === '' ? name : `${name} (${country})`
  return `${handle}: owned by ${owner}, SDU ${sdu}, rank ${rank} in ${topic}${reasonOf(item)}`
}
