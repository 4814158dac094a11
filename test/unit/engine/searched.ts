/** A search over some people, and whom a text finds. */
import { servedOf } from '../../support/built.ts'
import { authority, type Records, topic } from '../../support/records.ts'

/** A record, its topics as labels. */
type Person = Omit<Partial<Records['authorities'][number]>, 'topics'> & {
  readonly topics?: readonly string[]
}

/** By descending score, with SDUs from 100 on unless a person says otherwise. */
export function searchOver(
  people: readonly Person[],
  topics: Records['topics'] = [],
  ways?: readonly string[],
) {
  const authorities = people.map(({ topics: labels = ['Rust'], ...person }, index) =>
    authority({
      sdu: String(100 + index),
      authorityScore: 90 - index,
      topics: labels.map((label) => topic(label)),
      ...person,
    }),
  )
  const { search, catalog } = servedOf({ authorities, topics }, ways)
  /** The way, and the names in the order of the answer. */
  const found = (query: string, limit = 10, options?: { readonly related: boolean }): string[] => {
    const { way, ordinals } = search.find(query, limit, options)
    return [way, ...Array.from(ordinals, (ordinal) => catalog.nameOf(ordinal))]
  }
  return { search, catalog, found }
}
