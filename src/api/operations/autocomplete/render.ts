/** Writes suggestions: topics, people, handles. */
import type { Catalog } from '../../../engine/catalog.ts'
import type { SuggestedHandle } from '../../../engine/suggest/suggestions.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Body } from '../../items/body.ts'
import { writeField } from '../../items/item-fields.ts'
import type { Suggested } from './find.ts'
import type { AutocompleteQuery } from './parse.ts'

/** Writes the suggestions. */
export function renderAutocomplete(
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
    writePerson(catalog, people[index]!, undefined, body)
  }
  for (const handle of handles) {
    separate()
    writePerson(catalog, handle.ordinal, handle, body)
  }
}

function writeTopic(catalog: Catalog, topic: number, body: Body): void {
  const label = JSON.stringify(catalog.labelOf(topic))
  body.text(`{"kind":"topic","text":${label},"sdu":null,"name":null,"topic":${label},"handle":null`)
  body.text(',"authority_score":null,"authorities":')
  body.integer(catalog.sizeOf(topic))
  body.text('}')
}

/** Writes a person or a handle. @param handle the suggested handle; undefined if the person is suggested. */
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
