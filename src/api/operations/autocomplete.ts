/** Suggestions: topics and handles leave room for the people; other kinds may use the room that one does not fill. */
import type { Catalog } from '../../engine/catalog.ts'
import { type SuggestionKind, suggestionKinds } from '../../request-parameters.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { Body } from '../items/body.ts'
import { writeField } from '../items/item-fields.ts'
import { inOrder, limitOf } from '../parameters/meanings.ts'
import type { Parsed } from '../parameters/pairs.ts'
import { queryParser } from '../parameters/query-reader.ts'
import type { OperationHandler } from '../pipeline/operation-handler.ts'

interface AutocompleteQuery {
  readonly typed: string
  readonly limit: number
  readonly kinds: readonly SuggestionKind[]
}

const parseAutocomplete = queryParser('autocomplete', (values): Parsed<AutocompleteQuery> => {
  const limit = limitOf(values.limit)
  const kinds = inOrder(suggestionKinds, values.kinds ?? suggestionKinds)
  return { value: { typed: values.query, limit, kinds } }
})

/** Topics and handles each have at most such a part of an answer with other suggestions. */
const roomShare = 3

interface Suggested {
  readonly topics: ArrayLike<number>
  /** Ordinals. */
  readonly people: ArrayLike<number>
  /** Each as `platform:name`. */
  readonly handles: readonly string[]
}

function findAutocomplete({ suggestions }: ActiveSnapshot, query: AutocompleteQuery): Suggested {
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

function renderAutocomplete(
  { catalog }: ActiveSnapshot,
  _query: AutocompleteQuery,
  { topics, people, handles }: Suggested,
  body: Body,
): undefined {
  const start = body.length
  const separate = () => {
    if (body.length > start) body.comma()
  }
  for (let index = 0; index < topics.length; index += 1) {
    separate()
    writeTopic(catalog, topics[index]!, body)
  }
  for (let index = 0; index < people.length; index += 1) {
    separate()
    writePerson(catalog, people[index]!, body)
  }
  for (const handle of handles) {
    separate()
    writeHandle(JSON.stringify(handle), body)
  }
}

function writeTopic(catalog: Catalog, topic: number, body: Body): void {
  const label = JSON.stringify(catalog.labelOf(topic))
  body.text(`{"kind":"topic","text":${label},"sdu":null,"name":null,"topic":${label},"handle":null`)
  body.text(',"authorities":')
  body.integer(catalog.sizeOf(topic))
  body.text('}')
}

function writePerson(catalog: Catalog, ordinal: number, body: Body): void {
  body.text('{"kind":"person","text":')
  writeField(catalog, ordinal, 'name', body)
  for (const name of ['sdu', 'name', 'topic'] as const) {
    body.text(`,"${name}":`)
    writeField(catalog, ordinal, name, body)
  }
  body.text(',"handle":null,"authorities":null}')
}

/** A handle without its owner, whom a match sells. */
function writeHandle(text: string, body: Body): void {
  body.text(`{"kind":"handle","text":${text},"sdu":null,"name":null,"topic":null`)
  body.text(`,"handle":${text},"authorities":null}`)
}

export const autocomplete: OperationHandler<AutocompleteQuery, Suggested> = {
  parse: parseAutocomplete,
  find: findAutocomplete,
  render: renderAutocomplete,
}
