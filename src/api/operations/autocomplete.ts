/** Suggestions: topics and handles leave room for the people; other kinds may use the room that one does not fill. */
import type { Catalog } from '../../engine/catalog.ts'
import { type SuggestionKind, suggestionKinds } from '../../request-parameters.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { Values } from '../schemas/inputs.ts'
import { type ListPage, listOperation } from './lists/list-page.ts'

/** Topics and handles each have at most such a part of an answer with other suggestions. */
const roomShare = 3

function findAutocomplete(
  { suggestions, catalog }: ActiveSnapshot,
  { query: typed, limit, kinds = suggestionKinds }: Values<'autocomplete'>,
): ListPage {
  const isHandle = suggestions.isHandle(typed)
  const isAsked = (kind: SuggestionKind) => kinds.includes(kind) && (kind === 'handle' || !isHandle)
  const people = isAsked('person') ? suggestions.people(typed, limit) : []
  // Topics and handles exceed their part only if there are too few people.
  const others = Math.max(partOf(limit), limit - people.length)
  const topics = isAsked('topic') ? suggestions.topics(typed, others) : []
  const handles = isAsked('handle') ? suggestions.handles(typed, others) : []
  const room = roomOf(limit, { topics, people, handles })
  const items = [
    ...Array.from(topics.slice(0, room.topics), (topic) => topicItem(catalog, topic)),
    ...Array.from(people.slice(0, room.people), (ordinal) => personItem(catalog, ordinal)),
    ...handles.slice(0, room.handles).map(handleItem),
  ]
  return { items }
}

type Lists<T> = Readonly<Record<'topics' | 'people' | 'handles', T>>

function partOf(limit: number): number {
  return Math.floor(limit / roomShare)
}

function roomOf(limit: number, found: Lists<{ readonly length: number }>): Lists<number> {
  const most = partOf(limit)
  const ofTopics = Math.min(found.topics.length, most)
  const ofHandles = Math.min(found.handles.length, most)
  const people = Math.min(found.people.length, limit - ofTopics - ofHandles)
  const topics = Math.min(found.topics.length, limit - people - ofHandles)
  return { topics, people, handles: limit - topics - people }
}

const nothing = { sdu: null, name: null, topic: null, handle: null, authorities: null }

function topicItem(catalog: Catalog, topic: number) {
  const label = catalog.labelOf(topic)
  const authorities = catalog.sizeOf(topic)
  return { kind: 'topic', text: label, ...nothing, topic: label, authorities }
}

function personItem(catalog: Catalog, ordinal: number) {
  const name = catalog.nameOf(ordinal)
  const topic = catalog.labelOf(catalog.coreTopicOf(ordinal))
  return { kind: 'person', text: name, ...nothing, sdu: catalog.sduOf(ordinal), name, topic }
}

/** A handle without its owner, whom a match sells. */
function handleItem(handle: string) {
  return { kind: 'handle', text: handle, ...nothing, handle }
}

export const autocomplete = listOperation('autocomplete', { page: findAutocomplete })
