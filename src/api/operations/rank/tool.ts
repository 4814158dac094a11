/** How the tool of a ranking of sources reads an answer. */
import type * as z from 'zod'
import type { Tool } from '../tool-texts.ts'
import type { rankedSource } from './schema.ts'

type RankedSourceItem = z.output<typeof rankedSource>

/** The tool `rank_sources`. */
export const rankTool: Tool<'rank', RankedSourceItem> = {
  conciseFields: ['source', 'sdu', 'name', 'authority_score'],
  read: (items) => ({ text: sourceLines(items) }),
}

/** `1. https://x.com/ann: Ann Other, authority score 61, rank 3 in Rust, SDU 7` for each source. */
function sourceLines(items: readonly RankedSourceItem[]): string {
  return items.map((item, index) => `${index + 1}. ${item.source}: ${publisherOf(item)}`).join('\n')
}

function publisherOf({ name, sdu, authority_score: score, rank, topic }: RankedSourceItem): string {
  if (sdu === null) return 'nobody known'
  const place = rank === null ? `not ranked in ${topic}` : `rank ${rank} in ${topic}`
  return `${name}, authority score ${score}, ${place}, SDU ${sdu}`
}
