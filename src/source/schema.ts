/** Source records as read: texts are trimmed, platforms and ends of connections canonical. */
import type { ConnectionKind } from '../connection-kinds.ts'

/** The core topic comes first; no topic and no platform comes twice. */
export interface AuthorityRecord {
  /** 1–32 digits; leading zeros count, so `7` and `07` are two authorities. */
  readonly sdu: string
  readonly name: string
  readonly alsoKnownAs: readonly string[]
  readonly bio: string
  /** In English; as written where it is no country. Empty when not known. */
  readonly countryName: string
  readonly topics: readonly { readonly topic: string; readonly weight: number | undefined }[]
  readonly socials: readonly {
    /** As `platformKey` writes it. */
    readonly platform: string
    /** As the record writes it, or the handle that its address names; `readHandle` reads it. */
    readonly handle: string
    readonly followers: number
    readonly verified: boolean
    readonly proof?: Proof | undefined
  }[]
  readonly website: string | null
  readonly verified: boolean
  readonly proof?: Proof | undefined
  /** 0–100. */
  readonly authorityScore: number | undefined
  readonly identifiers: readonly {
    readonly scheme: string
    /** As the record writes it; `readIdentifier` reads it. */
    readonly value: string
  }[]
  readonly attributes: readonly Attribute[]
  readonly source: string | null
  readonly licence: string | null
  /** A day or a time, ISO 8601, as the record writes it. */
  readonly updatedAt: string | null
}

export interface Attribute {
  readonly key: string
  readonly value: string
}

export interface Proof {
  /** Such as `register`, `rel=me`, `dns` or `orcid`. */
  readonly by: string
  /** A day or a time, ISO 8601, as the record writes it. */
  readonly at: string | null
}

/** An end is an SDU or `platform:key` as src/text/handle.ts writes both. */
export interface ConnectionRecord {
  readonly from: string
  readonly to: string
  readonly weight: number
  readonly kind: ConnectionKind
  /** Source of the connection; if absent, the source of the record of `from`. */
  readonly source?: string | undefined
}

export interface TopicRecord {
  readonly topic: string
  readonly aliases: readonly string[]
  /** Topics that this one is a part of. If it has no people, its names mean the first of these that has. */
  readonly broader?: readonly string[]
}
