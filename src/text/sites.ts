/**
 * The platforms' table, compiled: hosts to rules. A platform's host names nobody in any other way.
 */
import { lazily } from './lazily.ts'
import { type Platform, platforms } from './platforms.ts'
import { keptWords } from './tables/tables.made.ts'

export interface Owner {
  readonly platform: string
  readonly handle: string
}

/** An address in parts: the host in small letters, the first segments of the path decoded, what follows as it stands. */
export interface Address {
  readonly host: string
  readonly segments: readonly string[]
  readonly query: string
  readonly fragment: string
  /** Whether only a repository is addressed so: `git@github.com:ann/repository.git`. */
  readonly isRemote?: boolean
}

/** A part of an address that tells who it is: `{name}`, with what stands before it there and in the handle. */
interface Part {
  readonly before: string
  readonly lead: string
  /** The form of what is found, its first group; undefined for a name of the platform. */
  readonly form: RegExp | undefined
  readonly segments: number
}

/** One segment of a path: a word, any (`undefined`), or who it is. */
type Step = string | Part | undefined

interface Rule {
  readonly steps: readonly Step[]
  /** Whether nothing may stand below. */
  readonly isWhole: boolean
  readonly parameter?: { readonly name: string; readonly part: Part }
  readonly fragment?: Part
}

interface Site {
  readonly platform: string
  readonly row: Row
  readonly rules: readonly Rule[]
  /** Whose the host is, where its first word is not fixed: `{name}` or `{host}`. */
  readonly first?: string
}

interface Row extends Platform {
  /** Rules of a handle that is written as a path: those of its first hosts, and of the platform's own scheme. */
  readonly own: Rule[]
}

const forms: Readonly<Record<string, RegExp>> = {
  id: /^(\d{1,20})$/,
  leadingId: /^(\d{1,20})(?:[.-].*)?$/s,
  trailingId: /^.+-(\d{9,20})$/s,
  item: /^(q\d{1,16})(?:\.[a-z]{2,6})?$/i,
  /** Two segments: the persons of dblp. */
  pair: /^((?:\d{1,3}|[a-z])\/[\w-]{1,60})(?:\.[a-z]{2,4})?$/i,
}

/** Signs of a name at whose end they are read as those of a sentence. */
const [endings, apostrophes] = [".'’", "'’"]

const firstWords: Readonly<Record<string, RegExp>> = {
  '*': /^[a-z0-9-]+$/,
  '{country}': /^[a-z]{2}$/,
  '{locale}': /^[a-z]{2}-[a-z]{2}$/,
}

/** First words of a path and of a host that no platform gives to anybody. */
const [keptPaths, keptHosts] = keptWords()
  .split('\n')
  .map((line): ReadonlySet<string> => new Set(line.split(' '))) as [
  ReadonlySet<string>,
  ReadonlySet<string>,
]

export const platformKeys: readonly string[] = [...platforms.keys()]

export function platformOf(key: string): Platform | undefined {
  return platforms.get(key)
}

interface Index {
  /** By host, or by scheme: `x.com`, `tg://`. */
  readonly exact: Map<string, Site>
  /** By what follows the first word of a host. */
  readonly families: Map<string, Site[]>
  readonly rows: Map<string, Row>
  /** Platforms by their other names. */
  readonly aliases: Map<string, string>
  /** Platforms by the words that stand before the slash of a handle: `in/ann`. */
  readonly prefixes: Map<string, string>
}

/** Made when it is first asked for: most commands and some threads never ask, and it is half of what this module costs. */
const index = lazily(() => {
  const made: Index = {
    exact: new Map(),
    families: new Map(),
    rows: new Map(),
    aliases: new Map(),
    prefixes: new Map(),
  }
  for (const [platform, columns] of platforms) {
    const row = { ...columns, own: [] as Rule[] }
    made.rows.set(platform, row)
    for (const alias of row.aliases) made.aliases.set(alias, platform)
    for (const word of row.prefixes) made.prefixes.set(word, platform)
    for (const { hosts, paths } of row.at) {
      const rules = paths.map((path) => ruleOf(path, row))
      const isScheme = hosts.some((host) => host.endsWith('://'))
      if (row.own.length === 0 || isScheme) row.own.unshift(...rules)
      for (const host of hosts) addSite(made, host, { platform, row, rules })
    }
  }
  return made
})

function addSite({ exact, families }: Index, host: string, site: Site): void {
  const dot = host.indexOf('.')
  const first = host.slice(0, dot)
  if (first === '*' || first.startsWith('{')) {
    const rest = host.slice(dot + 1)
    families.set(rest, [...(families.get(rest) ?? []), { ...site, first }])
    return
  }
  for (const before of host.endsWith('://') ? [''] : ['', 'www.', 'm.', 'mobile.']) {
    exact.set(`${before}${host}`, site)
  }
}

/** `/user?id={name}` → its steps, its parameter, its fragment. */
function ruleOf(template: string, row: Row): Rule {
  const [, path = '', name, value = '', fragment, end] =
    /^([^?#$]*)(?:\?(\w+)=([^#$]+))?(?:#([^$]+))?(\$)?$/.exec(template)!
  return {
    steps: path
      .split(/\/(?![^{]*\})/)
      .flatMap((segment) => (segment === '' ? [] : [stepOf(segment, row)])),
    isWhole: end !== undefined,
    ...(name === undefined ? {} : { parameter: { name, part: partOf(value, row)! } }),
    ...(fragment === undefined ? {} : { fragment: partOf(fragment, row)! }),
  }
}

function stepOf(segment: string, row: Row): Step {
  return partOf(segment, row) ?? (segment === '*' ? undefined : segment)
}

/** `@{name}`, `{leadingId:user:}`. */
function partOf(text: string, { cased }: Row): Part | undefined {
  const [, before = '', shape = '', lead = ''] = /^([^{]*)\{(\w+)(?::(.*))?\}$/.exec(text) ?? []
  if (shape === '') return undefined
  const form = shape === 'cased' ? new RegExp(`(${cased!.source})`) : forms[shape]
  return { before, lead, form, segments: shape === 'pair' ? 2 : 1 }
}

/** A character between the words of a platform's name. */
const parted = /[ ._-]/

/** The key of the platform that people call so: `x`, `stack overflow`; undefined for an unknown one. */
export function knownPlatform(name: string): string | undefined {
  if (platforms.has(name)) return name
  const squeezed = parted.test(name) ? name.replaceAll(/[ ._-]/g, '') : name
  return index().aliases.get(squeezed) ?? (platforms.has(squeezed) ? squeezed : undefined)
}

/** The platforms of whose handles nothing but a name in small letters is made, by their names in the table. */
const plainNamed = lazily(() => {
  const names = [...platforms].flatMap(([platform, { aliases, cased, register }]) =>
    cased === undefined && register === undefined
      ? [platform, ...aliases].map((name) => [name, platform] as const)
      : [],
  )
  return new Map(names)
})

/** The platform of that name, where any plain name is a handle as it stands; undefined for any other. */
export function platformOfPlainNames(name: string): string | undefined {
  return plainNamed().get(name)
}

/** The key of a platform's name that is written as the table has it; undefined for any other. */
export function writtenPlatform(name: string): string | undefined {
  return platforms.has(name) ? name : index().aliases.get(name)
}

/** Whether a host stands in the table as it is written. */
export function isWrittenHost(host: string): boolean {
  return index().exact.has(host)
}

function siteOf(host: string): Site | undefined {
  const { exact } = index()
  const known = exact.get(host)
  if (known !== undefined) return known
  const bare = bareHost(host)
  const anyCountry = bare.replace(/\.(?:com?\.)?[a-z]{2}$/, '.{tld}')
  return exact.get(bare) ?? exact.get(anyCountry) ?? familyOf(bare) ?? familyOf(anyCountry)
}

function bareHost(host: string): string {
  return host.replace(/^(?:www\d?|m|mobile)\.(?=.*\.)/, '')
}

function familyOf(host: string): Site | undefined {
  const dot = host.indexOf('.')
  const family = index().families.get(host.slice(dot + 1))
  return family?.find(({ first = '' }) => firstWords[first]?.test(host.slice(0, dot)) ?? true)
}

const labelsMax = 5

/** Belongs to a platform of the table, whether or not anybody is named there. */
export function isPlatformHost(host: string): boolean {
  if (siteOf(host) !== undefined) return true
  const { exact, families } = index()
  let dot = host.length
  for (let labels = 1; labels < labelsMax && dot >= 0; labels += 1) {
    dot = host.lastIndexOf('.', dot - 1)
    const domain = host.slice(dot + 1)
    if (exact.has(domain) || families.has(domain)) return true
  }
  return false
}

/** The owner of an address on a platform: 'nobody' where it has none there, undefined on any other host. */
export function ownerOnPlatform(address: Address): Owner | 'nobody' | undefined {
  const { host } = address
  const site = siteOf(host)
  if (site === undefined) return isPlatformHost(host) ? 'nobody' : undefined
  const { platform, row, rules, first } = site
  if (address.isRemote === true && !row.isRemote) return 'nobody'
  const handle =
    first === '{name}' || first === '{host}'
      ? handleByHost(row, bareHost(host), first)
      : handleByRules(row, rules, address)
  return handle === undefined ? 'nobody' : { platform, handle }
}

/** The owner of a handle that is written as a path on its platform: `in/ann`, `pages/Ann/123456`. */
export function ownerByPath(platform: string, address: Address): Owner | undefined {
  const row = index().rows.get(platform)
  const handle = row && handleByRules(row, row.own, address)
  return handle === undefined ? undefined : { platform, handle }
}

/** The platform that a word before a slash names by itself: LinkedIn for the `in` of `in/ann`. */
export function platformOfPrefix(word: string): string | undefined {
  return index().prefixes.get(word)
}

export function ownerOfAccount(name: string, host: string): Owner | undefined {
  const site = index().exact.get(host)
  if (site === undefined || !isName(site.row, name, true)) return undefined
  return { platform: site.platform, handle: name }
}

function isWord(word: string, segment: string): boolean {
  return word.length === segment.length && word === segment.toLowerCase()
}

function handleByHost(row: Row, host: string, first: string): string | undefined {
  const word = host.slice(0, host.indexOf('.'))
  const handle = first === '{host}' ? host : word
  return keptHosts.has(word) || !isName(row, handle) ? undefined : handle
}

function isName(row: Row, name: string, isFirst = false): boolean {
  const { name: form, never, kept, cased } = row
  if (!form.test(name) || never?.test(name) || cased?.test(name) || isWrapped(name)) return false
  const word = name.toLowerCase()
  return !kept.has(word) && !(isFirst && keptPaths.has(word))
}

/** Ends as a sentence or a possessive does, which is read as no part of a name. */
function isWrapped(name: string): boolean {
  const last = name.at(-1)!
  return endings.includes(last) || (/s/i.test(last) && apostrophes.includes(name.at(-2)!))
}

function handleByRules(row: Row, rules: readonly Rule[], address: Address): string | undefined {
  for (const rule of rules) {
    const handle = handleAt(row, rule, address)
    if (handle !== undefined) return handle
  }
  return undefined
}

function handleAt(row: Row, rule: Rule, address: Address): string | undefined {
  const { steps, isWhole, parameter, fragment } = rule
  const { segments } = address
  if (segments.length < steps.length || (isWhole && segments.length > steps.length))
    return undefined
  let handle: string | undefined
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at]
    const segment = segments[at]!
    if (typeof step === 'object') {
      const text = step.segments === 1 ? segment : segments.slice(at, at + step.segments).join('/')
      handle = handleIn(row, step, text, at === 0 && step.before === '')
      if (handle === undefined) return undefined
    } else if (step !== undefined && !isWord(step, segment)) return undefined
  }
  if (fragment !== undefined) return handleIn(row, fragment, address.fragment)
  if (parameter === undefined) return handle
  const value = new URLSearchParams(address.query).get(parameter.name)
  return value === null ? undefined : handleIn(row, parameter.part, value)
}

/** The handle in a text: with the `@` that it has there, without any other prefix. */
function handleIn(
  row: Row,
  { before, lead, form }: Part,
  text: string,
  isFirst = false,
): string | undefined {
  if (!text.startsWith(before)) return undefined
  const written = text.slice(before.length)
  if (form !== undefined) {
    const found = form.exec(written)?.[1]
    return found === undefined ? undefined : lead + found
  }
  const hasAt = written.startsWith('@')
  const whole = hasAt ? written.slice(1) : written
  const name = row.endings === undefined ? whole : whole.replace(row.endings, '')
  if (!isName(row, name, isFirst)) return undefined
  return lead === '' && (hasAt || before === '@') ? `@${name}` : lead + name
}
