/** The tool of a history; its text has a line for each moment, latest first. */
import type * as z from 'zod'
import { someOf, type Tool, unknownOf } from '../tool-texts.ts'
import type { moment } from './schema.ts'

type Moment = z.output<typeof moment>

/** The tool `get_history`. */
export const historyTool: Tool<'history', Moment> = {
  conciseFields: ['sdu', 'at', 'topic', 'rank', 'authority_score'],
  rest: 'narrower',
  read: (items, { input: { sdus }, all }) =>
    all.length === 0
      ? { text: `No history is known of SDU ${someOf(sdus)}.`, more: unknownOf(sdus) }
      : { text: items.map(momentLine).join('\n') },
}

/** `SDU 7 since 2026-11-01: rank 3 in Rust, authority score 61`. */
function momentLine({ sdu, at, topic, rank, authority_score: score }: Moment): string {
  const since = at === null ? 'from the oldest known snapshot on' : `since ${at.slice(0, 10)}`
  if (score === null) return `SDU ${sdu} ${since}: not in the index`
  const place = rank === null ? 'not among the first 50' : `rank ${rank}`
  return `SDU ${sdu} ${since}: ${place}${topic === null ? '' : ` in ${topic}`}, authority score ${score}`
}
