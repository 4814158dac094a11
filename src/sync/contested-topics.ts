/** The report of a sync on topics whose names mean something else in a search: one line, the largest first. */
import type { ContestedTopic } from '../indexer/topic-phrases.ts'
import type { Progress } from './progress.ts'

const namedMax = 10

export function noteContested(contested: readonly ContestedTopic[], progress: Progress): void {
  if (contested.length === 0) return
  const named = contested
    .toSorted((a, b) => b.members - a.members)
    .slice(0, namedMax)
    .map(({ key, members, meaning }) => `"${key}" (members: ${members}) is ${meaning}`)
  const more = contested.length > namedMax ? ', …' : ''
  progress.note(
    `${contested.length} names of topics mean something else in a search: ${named.join(', ')}${more}`,
  )
}
