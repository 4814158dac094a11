/**
 * The differences between two builds that are intended, one row for each: how it leaves an answer of the older build.
 * What all rows leave has to be the answer of the newer build to the byte. The list is empty between two changes of the
 * interface: the change that makes a difference adds its row, and the next build to compare with takes it out.
 */
import type { ComparedAnswer, Difference } from './comparison.ts'

export interface Intended {
  /** Why the newer build answers differently: one sentence. */
  readonly reason: string
  /** The answer as the newer build has to give it; the same object where the row has nothing to change. */
  readonly rewrite: (before: ComparedAnswer, difference: Difference) => ComparedAnswer
}

const beginnings =
  / `since` is the id of a snapshot \(32 hexadecimal digits\), not a date\.(?: Known snapshots[^"\\]*)?(?=")/g

const editorLinks = /^- Add the MCP server to .*\n/m

export const intended: readonly Intended[] = [
  {
    reason:
      'A refused beginning of changes names no snapshots in MCP, and llms.txt has no links of editors.',
    rewrite: (before, { ask: { target }, after }) => {
      if (target !== '/llms.txt' && !target.startsWith('/mcp')) return before
      const text = before.body.replace(beginnings, '').replace(editorLinks, '')
      return text === before.body ? before : { ...before, head: after.head, body: text }
    },
  },
]
