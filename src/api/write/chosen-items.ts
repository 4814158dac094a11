/**
 * Items of which only some fields are wanted, whatever kind of items the operation has: the values are
 * those of the ready-made summary and profile, byte for byte, in the order of `fieldNames`.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { memberStart, valueEnd } from '../../memory/json-members.ts'
import type { FieldName } from '../../request-parameters.ts'
import type { Body } from './body.ts'

/** Writes the value of one field. */
type WriteValue = (item: Item, name: FieldName) => void

/** An item that is being written. */
interface Item {
  readonly catalog: Catalog
  readonly ordinal: number
  readonly rank: number
  readonly body: Body
  /** Where the member that was written last ends in the profile, or where the profile begins. */
  profileAt: number
}

/** The fields that are wanted, ready to be written. */
export class ItemFields {
  readonly #fields: readonly { name: FieldName; head: string; write: WriteValue }[]

  /** @param names at least one, in the order of `fieldNames`. */
  constructor(names: readonly FieldName[]) {
    this.#fields = names.map((name, index) => ({
      name,
      head: `${index === 0 ? '{' : ','}"${name}":`,
      write: writers[name],
    }))
  }

  /** Writes an item; its rank is shown where that is wanted. */
  write(catalog: Catalog, ordinal: number, rank: number, body: Body): void {
    const profileAt = ordinal === 0 ? 0 : catalog.profiles.ends[ordinal - 1]!
    const item: Item = { catalog, ordinal, rank, body, profileAt }
    for (let index = 0; index < this.#fields.length; index += 1) {
      const { name, head, write } = this.#fields[index]!
      body.text(head)
      write(item, name)
    }
    body.text('}')
  }
}

/** Writes the value of a field that does not depend on what was asked. */
export function writeField(
  catalog: Catalog,
  ordinal: number,
  name: Exclude<FieldName, 'rank'>,
  body: Body,
): void {
  const profileAt = ordinal === 0 ? 0 : catalog.profiles.ends[ordinal - 1]!
  writers[name]({ catalog, ordinal, rank: 0, body, profileAt }, name)
}

const writers: Readonly<Record<FieldName, WriteValue>> = {
  sdu: ({ catalog: { sdus }, ordinal, body }) => {
    body.text('"')
    body.slice(sdus.source, ordinal === 0 ? 0 : sdus.ends[ordinal - 1]!, sdus.ends[ordinal]!)
    body.text('"')
  },
  name: (item, name) => {
    const { ends } = item.catalog.summaries
    writeSummaryMember(item, item.ordinal === 0 ? 0 : ends[item.ordinal - 1]!, name)
  },
  rank: ({ rank, body }) => body.integer(rank),
  country_name: writeBehindRank,
  topic: writeBehindRank,
  bio: writeProfileMember,
  country: writeProfileMember,
  topics: writeProfileMember,
  socials: writeProfileMember,
  authority_score: ({ catalog, ordinal, body }) =>
    body.hundredths(catalog.sections['authority.scores'][ordinal]!),
  website: writeProfileMember,
}

function writeBehindRank(item: Item, name: FieldName): void {
  writeSummaryMember(item, item.catalog.summaries.splits[item.ordinal]!, name)
}

function writeSummaryMember({ catalog, body }: Item, from: number, name: FieldName): void {
  const json = catalog.sections['summary.json']
  const start = memberStart(json, from, name)
  body.slice(catalog.summaries.json, start, valueEnd(json, start))
}

function writeProfileMember(item: Item, name: FieldName): void {
  const { catalog, body } = item
  const json = catalog.sections['profile.json']
  const start = memberStart(json, item.profileAt, name)
  item.profileAt = valueEnd(json, start)
  body.slice(catalog.profiles.json, start, item.profileAt)
}
