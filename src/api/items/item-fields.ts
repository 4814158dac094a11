/**
 * Writes items with some of their fields. The values are those of the ready-made summary and profile, byte
 * for byte, in the order of `fieldNames`, for every operation.
 */
import type { Catalog } from '../../engine/catalog.ts'
import type { MemberTexts } from '../../engine/member-texts.ts'
import { type CopySource, pieceOf, type TextPiece } from '../../memory/copy-text.ts'
import { memberStart, valueEnd } from '../../memory/json-members.ts'
import { type FieldName, fieldNames, holdsProfile } from '../../request-parameters.ts'
import type { Body } from './body.ts'

type WriteValue = (item: Item, name: FieldName) => void

interface Item {
  readonly catalog: Catalog
  readonly ordinal: number
  readonly rank: number
  readonly body: Body
  /** The bytes that hold its identity. */
  readonly json: Uint8Array
  readonly source: CopySource
  /** The end of the last written member in `json`; at first the beginning of the identity. */
  identityAt: number
  /** The end of the last written member in the rest of the profile; below 0 before the first is written. */
  profileAt: number
}

/** The JSON before a field's value: as the first field, and behind others. */
const heads = Object.fromEntries(
  fieldNames.map((name) => [name, [pieceOf(`{"${name}":`), pieceOf(`,"${name}":`)]]),
) as Readonly<Record<string, readonly [TextPiece, TextPiece]>>

/** Writers by the sets of fields that they write, one bit a field: at most 2 ** fields. */
const writersOfSets: FieldsWriter[] = []

const bits = Object.fromEntries(fieldNames.map((name, index) => [name, 1 << index]))

/** The writer of some fields, made once for each set. @param names in the order of `fieldNames`. */
export function fieldsWriter(names: readonly FieldName[]): FieldsWriter {
  let set = 0
  for (const name of names) set |= bits[name]!
  writersOfSets[set] ??= new FieldsWriter(names)
  return writersOfSets[set]!
}

export class FieldsWriter {
  readonly #fields: readonly { name: FieldName; head: TextPiece; write: WriteValue }[]
  readonly #holdsProfile: boolean

  constructor(names: readonly FieldName[]) {
    this.#fields = names.map((name, index) => ({
      name,
      head: heads[name]![index === 0 ? 0 : 1],
      write: writers[name],
    }))
    this.#holdsProfile = holdsProfile(names)
  }

  write(catalog: Catalog, ordinal: number, rank: number, body: Body): void {
    this.#write(itemOf(catalog, ordinal, rank, body))
  }

  /** Identities of a ranking stand near each other, so that reads are soon served by the nearest cache. */
  writeRanking(catalog: Catalog, topic: number, limit: number, body: Body): void {
    const { rankedItems: items } = catalog
    const { start, end } = catalog.itemsOfTopic(topic, limit)
    const members = catalog.sections['topic.members']
    const first = catalog.membersOf(topic).start
    for (let item = start; item < end; item += 1) {
      if (item > start) body.comma()
      const ordinal = members[first + item - start]!
      const rank = item - start + 1
      const { text: json, source } = items.pageOf(item)
      const identityAt = items.startOf(item) + (item > start ? 1 : 0)
      this.#write({ catalog, ordinal, rank, body, json, source, identityAt, profileAt: -1 })
    }
  }

  #write(item: Item): void {
    const { body } = item
    for (let index = 0; index < this.#fields.length; index += 1) {
      const { name, head, write } = this.#fields[index]!
      body.piece(head)
      write(item, name)
    }
    if (this.#holdsProfile) body.addProfiles(1)
    body.text('}')
  }
}

export function writeField(
  catalog: Catalog,
  ordinal: number,
  name: Exclude<FieldName, 'rank'>,
  body: Body,
): void {
  writers[name](itemOf(catalog, ordinal, 0, body), name)
}

function itemOf(catalog: Catalog, ordinal: number, rank: number, body: Body): Item {
  const { text: json, source } = catalog.identities.pageOf(ordinal)
  const identityAt = catalog.identities.startOf(ordinal)
  return { catalog, ordinal, rank, body, json, source, identityAt, profileAt: -1 }
}

const writers: Readonly<Record<FieldName, WriteValue>> = {
  sdu: writeIdentityMember,
  name: writeIdentityMember,
  rank: ({ rank, body }) => body.integer(rank),
  country_name: ({ catalog, ordinal, body }) =>
    writeShared(catalog.countryMembers, catalog.countryNumberOf(ordinal), body),
  topic: ({ catalog, ordinal, body }) =>
    writeShared(catalog.topicMembers, catalog.coreTopicOf(ordinal), body),
  bio: writeProfileMember,
  country: writeProfileMember,
  topics: writeProfileMember,
  socials: writeProfileMember,
  authority_score: ({ catalog, ordinal, body }) => body.hundredths(catalog.scoreOf(ordinal)),
  website: writeProfileMember,
}

function writeIdentityMember(item: Item, name: FieldName): void {
  const { json } = item
  const start = memberStart(json, item.identityAt, name)
  item.identityAt = valueEnd(json, start)
  item.body.slice(item.source, start, item.identityAt)
}

function writeShared(members: MemberTexts, number: number, body: Body): void {
  body.slice(members.source, members.valueStart(number), members.valueEnd(number))
}

function writeProfileMember(item: Item, name: FieldName): void {
  const { catalog, ordinal, profileAt } = item
  const { rests } = catalog.profiles
  const { text: json, source } = rests.pageOf(ordinal)
  const from = profileAt >= 0 ? profileAt : rests.startOf(ordinal)
  const start = memberStart(json, from, name)
  item.profileAt = valueEnd(json, start)
  item.body.slice(source, start, item.profileAt)
}
