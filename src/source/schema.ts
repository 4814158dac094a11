/**
 * The types of source records, as they are read: a value of these types keeps every promise of its type. Texts are
 * trimmed, platforms and the ends of connections are in their canonical form.
 */
import type { ConnectionKind } from '../connection-kinds.ts'

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
    /** Proof that the account is theirs; absent if the record gives none. */
    readonly proof?: Proof | undefined
  }[]
  readonly website: string | null
  readonly verified: boolean
  /** Proof of the person's identity; absent if the record gives none. */
  readonly proof?: Proof | undefined
  /** 0–100. */
  readonly authorityScore: number | undefined
  /** Identifiers in other registers; each scheme at most once. */
  readonly identifiers: readonly {
    /** Such as `wikidata`; of the characters a platform's key may have. */
    readonly scheme: string
    /** As the record writes it; `readIdentifier` reads it. */
    readonly value: string
  }[]
  /** Further facts, such as a party or a chamber; a key may have several values. */
  readonly attributes: readonly Attribute[]
  /** Source of the record: a text or an address. */
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

/** Method and time of a verification. */
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
  /** Source of the connection; if absent, the source of the record of `from`. */
  readonly source?: string | undefined
}

/** Other names of a topic. */
export interface TopicRecord {
  readonly topic: string
  readonly aliases: readonly string[]
  /** Topics that this one is a part of. If it has no people, its names mean the first of these that has. */
  readonly broader?: readonly string[]
}
