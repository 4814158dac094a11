/**
 * Readers of records: they take every valid spelling and explain every other one. Unknown fields
 * are ignored; an optional field that is null or empty counts as left out.
 */
import { type ConnectionKind, connectionKinds } from '../connection-kinds.ts'
import { limits } from '../limits.ts'
import {
  anyText,
  boolean,
  checked,
  type Faults,
  isObject,
  type JsonObject,
  jsonObject,
  naturalNumber,
  number,
  oneOf,
  type Reader,
  readList,
  readWith,
} from '../reading/readers.ts'
import { termsOf } from '../text/analyzer.ts'
import { countryNameOf } from '../text/countries/countries.ts'
import { nowhere, parseHandle, platformKey, readHandle, readIdentifier } from '../text/handle.ts'
import { openName } from '../text/related/lookalikes.ts'
import {
  dayFault,
  dayIn,
  isEmpty,
  isWebsite,
  keyNameShape,
  keyShape,
  sduShape,
  withScheme,
} from './fields.ts'
import type { MissingIn } from './missing.ts'
import { cleanText, eachMember, label, namedMembers, optional, spare } from './readers.ts'
import type { AuthorityRecord, ConnectionRecord, Proof, TopicRecord } from './schema.ts'
import { itemsIn, itemsInBrackets } from './text-lists.ts'

export const sduText = checked(
  anyText,
  (written) => sduShape.test(written),
  `must be 1 to ${limits.sduDigitsMax} digits`,
)

function openLabel(charactersMax: number): Reader<string> {
  const written = label(charactersMax)
  return (value, faults) => openName(written(value, faults))
}

const personName = openLabel(limits.nameCharactersMax)
const dayLabel = label(limits.nameCharactersMax)

function day(value: unknown, faults: Faults): string {
  const before = faults.count
  const written = dayLabel(value, faults)
  const read = dayIn(written)
  if (read === undefined && faults.count === before) faults.add(dayFault(written))
  return read ?? written
}

/** @param itemsOf the items of a list written as a text; undefined where it is none. */
function listOf<T>(
  reader: Reader<T>,
  itemsOf: (text: string) => unknown[] | undefined,
  where?: MissingIn,
): Reader<T> {
  return (value, faults) => {
    const list = typeof value === 'string' ? itemsOf(value) : value
    if (list === undefined && value !== undefined) faults.add(notAList)
    const isSilent = (item: unknown) => isEmpty(item, where)
    const isPadded = Array.isArray(list) && list.some(isSilent)
    return reader(isPadded ? list.filter((item) => !isSilent(item)) : list, faults)
  }
}

const notAList = 'may be one item or several parted by commas: write a list'

const weight = optional(number(limits.weightMin, limits.weightMax), undefined)
const origin = spare(label(limits.websiteCharactersMax), null)

/** True unless it says otherwise; a blank text may be a program's `false`. */
function verified(value: unknown, faults: Faults): boolean {
  const isSilent = value === undefined || (value !== '' && isEmpty(value))
  return isSilent || boolean(value, faults)
}

const provenBy = spare(label(limits.nameCharactersMax), undefined)
const provenAt = spare(day, null)

/** A time alone proves nothing. */
function proofIn(json: JsonObject, faults: Faults): Proof | undefined {
  const by = faults.field(json, 'verified_by', provenBy)
  const at = faults.field(json, 'verified_at', provenAt)
  return by === undefined ? undefined : { by, at }
}

type Topic = AuthorityRecord['topics'][number]

const topicLabel = openLabel(limits.topicCharactersMax)

function topic(value: unknown, faults: Faults): Topic {
  if (typeof value === 'string') return { topic: topicLabel(value, faults), weight: undefined }
  const json = isObject(value) ? value : {}
  const isWeighted =
    json.weight === undefined || isEmpty(json.weight) || Number.isFinite(json.weight)
  if (typeof json.topic !== 'string' || !isWeighted) faults.add('must be a text or {topic, weight}')
  return {
    topic: faults.field(json, 'topic', topicLabel),
    weight: faults.field(json, 'weight', weight),
  }
}

const topicList = listOf(readList(topic, limits.topicsPerAuthorityMax), itemsIn)
const someTopics = checked(topicList, (list) => list.length > 0, 'must name at least one topic')
const topics = checked(
  someTopics,
  (list) => new Set(list.map(({ topic }) => topic.toLowerCase())).size === list.length,
  'must not name a topic twice',
)

type Social = AuthorityRecord['socials'][number]

const handle = label(limits.handleCharactersMax)
// The published interface wants a number.
const followers = spare(naturalNumber, 0)

/** Undefined for an entry that is empty or has no handle. */
function social(value: unknown, faults: Faults): Omit<Social, 'platform'> | undefined {
  if (isEmpty(value) || (isObject(value) && isEmpty(value.handle))) return undefined
  const json = jsonObject(value, faults)
  const written = faults.field(json, 'handle', handle)
  const proof = proofIn(json, faults)
  return {
    handle: written,
    followers: faults.field(json, 'followers', followers),
    verified: faults.field(json, 'verified', verified),
    proof,
  }
}

const socialsByName = namedMembers(social)

function socials(json: unknown, faults: Faults): Social[] {
  const most = limits.socialsPerAuthorityMax
  const given = socialsByName(json, faults)
  const platforms = given.map(({ name }) => platformKey(name))
  return eachMember(given, faults, ({ value: { handle: written, ...rest } }, index) => {
    const platform = platforms[index]!
    if (index >= most) faults.add(`is beyond the first ${most} platforms`)
    if (!keyNameShape.test(platform)) faults.add(`must be a platform of the ${letters}`)
    if (platforms.indexOf(platform) < index) faults.add('names a platform twice')
    const { handle, reason } = shownHandle(platform, written)
    if (reason !== undefined) faults.add(reason, ['handle'])
    return { platform, handle, ...rest }
  })
}

const letters = 'letters a-z, 0-9, _, . and -'

function shownHandle(platform: string, written: string) {
  const { handle, reason } = readHandle(platform, written)
  if (handle === undefined) return { handle: written, reason }
  if (keyShape.test(handle.key)) return { handle: handle.shown }
  return { handle: written, reason: 'must be a handle without comma or space' }
}

const identifiersByScheme = namedMembers(optional(label(limits.identifierCharactersMax), undefined))

function identifiers(json: unknown, faults: Faults): AuthorityRecord['identifiers'] {
  const most = limits.identifiersPerAuthorityMax
  const given = identifiersByScheme(json, faults)
  return eachMember(given, faults, ({ name: scheme, value }, index) => {
    if (index >= most) faults.add(`is beyond the first ${most} schemes`)
    if (!keyNameShape.test(scheme)) faults.add(`must be a scheme of the ${letters}`)
    const { reason } = readIdentifier(platformKey(scheme), value)
    if (reason !== undefined) faults.add(reason)
    return { scheme, value }
  })
}

const attributeValue = checked(
  openLabel(limits.attributeCharactersMax),
  (value) => termsOf(value).length > 0,
  'has no letters or digits',
)
const attributeValues = listOf(readList(attributeValue), (text) => itemsInBrackets(text) ?? [text])

function attribute(value: unknown, faults: Faults): string[] {
  const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string')
  if (typeof value === 'string' || isTexts) return attributeValues(value, faults)
  faults.add('must be a text or a list of texts')
  return []
}

const attributesByKey = namedMembers(optional(attribute, undefined))

function attributes(json: unknown, faults: Faults): AuthorityRecord['attributes'] {
  const most = limits.attributesPerAuthorityMax
  const longest = limits.attributeKeyCharactersMax
  let count = 0
  const given = attributesByKey(json, faults)
  return eachMember(given, faults, ({ name: key, value: values }) => {
    count += values.length
    if (count > most) faults.add(`is beyond the first ${most} values`)
    if (!keyNameShape.test(key) || key.length > longest) {
      faults.add(`must be a key of the ${letters}, at most ${longest}`)
    }
    return values.map((value) => ({ key, value }))
  }).flat()
}

const websiteLabel = label(limits.websiteCharactersMax)
const website = checked(
  (value, faults) => withScheme(websiteLabel(value, faults)),
  isWebsite,
  'must be an http or https address',
)

const fields = {
  alsoKnownAs: spare(
    listOf(
      readList(personName, limits.otherNamesPerAuthorityMax),
      (text) => itemsIn(text) ?? [text],
      'name',
    ),
    [],
  ),
  bio: spare(cleanText(limits.bioCharactersMax), ''),
  country: spare(openLabel(limits.nameCharactersMax), '', 'country'),
  socials: spare(socials, []),
  website: spare(website, null),
  score: spare(number(0, 100), undefined),
  identifiers: spare(identifiers, []),
  attributes: spare(attributes, []),
  text: spare(label(limits.nameCharactersMax), null),
  day: spare(day, null),
}

/**
 * Topics that differ only in case are the same topic. A spare field is left out where it is wrong,
 * and the person stays; the name, topics, the SDU and `verified` are none.
 */
export function readAuthority(value: unknown, faults: Faults): AuthorityRecord {
  const json = jsonObject(value, faults)
  return {
    sdu: faults.field(json, 'sdu', sduText),
    name: faults.field(json, 'name', personName),
    alsoKnownAs: faults.field(json, 'also_known_as', fields.alsoKnownAs),
    bio: faults.field(json, 'bio', fields.bio),
    countryName: countryNameOf(faults.field(json, 'country_name', fields.country)),
    topics: faults.field(json, 'topics', topics),
    socials: faults.field(json, 'socials', fields.socials),
    website: faults.field(json, 'website', fields.website),
    verified: faults.field(json, 'verified', verified),
    proof: proofIn(json, faults),
    authorityScore: faults.field(json, 'authority_score', fields.score),
    identifiers: faults.field(json, 'identifiers', fields.identifiers),
    attributes: faults.field(json, 'attributes', fields.attributes),
    source: faults.field(json, 'source', origin),
    licence: faults.field(json, 'licence', fields.text),
    updatedAt: faults.field(json, 'updated_at', fields.day),
  }
}

/** An SDU as it stands, `@Ann` on `X` as `twitter:ann`. */
function end(value: unknown, faults: Faults): string {
  const written = anyText(value, faults)
  if (typeof value !== 'string' || sduShape.test(written)) return written
  const { platform, key } = parseHandle(written)
  const isRight =
    platform !== undefined &&
    platform !== nowhere &&
    keyNameShape.test(platform) &&
    keyShape.test(key) &&
    key.length <= limits.handleCharactersMax
  if (!isRight) faults.add('must be an SDU, platform:handle or the address of a profile')
  return `${platform}:${key}`
}

const connectionWeight = optional(number(limits.weightMin, limits.weightMax), 1)
const connectionSource = optional(label(limits.websiteCharactersMax), undefined)
const kind = optional<ConnectionKind, ConnectionKind>(oneOf(connectionKinds), 'follows')

export function readConnection(value: unknown, faults: Faults): ConnectionRecord {
  const json = jsonObject(value, faults)
  // A source only adorns: a wrong one is none.
  const { value: source } = readWith(connectionSource, json.source)
  return {
    from: faults.field(json, 'from', end),
    to: faults.field(json, 'to', end),
    weight: faults.field(json, 'weight', connectionWeight),
    kind: faults.field(json, 'kind', kind),
    source,
  }
}

const otherNames = optional(listOf(readList(topicLabel), itemsIn), undefined)

export function readTopic(value: unknown, faults: Faults): TopicRecord {
  const json = jsonObject(value, faults)
  const name = faults.field(json, 'topic', topicLabel)
  const aliases = faults.field(json, 'aliases', otherNames) ?? []
  const broader = faults.field(json, 'broader', otherNames)
  return { topic: name, aliases, ...(broader && { broader }) }
}
