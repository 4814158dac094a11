/**
 * What a source record is: the three kinds, as they may be written and as they are read. A value
 * that left this file keeps every promise of its type; texts are trimmed, platforms and connection
 * ends are in their canonical form, and fields that are not named here are ignored. Other names and
 * identifiers go no further than the record yet: no snapshot holds what nothing serves.
 */
import { z } from 'zod'
import { limits } from '../limits.ts'
import { handleKey, platformKey } from '../text/handle.ts'

/** What a connection says; `follows` and `mentions` are directed, the others hold both ways. */
export const connectionKinds = [
  'follows',
  'mentions',
  'co_membership',
  'coauthor',
  'collaborates',
] as const

/** One of `connectionKinds`. */
export type ConnectionKind = (typeof connectionKinds)[number]

/** One authority: the core topic comes first, no topic comes twice, no platform comes twice. */
export interface AuthorityRecord {
  /** 1–32 digits; leading zeros count, so `7` and `07` are two authorities. */
  readonly sdu: string
  readonly name: string
  /** Other names of the same person, in the order of the record. */
  readonly alsoKnownAs: readonly string[]
  readonly bio: string
  /** Empty when it is not known. */
  readonly countryName: string
  readonly topics: readonly { readonly topic: string; readonly weight: number | undefined }[]
  readonly socials: readonly {
    /** As `platformKey` writes it. */
    readonly platform: string
    /** As the record writes it; its `handleKey` is not empty. */
    readonly handle: string
    readonly followers: number
    readonly verified: boolean
  }[]
  readonly website: string | null
  readonly verified: boolean
  /** 0–100. */
  readonly authorityScore: number | undefined
  /** Who this is in other registers; no scheme comes twice. */
  readonly identifiers: readonly {
    /** Such as `wikidata`; of the characters a platform's key may have. */
    readonly scheme: string
    /** As the record writes it. */
    readonly value: string
  }[]
}

/** One connection; an end is an SDU or `platform:handle` in the keys of src/text/handle.ts. */
export interface ConnectionRecord {
  readonly from: string
  readonly to: string
  /** From `limits.weightMin` to `limits.weightMax`. */
  readonly weight: number
  readonly kind: ConnectionKind
}

/** Other names of a topic. */
export interface TopicRecord {
  readonly topic: string
  readonly aliases: readonly string[]
}

/** The text of an SDU. */
export const sduShape = new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`)
const keyNameShape = /^[a-z0-9][a-z0-9_.-]*$/
const keyShape = /^[^,\s\0\p{Surrogate}]+$/u
const cleanShape = /^[^\0\p{Surrogate}]*$/u

/** Holds no NUL and no half of a surrogate pair. */
export function isClean(text: string): boolean {
  return cleanShape.test(text)
}

/** Is a platform's key: its name as `platformKey` writes it, of the characters a name may have. */
export function isPlatform(key: string): boolean {
  return keyNameShape.test(key)
}

/** Is the name of a register of people, such as `wikidata`; it is written in one way only. */
export function isScheme(name: string): boolean {
  return keyNameShape.test(name)
}

/** Can be found: its key is not empty and holds neither comma nor space, which end a handle. */
export function isHandle(handle: string): boolean {
  return keyShape.test(handleKey(handle))
}

/** Is an address that a browser opens. */
export function isWebsite(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

function text(charactersMax: number) {
  return z
    .string()
    .trim()
    .max(charactersMax)
    .refine(isClean, 'must hold no NUL and no half of a surrogate pair')
}

function label(charactersMax: number) {
  return text(charactersMax).min(1, 'must not be blank')
}

const social = z.object({
  handle: label(limits.handleCharactersMax).refine(
    isHandle,
    'must be a handle without comma or space',
  ),
  // A record that says nothing of followers has none, as the published interface answers it.
  followers: z.int().min(0).default(0),
  verified: z.boolean().default(true),
})

const socials = z.record(z.string(), social).check(({ value, issues }) => {
  const refuse = (message: string) => issues.push({ code: 'custom', message, input: value })
  const platforms = Object.keys(value).map(platformKey)
  if (platforms.length > limits.socialsPerAuthorityMax) {
    refuse(`must hold at most ${limits.socialsPerAuthorityMax} platforms`)
  }
  if (!platforms.every(isPlatform)) {
    refuse('must be named by platforms of the letters a-z, 0-9, _, . and -')
  }
  if (new Set(platforms).size < platforms.length) refuse('must not name a platform twice')
})

const weight = z.number().min(limits.weightMin).max(limits.weightMax)

const topics = z
  .array(
    z.union(
      [
        label(limits.topicCharactersMax),
        z.object({
          topic: label(limits.topicCharactersMax),
          weight: weight.optional(),
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
  .record(z.string(), label(limits.identifierCharactersMax))
  .check(({ value, issues }) => {
    const refuse = (message: string) => issues.push({ code: 'custom', message, input: value })
    const schemes = Object.keys(value)
    if (schemes.length > limits.identifiersPerAuthorityMax) {
      refuse(`must hold at most ${limits.identifiersPerAuthorityMax} schemes`)
    }
    if (!schemes.every(isScheme)) {
      refuse('must be named by schemes of the letters a-z, 0-9, _, . and -')
    }
  })

function labelOf(topic: string | { readonly topic: string }): string {
  return typeof topic === 'string' ? topic : topic.topic
}

/** One line of `authorities.ndjson`. Topics that differ only in case are the same topic. */
export const authoritySchema: z.ZodType<AuthorityRecord> = z
  .object({
    sdu: z.string().regex(sduShape, `must be 1 to ${limits.sduDigitsMax} digits`),
    name: label(limits.nameCharactersMax),
    also_known_as: z
      .array(label(limits.nameCharactersMax))
      .max(limits.otherNamesPerAuthorityMax)
      .nullish(),
    bio: text(limits.bioCharactersMax).nullish(),
    country_name: text(limits.nameCharactersMax).nullish(),
    topics,
    socials: socials.default({}),
    website: label(limits.websiteCharactersMax)
      .refine(isWebsite, 'must be an http or https address')
      .nullish(),
    verified: z.boolean().default(true),
    authority_score: z.number().min(0).max(100).optional(),
    identifiers: identifiers.nullish(),
  })
  .transform((record) => ({
    sdu: record.sdu,
    name: record.name,
    alsoKnownAs: record.also_known_as ?? [],
    bio: record.bio ?? '',
    countryName: record.country_name ?? '',
    topics: record.topics.map((topic) => ({
      topic: labelOf(topic),
      weight: typeof topic === 'string' ? undefined : topic.weight,
    })),
    socials: Object.entries(record.socials).map(([platform, social]) => ({
      platform: platformKey(platform),
      ...social,
    })),
    website: record.website ?? null,
    verified: record.verified,
    authorityScore: record.authority_score,
    identifiers: Object.entries(record.identifiers ?? {}).map(([scheme, value]) => ({
      scheme,
      value,
    })),
  }))

const end = z.string().transform((written, context): string => {
  const canonical = canonicalEnd(written)
  if (canonical === undefined) context.addIssue('must be an SDU or platform:handle')
  return canonical ?? z.NEVER
})

/** One line of `connections.ndjson`. */
export const connectionSchema: z.ZodType<ConnectionRecord> = z.object({
  from: end,
  to: end,
  weight: weight.default(1),
  kind: z.enum(connectionKinds).default('follows'),
})

/** One line of `topics.ndjson`. */
export const topicSchema: z.ZodType<TopicRecord> = z.object({
  topic: label(limits.topicCharactersMax),
  aliases: z.array(label(limits.topicCharactersMax)).default([]),
})

/** An SDU as it stands, `@Ann` on `X` as `twitter:ann`; undefined for what is neither. */
function canonicalEnd(text: string): string | undefined {
  if (sduShape.test(text)) return text
  const colon = text.indexOf(':')
  if (colon === -1 || colon + limits.handleCharactersMax < text.length - 1) return undefined
  const platform = platformKey(text.slice(0, colon))
  const key = handleKey(text.slice(colon + 1))
  // The address of a profile is no `platform:handle`, though `https:` looks like one.
  const valid = isPlatform(platform) && keyShape.test(key) && !key.startsWith('//')
  return valid ? `${platform}:${key}` : undefined
}
