/**
 * The facts of a platform: its hosts, where its addresses name an account, and paths that look like a name
 * but are none. The rows are in the files beside this one, taken from the platforms' own documentation. A
 * path without a rule matches nobody, because a stranger is worse than no match.
 */

/** One platform. Lists are words with spaces between them. */
export interface Platform {
  /** Other names that people give it; those that differ in case, `-`, `_`, `.` or space need none. */
  readonly aliases?: string
  /**
   * Hosts → paths; each host also with `www.`, `m.` or `mobile.` before it. A host may begin with `*`
   * (any word), `{country}`, `{locale}`, `{name}` (whose it is) or `{host}` (the host is the handle),
   * and end with `{tld}`, the end of a country's hosts.
   * A path stands for itself and everything below it: `*` is any segment, `{name}` the handle, and so
   * are the other shapes of src/text/sites.ts.
   */
  readonly at: Readonly<Record<string, string>>
  /** The form of a handle in an address. */
  readonly name?: RegExp
  /** Texts of that form that are the number of a thing. */
  readonly never?: RegExp
  /** Names that the platform keeps for itself, in lower case. */
  readonly kept?: string
  /** Handles in which case tells people apart. */
  readonly cased?: RegExp
  /** For handles with one spelling only: the key of one as `handleKey` leaves it. */
  readonly register?: (value: string) => string | undefined
}

/** Rows by the platforms' keys. */
export type Platforms = Readonly<Record<string, Platform>>

/** A name in any script, for platforms that address people by name. */
export const unicodeName = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.'’·-]{0,99}$/u
/** Letters, digits, `_` and `-`. */
export const slug = /^[\w-]{1,100}$/
/** The path of an address, unless a row names another. */
export const dotted = /^[\w.-]{1,64}$/
