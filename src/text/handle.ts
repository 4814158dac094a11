/**
 * Handles: reads every published spelling of a handle and gives the one key that all of them share.
 * Records, the index and queries use it, so every spelling of a query finds every spelling of a record.
 */
import { addressOwner, ownerAt, ownerOfAddress, pathOwner, plainAddress } from './addresses.ts'
import { accountKey, serverOf } from './fediverse.ts'
import { decoded, folded, percent, unwrapped } from './pasted.ts'
import type { Platform } from './platforms.ts'
import {
  knownPlatform,
  type Owner,
  ownerOfAccount,
  platformOf,
  platformOfPrefix,
  writtenPlatform,
} from './sites.ts'

/** A handle as somebody typed it: `platform` is undefined where they named none. */
export interface HandleQuery {
  readonly platform: string | undefined
  readonly key: string
}

/** A handle of a record: the platform and key by which it is found, and as profiles show it. */
export interface Handle {
  readonly platform: string
  readonly key: string
  readonly shown: string
  /** The key that a query without a platform has, where the platform makes another of it: `ann.lee` on Facebook. */
  readonly bareKey?: string
}

/** A handle, or why a text is none, as the end of a sentence about it. */
export type ReadHandle =
  | { readonly handle: Handle; readonly reason?: never }
  | { readonly handle?: never; readonly reason: string }

/** The platform of what can have no owner: no record can name it. */
export const nowhere = ''

const slash = 0x2f
const prefixShape = /^[a-z0-9][a-z0-9_. -]*$/i
/** A register and an identifier without a colon between them: `ISNI 0000 0001 2103 2683`. */
const spacedPrefix = /^([a-z]+(?: id)?) +([aq]?\d.*)$/i
const bareIsni = /^\d{4} \d{4} \d{4} \d{3}[\dx]$/i
const bareOrcid = /^\d{4}-\d{4}-\d{4}-\d{3}[\dx]$/i
const bareChannel = platformOf('youtube')!.cased!
const bareBridged = platformOf('bluesky')!.bridge!
/** The form of nearly all handles: neither an address nor a prefix, and no folding needed. */
const simple = /^@?[\w-](?:[\w.-]*[\w-])?$/
/** The ends of hosts that name somebody: without a scheme they look like handles. */
const hostEnd = /\.(?:com|io|gy)$/i

/**
 * The key of a handle: no leading `@`, NFKC, nothing invisible, lower case, no space around it.
 * `@SenCapito`, `sencapito` and `ＳｅｎＣａｐｉｔｏ` have one key. Empty when nothing is left.
 */
export function handleKey(handle: string): string {
  return folded(
    folded(handle)
      .replace(/^[@\s]+/, '')
      .toLowerCase(),
  )
}

/**
 * The key of a platform's name: `Twitter` and `twitter` are one platform, `x` is Twitter too, and
 * `Stack Overflow` is `stackoverflow`. An unknown platform keeps its name in lower case.
 */
export function platformKey(platform: string): string {
  const name = folded(platform).toLowerCase()
  return knownPlatform(name) ?? name
}

/**
 * Reads a handle in any form the interface allows: `name`, `@name`, `platform:name`, `@name@server`,
 * an identifier (`orcid:`, `isni:`, `wikidata:`, `did:`), an address or a path (`in/name`), with what surrounds it
 * in a text. What is an address or an identifier and is nobody's is `nowhere`. Linear in the length of the text.
 */
export function parseHandle(text: string): HandleQuery {
  // Nearly all of them; the rest of this would take them four times as long, to the same effect.
  if (isBareName(text)) return { platform: undefined, key: lowerName(text) }
  return readPlain(text) ?? readQuery(unwrapped(text))
}

function isBareName(text: string): boolean {
  if (!simple.test(text) || hostEnd.test(text)) return false
  return !bareChannel.test(text) && !bareOrcid.test(text)
}

function lowerName(text: string): string {
  return (text.startsWith('@') ? text.slice(1) : text).toLowerCase()
}

/** A plain address, or a simple handle behind its platform: what pipelines pass. Undefined for any other text. */
function readPlain(text: string): HandleQuery | undefined {
  const colon = text.indexOf(':')
  if (colon < 0 || text.charCodeAt(colon + 1) === slash) {
    const address = plainAddress(text)
    return address === undefined ? undefined : queryOf(ownerAt(address), text)
  }
  const platform = writtenPlatform(text.slice(0, colon).toLowerCase())
  const key = platform && simpleKey(platformOf(platform), text.slice(colon + 1))
  return key === undefined || key === '' ? undefined : { platform, key }
}

function readQuery(written: string, isDecoded = false): HandleQuery {
  const owner = addressOwner(written)
  if (owner !== undefined) return queryOf(owner, written)
  const prefix = prefixIn(bareIsni.test(written) ? `isni:${written}` : written)
  if (prefix !== undefined) {
    return isAccount(prefix.name)
      ? (accountOf(prefix.handle) ?? nobody(written))
      : queryOn(platformKey(prefix.name), prefix.handle, written)
  }
  if (isDecoded || !percent.test(written)) return readBare(written)
  const read = decoded(written)
  return read === undefined ? nobody(written) : readQuery(unwrapped(read), true)
}

function readBare(text: string): HandleQuery {
  if (bareChannel.test(text)) return { platform: 'youtube', key: text }
  if (bareOrcid.test(text)) return queryOn('orcid', text, text)
  if (bareBridged.test(text.replace('@', ''))) return queryOn('bluesky', text, text)
  const platform = platformOfPrefix(/^\/?([a-z]+)\//i.exec(text)?.[1]?.toLowerCase() ?? '')
  if (platform !== undefined) return queryOn(platform, text, text)
  const host = hostOwner(text)
  if (host !== undefined) return queryOf(host, text)
  const account = text.startsWith('@') ? accountOf(text) : undefined
  return account ?? { platform: undefined, key: accountKey(handleKey(text)) }
}

/** A handle, or the address of a profile there, shown as its handle. @param platform its key. */
export function readHandle(platform: string, text: string): ReadHandle {
  const row = platformOf(platform)
  const plain = simpleKey(row, text)
  if (plain !== undefined) return { handle: shownAs(row, { platform, key: plain }, text, text) }
  const bare = unwrapped(text)
  const written = unwrapped(withoutPrefix(platform, bare))
  const owner = ownerOn(platform, written)
  if (owner === 'nobody') return { reason: 'is an address of nobody' }
  if (owner !== undefined && owner.platform !== platform) {
    return { reason: `is an address on ${owner.platform}` }
  }
  const isDid = platform === 'did' || /^did:/i.test(written)
  const isName = owner === undefined && row !== undefined && !isDid
  const name = owner?.handle ?? (isName ? decoded(written) : written)
  const identity = name === undefined ? undefined : identityOf(platform, name)
  if (identity === undefined || !(owner !== undefined || isPlain(identity))) {
    return { reason: 'has a wrong form or a wrong check digit' }
  }
  const shown = owner?.handle ?? (bare === text.trim() ? text : written)
  return { handle: shownAs(row, identity, shown, name!) }
}

function shownAs(
  row: Platform | undefined,
  { platform, key }: Identity,
  shown: string,
  name: string,
): Handle {
  const bareKey = row?.isFoundBare ? handleKey(name) : key
  return bareKey === key ? { platform, key, shown } : { platform, key, shown, bareKey }
}

/** The key of a handle that is a name and nothing else; undefined for every other, and for one that cannot be. */
function simpleKey(row: Platform | undefined, text: string): string | undefined {
  if (!simple.test(text) || hostEnd.test(text)) return undefined
  if (row?.cased?.test(text)) return text
  const name = lowerName(text)
  if (row?.register === undefined) return name
  return row.bridge?.test(name) ? undefined : row.register(name)
}

function ownerOn(platform: string, text: string): Owner | 'nobody' | undefined {
  const owner = addressOwner(text) ?? hostOwner(text, platform)
  return owner ?? (/[/?]/.test(text) ? pathOwner(platform, text) : undefined)
}

/** Has a key that is a handle and nothing else, so that it means the same where it is read again. */
function isPlain({ platform, key }: Identity): boolean {
  if (key.includes('/') || (percent.test(key) && platform !== 'did')) return false
  return ownerOn(platform, key) === undefined && withoutPrefix(platform, key) === key
}

/** In an unknown register a value is taken as it stands. @param scheme its platform key. */
export function readIdentifier(scheme: string, value: string): ReadHandle {
  if (platformOf(scheme) !== undefined) return readHandle(scheme, value)
  const key = handleKey(unwrapped(value))
  if (key === '' || key.startsWith('//')) return { reason: 'must not be blank or begin with //' }
  return { handle: { platform: scheme, key, shown: value } }
}

/** A text behind the name of a platform: `twitter:`, `ORCID iD:`, `acct:`, or `ISNI ` before digits. */
function prefixIn(text: string): { readonly name: string; readonly handle: string } | undefined {
  const colon = text.indexOf(':')
  const name = text.slice(0, Math.max(colon, 0)).trimEnd()
  if (prefixShape.test(name) && (!name.includes(' ') || isKnown(name))) {
    const handle = text.slice(colon + 1).trim()
    // `tg://` is a scheme.
    return handle === '' || handle.startsWith('//') ? undefined : { name, handle }
  }
  const [, register = '', handle = ''] = spacedPrefix.exec(text) ?? []
  return isKnown(register) ? { name: register, handle } : undefined
}

function isKnown(name: string): boolean {
  return knownPlatform(name.toLowerCase()) !== undefined
}

/** A handle on a platform without the platform's own name before it. */
function withoutPrefix(platform: string, text: string): string {
  const { name, handle } = prefixIn(text) ?? {}
  if (name === undefined || handle === undefined) return text
  const isOwn = platformKey(name) === platform || (platform === 'mastodon' && isAccount(name))
  return isOwn ? handle : text
}

/** `acct:name@server` (RFC 7565). */
function isAccount(name: string): boolean {
  return name.toLowerCase() === 'acct'
}

/**
 * The owner of a host that stands alone, `ann.substack.com`; undefined for any other text.
 * @param platform the only one whose hosts are meant: on Bluesky any host may be a handle.
 */
function hostOwner(text: string, platform?: string): Owner | undefined {
  const host = text.replace(/^@+/, '')
  const owner = hostEnd.test(host) && !host.includes('@') ? ownerOfAddress(host) : 'nobody'
  if (owner === 'nobody') return undefined
  return platform === undefined || owner.platform === platform ? owner : undefined
}

/** `name@server`: on the platform whose own host the server is, else on Mastodon. */
function accountOf(text: string): HandleQuery | undefined {
  const account = text.trim().replace(/^@+/, '')
  return serverOf(account) === undefined ? undefined : identityOf('mastodon', account)
}

/** A handle on a platform, or in a register that the table does not know. */
function queryOn(platform: string, handle: string, text: string): HandleQuery {
  const key = simpleKey(platformOf(platform), handle)
  if (key !== undefined) return { platform, key }
  const { handle: read } = readIdentifier(platform, handle)
  if (read === undefined || read.key === '') return nobody(text)
  return { platform: read.platform, key: read.key }
}

function queryOf(owner: Owner | 'nobody', text: string): HandleQuery {
  if (owner === 'nobody') return nobody(text)
  return identityOf(owner.platform, owner.handle) ?? nobody(text)
}

type Identity = Omit<Handle, 'shown' | 'bareKey'>

/** The key of a handle on a platform; undefined where none is written so. */
function identityOf(platform: string, handle: string): Identity | undefined {
  const row = platformOf(platform)
  const plain = simpleKey(row, handle)
  if (plain !== undefined) return { platform, key: plain }
  const { cased, register, bridge } = row ?? {}
  if (cased?.test(handle)) return { platform, key: handle }
  const folded = handleKey(handle)
  // A DID is the same identifier on every network.
  if (platform !== 'did' && folded.startsWith('did:')) return identityOf('did', folded.slice(4))
  const [, name = '', server = ''] = bridge?.exec(folded) ?? []
  const owner = name === '' ? undefined : ownerOfAccount(name, server)
  if (owner !== undefined) return identityOf(owner.platform, owner.handle)
  if (name !== '' && platform !== 'mastodon') return identityOf('mastodon', `${name}@${server}`)
  const key = register === undefined ? folded : register(folded)
  return key === undefined ? undefined : { platform, key }
}

function nobody(text: string): HandleQuery {
  return { platform: nowhere, key: handleKey(text) }
}
