/**
 * Suggestions, kind by kind. Topics and handles leave room for the people; what one kind does not fill
 * the others may.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import type { SuggestedHandle } from '../../catalog/suggestion/suggestions.ts'
import type { SuggestionKind } from '../../request-parameters.ts'
import type { Served } from '../served.ts'
import type { Body } from './body.ts'
import { writeField } from './chosen-items.ts'

/** What was typed, and what is wanted for it. */
export interface AskedSuggestions {
  readonly typed: string
  readonly limit: number
  readonly kinds: readonly SuggestionKind[]
}

/** Topics and handles are one in so many of an answer each, while there is something else. */
const roomShare = 3

/** Writes the suggestions, comma between them. */
export function writeSuggestions(served: Served, asked: AskedSuggestions, body: Body): void {
  const { catalog, suggestions } = served
  const { typed, limit, kinds } = asked
  const isHandle = suggestions.isHandle(typed)
  const isAsked = (kind: SuggestionKind) => kinds.includes(kind) && (kind === 'handle' || !isHandle)
  const people = isAsked('person') ? suggestions.people(typed, limit) : []
  // More than their part is only shown of these where there are not people enough.
  const others = Math.max(partOf(limit), limit - people.length)
  const topics = isAsked('topic') ? suggestions.topics(typed, others) : []
  const handles = isAsked('handle') ? suggestions.handles(typed, others) : []
  const room = roomOf(limit, { topics, people, handles })
  const start = body.length
  const separate = () => {
    if (body.length > start) body.comma()
  }
  for (const topic of topics.slice(0, room.topics)) {
    separate()
    writeTopic(catalog, topic, body)
  }
  for (const ordinal of people.slice(0, room.people)) {
    separate()
    writePerson(catalog, ordinal, undefined, body)
  }
  for (const handle of handles.slice(0, room.handles)) {
    separate()
    writePerson(catalog, handle.ordinal, handle, body)
  }
}

type Lists<T> = Readonly<Record<'topics' | 'people' | 'handles', T>>

/** How many topics and how many handles are shown while there is something else. */
function partOf(limit: number): number {
  return Math.floor(limit / roomShare)
}

/** How many of each kind are shown. */
function roomOf(limit: number, found: Lists<{ readonly length: number }>): Lists<number> {
  const most = partOf(limit)
  const ofTopics = Math.min(found.topics.length, most)
  const ofHandles = Math.min(found.handles.length, most)
  const people = Math.min(found.people.length, limit - ofTopics - ofHandles)
  const topics = Math.min(found.topics.length, limit - people - ofHandles)
  return { topics, people, handles: limit - topics - people }
}

function writeTopic(catalog: Catalog, topic: number, body: Body): void {
  const label = JSON.stringify(catalog.labelOf(topic))
  body.text(`{"kind":"topic","text":${label},"sdu":null,"name":null,"topic":${label},"handle":null`)
  body.text(',"authority_score":null,"authorities":')
  body.integer(catalog.sizeOf(topic))
  body.text('}')
}

/** @param handle what is suggested, where it is not the person. */
function writePerson(
  catalog: Catalog,
  ordinal: number,
  handle: SuggestedHandle | undefined,
  body: Body,
): void {
  const text = handle && JSON.stringify(`${handle.platform}:${handle.key}`)
  body.text(`{"kind":"${handle === undefined ? 'person' : 'handle'}","text":`)
  if (text === undefined) writeField(catalog, ordinal, 'name', body)
  else body.text(text)
  for (const name of ['sdu', 'name', 'topic'] as const) {
    body.text(`,"${name}":`)
    writeField(catalog, ordinal, name, body)
  }
  body.text(`,"handle":${text ?? 'null'},"authority_score":`)
  writeField(catalog, ordinal, 'authority_score', body)
  body.text(',"authorities":null}')
}
