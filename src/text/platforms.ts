/**
 * The platforms' table, `tables/platforms.txt`: a row has what is known of a platform, taken from its own documentation;
 * the table says what its columns are. A path without a rule matches nobody, because a stranger is worse than no match.
 */
import { accountKey } from './fediverse.ts'
import { blueskyKey, didKey, facebookKey, isniKey, orcidKey, wikidataKey } from './registers.ts'
import { platforms as platformRows } from './tables/tables.made.ts'

export interface Platform {
  readonly aliases: ReadonlySet<string>
  readonly prefixes: ReadonlySet<string>
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
