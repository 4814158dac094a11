/** The tool of a ranking of sources; its text has a line for each known author, and groups of the other sources. */
import type * as z from 'zod'
import { withoutKeys } from '../../../ledger/books/key.ts'
import type { Tool } from '../tool-texts.ts'
import { unknownReasons } from './render.ts'
import type { rankedSource } from './schema.ts'

type RankedSourceItem = z.output<typeof rankedSource>

/** The tool `rank_sources`. */
export const rankTool: Tool<'rank', RankedSourceItem> = {
  conciseFields: ['source', 'sdu', 'name', 'authority_score', 'rank', 'topic'],
  rest: 'values',
  isGrouped: ({ sdu }) => sdu === null,
  read: (items, { all }) => {
    const groups = groupsOf(all.filter(({ sdu }) => sdu === null))
    const parts = [sourceLines(items), ...groups.map(groupLine)]
    return {
      text: parts.filter((part) => part !== '').join('\n\n'),
      more: groups.length === 0 ? {} : { unknown: groups },
    }
  },
}

/** `1. https://x.com/ann: Ann Other, score 61, rank 3 in Rust, SDU 7` for each source. */
function sourceLines(items: readonly RankedSourceItem[]): string {
  return items.map((item, index) => `${index + 1}. ${item.source}: ${publisherOf(item)}`).join('\n')
}

function publisherOf({ name, sdu, authority_score: score, rank, topic }: RankedSourceItem): string {
  const place = rank === null ? `not ranked in ${topic}` : `rank ${rank} in ${topic}`
  return `${name}, score ${score}, ${place}, SDU ${sdu}`
}

/** Sources whose authors are unknown for one reason. */
interface Group {
  readonly reason: keyof typeof unknownReasons
  /** The reason in words. */
  readonly why: string
  readonly count: number
  /** The first of them, in the order of the request. */
  readonly sources: readonly string[]
}

/** Sources and characters of each that a group repeats: the caller has all of them. */
const sourcesMax = 10
const charactersMax = 80

function groupsOf(items: readonly RankedSourceItem[]): Group[] {
  const reasons = [...new Set(items.map(({ reason }) => reason))]
  return reasons.map((reason) => {
    const sources = items.filter((item) => item.reason === reason).map(({ source }) => source ?? '')
    return {
      reason: reason!,
      why: unknownReasons[reason!],
      count: sources.length,
      sources: sources.slice(0, sourcesMax).map(startOfSource),
    }
  })
}

/** Without a key, which would not be known as one behind a cut. */
function startOfSource(source: string): string {
  return withoutKeys(source).slice(0, charactersMax)
}

function groupLine({ why, count, sources }: Group): string {
  const more = count > sources.length ? ` and ${count - sources.length} more` : ''
  return `No known author (${count}; ${why}): ${sources.join(', ')}${more}`
}
