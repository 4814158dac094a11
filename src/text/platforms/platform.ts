/**
 * The facts of a platform: its hosts, where its addresses name an account, and paths that look like a name
 * but are none. The rows are in the files beside this one, taken from the platforms' own documentation. A
 * path without a rule matches nobody, because a stranger is worse than no match.
 */

/** One platform. Lists are words with spaces between them. */
export interface Platform {
  /** Other names that people give it; those that differ in case, `-`, `_`, `.` or space need none. */
  readonly aliases?: string
  /** Words that name the platform in front of a slash: `in/ann`. */
  readonly prefixes?: string
  /**
   * Hosts → paths; each host also with `www.`, `m.` or `mobile.` before it. A host may begin with `*`
   * (any word), `{country}`, `{locale}`, `{name}` (whose it is) or `{host}` (the host is the handle),
   * and end with `{tld}`, the end of a country's hosts. `tg://` is the scheme of an application.
   * A path stands for itself and everything below it, or with `$` at its end for itself only: `*` is any segment,
   * `{name}` the handle with or without `@`, `{cased}` one of the form `cased`, and the other forms are those of
   * src/text/sites.ts. `{name:c/}` is a name space of its own: its handles begin with `c/`.
   * A handle may be written as a path of the first hosts, or of the scheme: `channel/UC…`.
   */
  readonly at: Readonly<Record<string, string>>
  /** The form of a handle in an address. */
  readonly name?: RegExp
  /** Texts of that form that are the number of a thing. */
  readonly never?: RegExp
  /** Names that the platform keeps for itself, in lower case. */
  readonly kept?: string
  /** Ends of a name in an address that are none of it: `ann.png` is her picture, `ann.keys` are her keys. */
  readonly endings?: string
  /** Handles in which case tells people apart. */
  readonly cased?: RegExp
  /** For handles with more than one spelling: the key of one as `handleKey` leaves it. */
  readonly register?: (value: string) => string | undefined
  /** Whether a query without a platform asks for a handle as its record has it, not for the key of `register`. */
  readonly isFoundBare?: true
  /** Handles that are an account on a server: its name and its host. */
  readonly bridge?: RegExp
  /** Whether its hosts serve repositories: `git@github.com:ann/repository.git`. */
  readonly remote?: true
}

/** Rows by the platforms' keys. */
export type Platforms = Readonly<Record<string, Platform>>

/** A name in any script, for platforms that address people by name. */
export const unicodeName =
  /^[\p{L}\p{N}\p{So}_][\p{L}\p{N}\p{M}\p{So}\p{Emoji_Modifier}_.'’·-]{0,99}$/u
/** Letters, digits, `_` and `-`. */
export const slug = /^[\w-]{1,100}$/
/** The path of an address, unless a row names another. */
export const dotted = /^[\w.-]{1,64}$/
