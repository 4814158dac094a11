/**
 * Finds suggestions, kind by kind. Topics and handles leave room for the people; the other kinds may
 * use the room that one kind does not fill.
 */
import type { SuggestionKind } from '../../../request-parameters.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { AutocompleteQuery } from './parse.ts'

/** Divisor of the limit: topics and handles each have at most such a part of an answer with other suggestions. */
const roomShare = 3

/** The suggestions, in the order of an answer. */
export interface Suggested {
  readonly topics: ArrayLike<number>
  /** Ordinals. */
  readonly people: ArrayLike<number>
  /** Each as `platform:name`. */
  readonly handles: readonly string[]
}

/** Finds the suggestions. */
export function findAutocomplete(
  { suggestions }: ActiveSnapshot,
  query: AutocompleteQuery,
): Suggested {
  const { typed, limit, kinds } = query
  const isHandle = suggestions.isHandle(typed)
  const isAsked = (kind: SuggestionKind) => kinds.includes(kind) && (kind === 'handle' || !isHandle)
  const people = isAsked('person') ? suggestions.people(typed, limit) : []
  // Topics and handles exceed their part only if there are too few people.
  const others = Math.max(partOf(limit), limit - people.length)
  const topics = isAsked('topic') ? suggestions.topics(typed, others) : []
  const handles = isAsked('handle') ? suggestions.handles(typed, others) : []
  const room = roomOf(limit, { topics, people, handles })
  return {
    topics: topics.slice(0, room.topics),
    people: people.slice(0, room.people),
    handles: handles.slice(0, room.handles),
  }
}

type Lists<T> = Readonly<Record<'topics' | 'people' | 'handles', T>>

/** Maximum number of topics, and of handles, while there are other suggestions. */
function partOf(limit: number): number {
  return Math.floor(limit / roomShare)
}

/** Number of suggestions of each kind to show. */
function roomOf(limit: number, found: Lists<{ readonly length: number }>): Lists<number> {
  const most = partOf(limit)
  const ofTopics = Math.min(found.topics.length, most)
  const ofHandles = Math.min(found.handles.length, most)
  const people = Math.min(found.people.length, limit - ofTopics - ofHandles)
  const topics = Math.min(found.topics.length, limit - people - ofHandles)
  return { topics, people, handles: limit - topics - people }
}
