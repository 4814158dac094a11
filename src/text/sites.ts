/**
 * The platforms' addresses as a program reads them: hosts with their paths, made once of the rows in
 * src/text/platforms/. A host that is a platform's never names anybody in any other way.
 */
import { lazily } from './lazily.ts'
import { code } from './platforms/code.ts'
import { media } from './platforms/media.ts'
import { socialNetworks } from './platforms/networks.ts'
import { dotted, type Platform, type Platforms } from './platforms/platform.ts'
import { research } from './platforms/research.ts'
import { writing } from './platforms/writing.ts'

/** The owner of an address: the handle as the address writes it. */
export interface Owner {
  readonly platform: string
  readonly handle: string
}

/** A part of an address that tells who it is, and what stands before it in the handle. */
interface Shape {
  readonly pattern: RegExp
  readonly lead?: string
}

/** One segment of a path: a word, any (`undefined`), or a shape behind a prefix. */
type Step = string | undefined | { readonly prefix: string; readonly shape: string }

interface Path {
  readonly steps: readonly Step[]
  /** The parameter that the shape stands in, where it stands in one. */
  readonly parameter?: { readonly name: string; readonly shape: string }
}

interface Site {
  readonly platform: string
  readonly row: Platform
  readonly kept: ReadonlySet<string>
  readonly paths: readonly Path[]
}

/** A site whose hosts begin with a word that is not fixed. */
interface Family {
  readonly first: string
  readonly site: Site
}

const platformTable: Platforms = { ...socialNetworks, ...media, ...writing, ...code, ...research }

const shapes: Readonly<Record<string, Shape>> = {
  id: { pattern: /^(\d{1,20})$/ },
  leadingId: { pattern: /^(\d{1,20})(?:[.-].*)?$/s },
  trailingId: { pattern: /^.+-(\d{9,20})$/s },
  // Goodreads numbers its readers and its authors each from 1.
  userId: { pattern: /^(\d{1,20})(?:[.-].*)?$/s, lead: 'user:' },
  item: { pattern: /^(q\d{1,16})(?:\.[a-z]{2,6})?$/i },
}

const firstWords: Readonly<Record<string, RegExp>> = {
  '*': /^[a-z0-9-]+$/,
  '{country}': /^[a-z]{2}$/,
  '{locale}': /^[a-z]{2}-[a-z]{2}$/,
}

/** First words of a path that no platform gives to anybody. */
const keptPaths = wordsOf(
  'about account accounts auth contact cookies explore faq help home index.html index.php jobs language login logout oauth privacy register robots.txt search settings sign-in sign-up sign_in sign_up signin signout signup sitemap.xml terms tos favicon.ico',
)

/** First words of a host that no platform gives to anybody. */
const keptHosts = wordsOf(
  'about account accounts admin api app apps assets auth blog cdn community dev developer developers docs email engineering forum forums ftp help images img jobs learn login mail media news press shop smtp static status store support test web wiki',
)

const platforms: ReadonlyMap<string, Platform> = new Map(Object.entries(platformTable))

/** Platforms by their hosts and by their other names. */
interface Index {
  readonly exact: ReadonlyMap<string, Site>
  /** By what follows the first word of a host. */
  readonly families: ReadonlyMap<string, readonly Family[]>
  readonly aliases: ReadonlyMap<string, string>
}

/** Made when it is first asked for: most commands and some threads never ask, and it is half of what this module costs. */
const index = lazily(newIndex)

function newIndex(): Index {
  const made = {
    exact: new Map<string, Site>(),
    families: new Map<string, Family[]>(),
    aliases: new Map<string, string>(),
  }
  for (const [platform, row] of Object.entries(platformTable)) {
    for (const alias of wordsOf(row.aliases ?? '')) made.aliases.set(alias, platform)
    const kept = wordsOf(row.kept ?? '')
    for (const [hosts, paths] of Object.entries(row.at)) {
      const site = { platform, row, kept, paths: [...wordsOf(paths)].map(pathOf) }
      for (const host of wordsOf(hosts)) addHost(made, host, site)
    }
  }
  return made
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').filter((word) => word !== ''))
}

function addHost(
  { exact, families }: { exact: Map<string, Site>; families: Map<string, Family[]> },
  host: string,
  site: Site,
): void {
  const dot = host.indexOf('.')
  const first = host.slice(0, dot)
  if (first !== '*' && !first.startsWith('{')) {
    exact.set(host, site)
    return
  }
  const rest = host.slice(dot + 1)
  families.set(rest, [...(families.get(rest) ?? []), { first, site }])
}

/** `/user?id={name}` → its segments and its parameter. */
function pathOf(template: string): Path {
  const [path = '', query] = template.split('?')
  const steps = path.split('/').filter(Boolean).map(stepOf)
  if (query === undefined) return { steps }
  const [name = '', shape = ''] = query.split('=')
  return { steps, parameter: { name, shape: shape.slice(1, -1) } }
}

function stepOf(segment: string): Step {
  const brace = segment.indexOf('{')
  if (brace < 0) return segment === '*' ? undefined : segment
  return { prefix: segment.slice(0, brace), shape: segment.slice(brace + 1, -1) }
}

/** The keys of all platforms that the table knows. */
export const platformKeys: readonly string[] = Object.keys(platformTable)

/** The row of a platform, or undefined for one that the table does not know. */
export function platformOf(key: string): Platform | undefined {
  return platforms.get(key)
}

/** A character between the words of a platform's name. */
const parted = /[ ._-]/

/** The key of the platform that people call so: `x`, `stack overflow`; undefined for an unknown one. */
export function knownPlatform(name: string): string | undefined {
  if (platformOf(name) !== undefined) return name
  const squeezed = parted.test(name) ? name.replaceAll(/[ ._-]/g, '') : name
  return index().aliases.get(squeezed) ?? (platformOf(squeezed) && squeezed)
}

/** The place of a host in the table: its site, and the word before it that is not fixed. */
interface Place {
  readonly site: Site
  readonly family?: { readonly first: string; readonly word: string }
}

function placeOf(host: string): Place | undefined {
  const { exact } = index()
  const bare = host.replace(/^(?:www\d?|m|mobile)\.(?=.*\.)/, '')
  const anyCountry = bare.replace(/\.(?:com?\.)?[a-z]{2}$/, '.{tld}')
  const site = exact.get(host) ?? exact.get(bare) ?? exact.get(anyCountry)
  return site === undefined ? (placeIn(bare) ?? placeIn(anyCountry)) : { site }
}

function placeIn(host: string): Place | undefined {
  const dot = host.indexOf('.')
  const word = host.slice(0, dot)
  const family = index()
    .families.get(host.slice(dot + 1))
    ?.find(({ first }) => firstWords[first]?.test(word) ?? true)
  return family && { site: family.site, family: { first: family.first, word } }
}

/** More labels than any host in the table has. */
const labelsMax = 5

/** Belongs to a platform of the table, whether or not anybody is named there. */
export function isPlatformHost(host: string): boolean {
  if (placeOf(host) !== undefined) return true
  const { exact, families } = index()
  let dot = host.length
  for (let labels = 1; labels < labelsMax && dot >= 0; labels += 1) {
    dot = host.lastIndexOf('.', dot - 1)
    const domain = host.slice(dot + 1)
    if (exact.has(domain) || families.has(domain)) return true
  }
  return false
}

/**
 * The owner of an address on a platform; undefined where it has none.
 * @param host in lower case, without a dot at its end.
 * @param segments of the path, decoded.
 */
export function ownerOnPlatform(
  host: string,
  segments: readonly string[],
  parameters: URLSearchParams,
): Owner | undefined {
  const place = placeOf(host)
  if (place === undefined) return undefined
  const { site, family } = place
  if (family?.first === '{name}') return ownerByHost(site, family.word, family.word)
  if (family?.first === '{host}') return ownerByHost(site, family.word, host)
  for (const path of site.paths) {
    const handle = handleAt(site, path, segments, parameters)
    if (handle !== undefined) return { platform: site.platform, handle }
  }
  return undefined
}

/** The owner of `name@host`, if the host is a platform's own. */
export function ownerOfAccount(name: string, host: string): Owner | undefined {
  const site = index().exact.get(host)
  const isKept = keptPaths.has(name.toLowerCase())
  if (site === undefined || isKept || !isName(site, name)) return undefined
  return { platform: site.platform, handle: name }
}

function ownerByHost(site: Site, word: string, handle: string): Owner | undefined {
  if (keptHosts.has(word) || !isName(site, handle)) return undefined
  return { platform: site.platform, handle }
}

function isName({ row, kept }: Site, name: string): boolean {
  const { name: pattern = dotted, never } = row
  return pattern.test(name) && never?.test(name) !== true && !kept.has(name.toLowerCase())
}

function handleAt(
  site: Site,
  { steps, parameter }: Path,
  segments: readonly string[],
  parameters: URLSearchParams,
): string | undefined {
  let handle: string | undefined
  for (const [index, step] of steps.entries()) {
    const segment = segments[index]
    if (segment === undefined) return undefined
    if (typeof step === 'object') {
      const isRoot = index === 0 && step.prefix === ''
      if (isRoot && keptPaths.has(segment.toLowerCase())) return undefined
      handle = handleIn(site, step.prefix, step.shape, segment)
      if (handle === undefined) return undefined
    } else if (step !== undefined && step !== segment.toLowerCase()) return undefined
  }
  if (parameter === undefined) return handle
  const value = parameters.get(parameter.name)
  return value === null ? undefined : handleIn(site, '', parameter.shape, value)
}

/** The handle in a segment: with the `@` that it has there, without any other prefix. */
function handleIn(site: Site, prefix: string, shape: string, segment: string): string | undefined {
  if (!segment.startsWith(prefix)) return undefined
  const written = segment.slice(prefix.length)
  const at = prefix === '@' ? prefix : ''
  if (shape === 'name') return isName(site, written) ? `${at}${written}` : undefined
  const { pattern, lead = '' } = shapes[shape]!
  const found = pattern.exec(written)?.[1]
  return found === undefined ? undefined : `${lead}${found}`
}
