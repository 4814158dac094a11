/**
 * What a source record is: the three kinds, as they may be written and as they are read. A value
 * that left this file keeps every promise of its type; texts are trimmed, platforms and connection
 * ends are in their canonical form, and fields that are not named here are ignored. An optional field
 * that is null or empty says the same as one that is left out. Other names go no further than the
 * record yet: no snapshot holds what nothing serves.
 */
import * as z from 'zod'
import { type ConnectionKind, connectionKinds } from '../connection-kinds.ts'
import { limits } from '../limits.ts'
import { termsOf } from '../text/analyzer.ts'
import { countryNameOf } from '../text/countries/countries.ts'
import {
  nowhere,
  parseHandle,
  platformKey,
  type ReadHandle,
  readHandle,
  readIdentifier,
} from '../text/handle.ts'
import { isOpenName } from '../text/related/lookalikes.ts'
import {
  cleanText,
  isAttributeKey,
  isDay,
  isEmpty,
  isKey,
  isPlatform,
  isScheme,
  isWebsite,
  label,
  optional,
  sduShape,
  withScheme,
} from './fields.ts'

/** One authority: the core topic comes first, no topic comes twice, no platform comes twice. */
export interface AuthorityRecord {
  /** 1–32 digits; leading zeros count, so `7` and `07` are two authorities. */
  readonly sdu: string
  readonly name: string
  /** Other names of the same person, in the order of the record. */
  readonly alsoKnownAs: readonly string[]
  readonly bio: string
  /** In English, one name for each country; as it is written where it is none. Empty when it is not known. */
  readonly countryName: string
  readonly topics: readonly { readonly topic: string; readonly weight: number | undefined }[]
  readonly socials: readonly {
    /** As `platformKey` writes it. */
    readonly platform: string
    /** As the record writes it, or the handle that its address names; `readHandle` reads it. */
    readonly handle: string
    readonly followers: number
    readonly verified: boolean
    /** How and when it was found to be theirs; absent where the record does not say. */
    readonly proof?: Proof
  }[]
  readonly website: string | null
  readonly verified: boolean
  /** How and when the person was found to be this one; absent where the record does not say. */
  readonly proof?: Proof
  /** 0–100. */
  readonly authorityScore: number | undefined
  /** Identifiers in other registers; each scheme at most once. */
  readonly identifiers: readonly {
    /** Such as `wikidata`; of the characters a platform's key may have. */
    readonly scheme: string
    /** As the record writes it; `readIdentifier` reads it. */
    readonly value: string
  }[]
  /** What else it says, such as a party or a chamber; a key may have several values. */
  readonly attributes: readonly Attribute[]
  /** Where the record is from: a text or an address. */
  readonly source: string | null
  readonly licence: string | null
  /** A day or a time, ISO 8601, as the record writes it. */
  readonly updatedAt: string | null
}

/** A fact of a person under a short key: `party`, `Independent`. */
export interface Attribute {
  /** Of the characters that a scheme may have. */
  readonly key: string
  readonly value: string
}

/** How something was found to be true of a person. */
export interface Proof {
  /** Such as `register`, `rel=me`, `dns` or `orcid`. */
  readonly by: string
  /** A day or a time, ISO 8601, as the record writes it. */
  readonly at: string | null
}

/** One connection; an end is an SDU or `platform:key` as src/text/handle.ts writes both. */
export interface ConnectionRecord {
  readonly from: string
  readonly to: string
  /** From `limits.weightMin` to `limits.weightMax`. */
  readonly weight: number
  readonly kind: ConnectionKind
  /** Where it is from; where it says nothing, it is from the source of the record of `from`. */
  readonly source?: string | undefined
}

/** Other names of a topic. */
export interface TopicRecord {
  readonly topic: string
  readonly aliases: readonly string[]
  /** Topics that this one is a part of: what it is called means the first of them that has people, where it has none. */
  readonly broader?: readonly string[]
}

const personName = label(limits.nameCharactersMax).refine(
  isOpenName,
  'must hold no control character, mark of direction or other character that is not drawn',
)

/** True unless it says otherwise; a blank text may be what a program made of `false`. */
const verified = z
  .boolean()
  .nullish()
  .transform((value) => value ?? true)

const weight = z
  .number()
  .min(limits.weightMin, `must be at least ${limits.weightMin}`)
  .max(limits.weightMax, `must be at most ${limits.weightMax}`)

/** The members of a record or a social that say how it was verified. */
const proofFields = {
  verified_by: optional(label(limits.nameCharactersMax)),
  verified_at: optional(
    label(limits.nameCharactersMax).refine(isDay, 'must be a day or a time (ISO 8601)'),
  ),
}

/** The proof that these members are, as the member of a value; a time alone proves nothing. */
export function proofOf(by: string | undefined, at: string | undefined): { proof?: Proof } {
  return by === undefined ? {} : { proof: { by, at: at ?? null } }
}

const social = z.object({
  handle: label(limits.handleCharactersMax),
  ...proofFields,
  // A record that says nothing of followers has none: the published interface wants a number.
  followers: optional(z.int().min(0)).transform((followers) => followers ?? 0),
  verified,
})

/** Says nothing, or of an account without a handle, which is none. */
function isEmptySocial(value: unknown): boolean {
  const isObject = typeof value === 'object' && value !== null
  return isEmpty(value) || (isObject && 'handle' in value && isEmpty(value.handle))
}

const socials = z
  .record(
    z.string(),
    z.preprocess((value) => (isEmptySocial(value) ? undefined : value), social.optional()),
  )
  .transform((byName, { issues }): AuthorityRecord['socials'] => {
    const refuse = (message: string, path: string[] = []) =>
      issues.push({ code: 'custom', message, path, input: byName })
    const given = Object.entries(byName).flatMap(([name, social]) =>
      social === undefined ? [] : [{ name, platform: platformKey(name), social }],
    )
    const platforms = given.map(({ platform }) => platform)
    if (platforms.length > limits.socialsPerAuthorityMax) {
      refuse(`must hold at most ${limits.socialsPerAuthorityMax} platforms`)
    }
    if (!platforms.every(isPlatform)) {
      refuse('must be named by platforms of the letters a-z, 0-9, _, . and -')
    }
    if (new Set(platforms).size < platforms.length) refuse('must not name a platform twice')
    return given.map(
      ({ name, platform, social: { verified_by: by, verified_at: at, ...social } }) => {
        const { handle, reason } = checkedHandle(platform, social.handle)
        if (reason !== undefined) refuse(reason, [name, 'handle'])
        return { platform, ...social, handle: handle?.shown ?? social.handle, ...proofOf(by, at) }
      },
    )
  })

/** A handle as `readHandle` reads it, of a key that can be asked for. */
export function checkedHandle(platform: string, text: string): ReadHandle {
  const read = readHandle(platform, text)
  return read.handle === undefined || isKey(read.handle.key)
    ? read
    : { reason: 'must be a handle without comma or space' }
}

const topics = z
  .array(
    z.union(
      [
        label(limits.topicCharactersMax),
        z.object({
          topic: label(limits.topicCharactersMax),
          weight: optional(weight),
        }),
      ],
      'must be a text or {topic, weight}',
    ),
  )
  .min(1, 'must name at least one topic')
  .max(limits.topicsPerAuthorityMax)
  .refine(
    (list) => new Set(list.map((topic) => labelOf(topic).toLowerCase())).size === list.length,
    'must not name a topic twice',
  )

const identifiers = z
  .record(z.string(), optional(label(limits.identifierCharactersMax)))
  .transform((byScheme, { issues }): AuthorityRecord['identifiers'] => {
    const refuse = (message: string, path: string[] = []) =>
      issues.push({ code: 'custom', message, path, input: byScheme })
    const given = Object.entries(byScheme).flatMap(([scheme, value]) =>
      value === undefined ? [] : [{ scheme, value }],
    )
    if (given.length > limits.identifiersPerAuthorityMax) {
      refuse(`must hold at most ${limits.identifiersPerAuthorityMax} schemes`)
    }
    if (!given.every(({ scheme }) => isScheme(scheme))) {
      refuse('must be named by schemes of the letters a-z, 0-9, _, . and -')
    }
    for (const { scheme, value } of given) {
      const { reason } = readIdentifier(platformKey(scheme), value)
      if (reason !== undefined) refuse(reason, [scheme])
    }
    return given
  })

const attributeValue = label(limits.attributeCharactersMax).refine(
  (value) => termsOf(value).length > 0,
  'has no letters or digits',
)

const attributes = z
  .record(
    z.string(),
    optional(
      z.union([attributeValue, z.array(attributeValue)], 'must be a text or a list of texts'),
    ),
  )
  .transform((byKey, { issues }): AuthorityRecord['attributes'] => {
    const refuse = (message: string) =>
      issues.push({ code: 'custom', message, path: [], input: byKey })
    const given = Object.entries(byKey).flatMap(([key, values]) =>
      values === undefined ? [] : [values].flat().map((value) => ({ key, value })),
    )
    if (given.length > limits.attributesPerAuthorityMax) {
      refuse(`must hold at most ${limits.attributesPerAuthorityMax} values`)
    }
    if (!given.every(({ key }) => isAttributeKey(key))) {
      const most = limits.attributeKeyCharactersMax
      refuse(`must be named by keys of the letters a-z, 0-9, _, . and -, at most ${most}`)
    }
    return given
  })

function labelOf(topic: string | { readonly topic: string }): string {
  return typeof topic === 'string' ? topic : topic.topic
}

/** One line of `authorities.ndjson`. Topics that differ only in case are the same topic. */
export const authoritySchema: z.ZodType<AuthorityRecord> = z
  .object({
    sdu: z.string().regex(sduShape, `must be 1 to ${limits.sduDigitsMax} digits`),
    name: personName,
    also_known_as: optional(z.array(personName).max(limits.otherNamesPerAuthorityMax)),
    bio: optional(cleanText(limits.bioCharactersMax)),
    country_name: optional(cleanText(limits.nameCharactersMax)),
    topics,
    socials: optional(socials),
    website: optional(
      label(limits.websiteCharactersMax)
        .transform(withScheme)
        .refine(isWebsite, 'must be an http or https address'),
    ),
    verified,
    ...proofFields,
    authority_score: optional(z.number().min(0).max(100)),
    identifiers: optional(identifiers),
    attributes: optional(attributes),
    source: optional(label(limits.websiteCharactersMax)),
    licence: optional(label(limits.nameCharactersMax)),
    updated_at: optional(
      label(limits.nameCharactersMax).refine(isDay, 'must be a day or a time (ISO 8601)'),
    ),
  })
  .transform((record) => ({
    sdu: record.sdu,
    name: record.name,
    alsoKnownAs: record.also_known_as ?? [],
    bio: record.bio ?? '',
    countryName: countryNameOf(record.country_name ?? ''),
    topics: record.topics.map((topic) => ({
      topic: labelOf(topic),
      weight: typeof topic === 'string' ? undefined : topic.weight,
    })),
    socials: record.socials ?? [],
    website: record.website ?? null,
    verified: record.verified,
    ...proofOf(record.verified_by, record.verified_at),
    authorityScore: record.authority_score,
    identifiers: record.identifiers ?? [],
    attributes: record.attributes ?? [],
    source: record.source ?? null,
    licence: record.licence ?? null,
    updatedAt: record.updated_at ?? null,
  }))

const end = z.string().transform((written, context): string => {
  const canonical = canonicalEnd(written)
  if (canonical === undefined)
    context.addIssue('must be an SDU, platform:handle or the address of a profile')
  return canonical ?? z.NEVER
})

/** One line of `connections.ndjson`. */
export const connectionSchema: z.ZodType<ConnectionRecord> = z
  .object({
    from: end,
    to: end,
    weight: optional(weight),
    kind: optional(z.enum(connectionKinds)),
    source: optional(label(limits.websiteCharactersMax)).catch(undefined),
  })
  .transform(({ weight = 1, kind = 'follows', ...ends }) => ({ ...ends, weight, kind }))

/** One line of `topics.ndjson`. */
export const topicSchema: z.ZodType<TopicRecord> = z
  .object({
    topic: label(limits.topicCharactersMax),
    aliases: optional(z.array(label(limits.topicCharactersMax))),
    broader: optional(z.array(label(limits.topicCharactersMax))),
  })
  .transform(({ topic, aliases = [], broader }) => ({
    topic,
    aliases,
    ...(broader && { broader }),
  }))

/** An SDU as it stands, `@Ann` on `X` as `twitter:ann`; undefined for what is neither. */
function canonicalEnd(text: string): string | undefined {
  if (sduShape.test(text)) return text
  const { platform, key } = parseHandle(text)
  if (platform === undefined || platform === nowhere) return undefined
  const valid = isPlatform(platform) && isKey(key) && key.length <= limits.handleCharactersMax
  return valid ? `${platform}:${key}` : undefined
}
