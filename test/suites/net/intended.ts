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

const changed = /"resources\/(?:templates\/)?list"|"authority-index:\/\/topics"|"name":"fetch"/
const largest = /Largest topics here: .*? \(data from records\)/
const largestAgain =
  / The largest topics of this index: (?:[^"\\]|\\.)*(?=")|,"largest_topics":\[(?:"(?:[^"\\]|\\.)*",?)*\]/g

const iconsOfTools = /(?<="openWorldHint":false\}),"icons":\[\{[^}]*\}\]/g

export const intended: readonly Intended[] = [
  {
    reason:
      'MCP lists topics as their route does, and names the largest once; a document of fetch is cut as any result.',
    rewrite: (before, { ask: { target, body = '' }, after }) => {
      if (!target.startsWith('/mcp')) return before
      if (changed.test(body)) return after
      const named = before.body.replace(largest, largest.exec(after.body)?.[0] ?? '')
      const text = named.replace(largestAgain, '').replace(iconsOfTools, '')
      return text === before.body ? before : { ...before, head: after.head, body: text }
    },
  },
]
