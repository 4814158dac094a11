/** How the tool of peers reads an answer. */
import type * as z from 'zod'
import type { summary } from '../../schemas/person.ts'
import { rankedLines, type Tool } from '../tool-texts.ts'

/** The tool `find_peers`. */
export const peersTool: Tool<'peers', z.output<typeof summary>> = {
  conciseFields: ['sdu', 'name', 'rank', 'explanation'],
  read: (items, { handles }, _, chosen) =>
    items.length === 0
      ? { text: `No authority is known to be connected with ${handles.join(', ')}.` }
      : { text: chosen ?? rankedLines(items) },
}
