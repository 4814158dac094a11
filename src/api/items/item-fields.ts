/**
 * Writes items with some of their fields. The values are those of the ready-made summary and profile, byte
 * for byte, in the order of `fieldNames`, for every operation.
 */
import type { Catalog } from '../../engine/catalog.ts'
import type { MemberTexts } from '../../engine/member-texts.ts'
import { pieceOf, type TextPiece } from '../../memory/copy-text.ts'
import { memberStart, valueEnd } from '../../memory/json-members.ts'
import { type FieldName, fieldNames, holdsProfile } from '../../request-parameters.ts'
import type { PagedTexts } from '../../snapshot/texts/paged-texts.ts'
import type { Body } from './body.ts'

/** The JSON before a field's value: as the first field, and behind others. */
const heads = Object.fromEntries(
  fieldNames.map((name) => [name, [pieceOf(`{"${name}":`), pieceOf(`,"${name}":`)]]),
) as Readonly<Record<string, readonly [TextPiece, TextPiece]>>

/** @param names in the order of `fieldNames`. */
export function writeFields(
  catalog: Catalog,
  ordinal: number,
  rank: number,
  names: readonly FieldName[],
  body: Body,
): void {
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index]!
    body.piece(heads[name]![index === 0 ? 0 : 1])
    if (name === 'rank') body.integer(rank)
    else writeField(catalog, ordinal, name, body)
  }
  if (holdsProfile(names)) body.addProfiles(1)
  body.text('}')
}

export function writeField(
  catalog: Catalog,
  ordinal: number,
  name: Exclude<FieldName, 'rank'>,
  body: Body,
): void {
  const { identities, profiles, countryMembers, topicMembers } = catalog
  if (name === 'sdu' || name === 'name') writeMember(identities, ordinal, name, body)
  else if (name === 'country_name') {
    writeShared(countryMembers, catalog.countryNumberOf(ordinal), body)
  } else if (name === 'topic') writeShared(topicMembers, catalog.coreTopicOf(ordinal), body)
  else if (name === 'authority_score') body.hundredths(catalog.scoreOf(ordinal))
  else writeMember(profiles.rests, ordinal, name, body)
}

function writeShared(members: MemberTexts, number: number, body: Body): void {
  body.slice(members.source, members.valueStart(number), members.valueEnd(number))
}

/** Copies a member of the JSON of a person. */
function writeMember(texts: PagedTexts, ordinal: number, name: FieldName, body: Body): void {
  const { text: json, source } = texts.pageOf(ordinal)
  const start = memberStart(json, texts.startOf(ordinal), name)
  body.slice(source, start, valueEnd(json, start))
}
