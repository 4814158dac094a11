/**
 * The platforms' table, `tables/platforms.txt`: a row has what is known of a platform, taken from its own documentation. A path without a rule
 * matches nobody, because a stranger is worse than no match. Columns stand in any order, two spaces apart; lists are
 * words with a space between them.
 *
 * - `aliases`: other names that people give it; those that differ in case, `-`, `_`, `.` or space need none.
 * - `prefixes`: words that name it in front of a slash: `in/ann`.
 * - `at`: hosts and their paths; groups are parted by `; `. Each host stands also for itself behind `www.`, `m.` or
 *   `mobile.`. It may begin with `*` (any word), `{country}`, `{locale}`, `{name}` (whose it is) or `{host}` (the host is
 *   the handle), and end with `{tld}`, the end of a country's hosts. `tg://` is the scheme of an application. A path
 *   stands for itself and everything below it, with `$` at its end for itself only: `*` is any segment, `{name}` the handle
 *   with or without `@`, `{cased}` one of the form `cased`, the other forms are those of src/text/sites.ts. `{name:c/}`
 *   is a name space of its own: its handles begin with `c/`. A handle may be written as a path of the first hosts, or
 *   of the scheme: `channel/UC…`.
 * - `name`: the form of a handle in an address: a pattern, `slug`, `unicode`, or `dotted` where it is not given.
 * - `never`: texts of that form that are the number of a thing.
 * - `cased`: the form of handles in which case tells people apart.
 * - `bridge`: the form of handles that are an account on a server: its name and its host.
 * - `endings`: the form of ends of a name in an address that are none of it: `ann.png` is her picture, `ann.keys` are her keys.
 * - `is`: `remote` where hosts serve repositories (`git@github.com:ann/repository.git`); `bare` where a query without
 *   a platform asks for a handle as its record has it, not for its key.
 * - `kept`: names that the platform keeps for itself, in lower case.
 */
import { accountKey } from './fediverse.ts'
import { blueskyKey, didKey, facebookKey, isniKey, orcidKey, wikidataKey } from './registers.ts'
import { platforms as platformRows } from './tables/tables.made.ts'

/** One row. */
export interface Platform {
  readonly aliases: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
  /** Hosts and their paths. */
  readonly at: readonly { readonly hosts: readonly string[]; readonly paths: readonly string[] }[]
  readonly name: RegExp
  readonly never?: RegExp | undefined
  readonly cased?: RegExp | undefined
  readonly bridge?: RegExp | undefined
  readonly endings?: RegExp | undefined
  readonly isRemote: boolean
  readonly isFoundBare: boolean
  readonly kept: ReadonlySet<string>
  /** For handles with more than one spelling: the key of one as `handleKey` leaves it. */
  readonly register?: ((value: string) => string | undefined) | undefined
}

const registers: Readonly<Record<string, Platform['register']>> = {
  bluesky: blueskyKey,
  did: didKey,
  facebook: facebookKey,
  isni: isniKey,
  mastodon: accountKey,
  orcid: orcidKey,
  wikidata: wikidataKey,
}

const names: Readonly<Record<string, RegExp>> = {
  dotted: /^[\w.-]{1,64}$/,
  slug: /^[\w-]{1,100}$/,
  unicode: /^[\p{L}\p{N}\p{So}_][\p{L}\p{N}\p{M}\p{So}\p{Emoji_Modifier}_.'’·-]{0,99}$/u,
}

/** The rows by the keys of the platforms. */
export const platforms: ReadonlyMap<string, Platform> = new Map(
  platformRows().split('\n').map(rowOf),
)

function rowOf(line: string): [string, Platform] {
  const [key = '', ...written] = line.split('  ')
  const columns = new Map(
    written.map((each) => [each.split(':', 1)[0]!, each.replace(/^\w+: /, '')]),
  )
  const words = (column: string) => new Set(wordsOf(columns.get(column)))
  const pattern = (column: string) => patternOf(columns.get(column))
  const row = {
    aliases: words('aliases'),
    prefixes: words('prefixes'),
    at: (columns.get('at')?.split('; ') ?? []).map((group) => ({
      hosts: wordsOf(group).filter((word) => !word.startsWith('/')),
      paths: wordsOf(group).filter((word) => word.startsWith('/')),
    })),
    name: pattern('name') ?? names.dotted!,
    never: pattern('never'),
    cased: pattern('cased'),
    bridge: pattern('bridge'),
    endings: pattern('endings'),
    isRemote: words('is').has('remote'),
    isFoundBare: words('is').has('bare'),
    kept: words('kept'),
    register: registers[key],
  }
  return [key, row]
}

function wordsOf(text = ''): readonly string[] {
  return text.split(' ').filter((word) => word !== '')
}

/** `slug`, or a pattern as it is written in a program. */
function patternOf(text: string | undefined): RegExp | undefined {
  if (text === undefined) return undefined
  const end = text.lastIndexOf('/')
  return names[text] ?? new RegExp(text.slice(1, end), text.slice(end + 1))
}
