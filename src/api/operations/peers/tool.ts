/** The tool of peers, and its text of an answer. */
import type * as z from 'zod'
import type { summary } from '../../schemas/person.ts'
import { rankedLines, someOf, type Tool, unknownOf } from '../tool-texts.ts'

/** The tool `find_peers`. */
export const peersTool: Tool<'peers', z.output<typeof summary>> = {
  conciseFields: ['sdu', 'name', 'rank', 'country_name', 'topic', 'explanation'],
  rest: 'pages',
  read: (items, { input: { handles }, all, chosen }) =>
    all.length === 0
      ? {
          text: `No authority is known to be connected with ${someOf(handles)}.`,
          more: unknownOf(handles),
        }
      : { text: chosen ?? rankedLines(items) },
}
