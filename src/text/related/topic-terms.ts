/**
 * Other words for topics: the tables of this folder as a list of terms, each with the names of the topic
 * that it means. For building an index only: a snapshot carries what it needs of it.
 *
 * Invariant: other names come before parts, so that they win over parts.
 */
import { partsOfSubjects } from './parts-of-subjects.ts'
import { sameSubjects } from './same-subjects.ts'

/** A text, the texts whose topic it means, and why. */
interface TopicTerm {
  readonly term: string
  /** The first of these that is a topic is meant. */
  readonly names: readonly string[]
  readonly reason: string
}

/** All of them: other names first, so that they win over parts. */
export function topicTerms(): TopicTerm[] {
  const others = sameSubjects.flatMap(({ reason, rows }) =>
    rows.map(textsOf).flatMap((names) => names.map((term) => ({ term, names, reason }))),
  )
  const synonyms = new Map(others.map(({ term, names }) => [term.toLowerCase(), names]))
  const within = partsOfSubjects.flatMap(({ reason, rows }) =>
    rows.flatMap((row) => {
      const [names = [], terms = []] = row.split(' = ').map(textsOf)
      return terms.flatMap((part) =>
        (synonyms.get(part.toLowerCase()) ?? [part]).map((term) => ({ term, names, reason })),
      )
    }),
  )
  return [...others, ...within]
}

function textsOf(row: string): string[] {
  return row.split(', ')
}
