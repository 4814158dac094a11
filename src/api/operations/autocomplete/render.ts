/** Writes suggestions: topics, people, handles. */
import type { Catalog } from '../../../engine/catalog.ts'
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
