/**
 * Handles: reads every published spelling of a handle and gives the one key that all of them share.
 * Records, the index and queries use it, so every spelling of a query finds every spelling of a record.
 */
import { addressOwner, ownerOfAddress } from './addresses.ts'
import { accountKey, serverOf } from './fediverse.ts'
import { knownPlatform, type Owner, ownerOfAccount, platformOf } from './sites.ts'

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
}

/** A handle, or why a text is none, as the end of a sentence about it. */
export type ReadHandle =
  | { readonly handle: Handle; readonly reason?: never }
  | { readonly handle?: never; readonly reason: string }

/** The platform of what can have no owner: no record can name it. */
export const nowhere = ''

/** Invisible characters, such as the marks of direction that come along with a copied name. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const ascii = /^[\0-\x7f]*$/
const prefixed = /^([a-z0-9][a-z0-9_.-]*):(.+)$/is
const isniPrefix = /^isni +(?=\d)/i
const spacedIsni = /^(?:isni +)?\d{4} \d{4} \d{4} \d{3}[\dx]$/i
const bareOrcid = /^\d{4}-\d{4}-\d{4}-\d{3}[\dx]$/i
const bareChannel = platformOf('youtube')!.cased!
/** The form of nearly all handles: neither an address nor a prefix, and no folding needed. */
const simple = /^@?[\w-][\w.-]*$/
/** The ends of hosts that name somebody: without a scheme they look like handles. */
const bareHost = /^@*[^@]*\.(?:com|io)$/i

/** A text as all that follows reads it: NFKC, without what cannot be seen, no space around it. */
function folded(text: string): string {
  return (ascii.test(text) ? text : text.normalize('NFKC').replace(invisible, '')).trim()
}

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
 * an identifier (`orcid:`, `isni:`, `wikidata:`, `did:`) or an address. What is an address or an
 * identifier and is nobody's is `nowhere`. Linear in the length of the text.
 */
export function parseHandle(text: string): HandleQuery {
  // Nearly all of them; the rest of this would take them four times as long, to the same effect.
  if (isBareName(text)) return { platform: undefined, key: text.replace('@', '').toLowerCase() }
  const written = folded(text)
  const owner = addressOwner(written)
  if (owner === 'nobody') return nobody(written)
  if (owner !== undefined) return queryOf(owner) ?? nobody(written)
  if (spacedIsni.test(written)) return readPrefixed('isni', written) ?? nobody(written)
  const [, name, handle = ''] = prefixed.exec(written) ?? []
  return name === undefined ? readBare(written) : (readPrefixed(name, handle) ?? nobody(written))
}

/** A name and nothing else, on any platform. */
function isBareName(text: string): boolean {
  if (!simple.test(text) || bareHost.test(text)) return false
  return !bareChannel.test(text) && !bareOrcid.test(text)
}

/**
 * Reads the handle that a record gives somebody on a platform: a handle, or the address of a profile
 * there, which is then shown as its handle.
 * @param platform as `platformKey` writes it.
 */
export function readHandle(platform: string, text: string): ReadHandle {
  const { cased, register } = platformOf(platform) ?? {}
  if (register === undefined && simple.test(text) && !bareHost.test(text)) {
    const key = cased?.test(text) ? text : text.replace('@', '').toLowerCase()
    return { handle: { platform, key, shown: text } }
  }
  const written = withoutPrefix(platform, folded(text))
  const owner = addressOwner(written) ?? hostOwner(written, platform)
  if (owner === 'nobody') return { reason: 'is an address of nobody' }
  if (owner !== undefined && owner.platform !== platform) {
    return { reason: `is an address on ${owner.platform}` }
  }
  const identity = identityOf(platform, owner?.handle ?? written)
  if (identity === undefined || !isPlain(identity)) {
    return { reason: 'has a wrong form or a wrong check digit' }
  }
  return { handle: { ...identity, shown: owner?.handle ?? text } }
}

/** Has a key that is a handle and nothing else, so that it means the same where it is read again. */
function isPlain({ platform, key }: Omit<Handle, 'shown'>): boolean {
  const isAddress = addressOwner(key) !== undefined || hostOwner(key, platform) !== undefined
  return !isAddress && !key.includes('/') && withoutPrefix(platform, key) === key
}

/**
 * Reads what a register calls somebody. In an unknown register a value is taken as it stands.
 * @param scheme as `platformKey` writes it.
 */
export function readIdentifier(scheme: string, value: string): ReadHandle {
  if (platformOf(scheme) !== undefined) return readHandle(scheme, value)
  const key = handleKey(value)
  if (key === '' || key.startsWith('//')) return { reason: 'must not be blank or begin with //' }
  return { handle: { platform: scheme, key, shown: value } }
}

/** A handle on a platform without the platform's own name before it: `orcid:`, `ISNI `, `acct:`. */
function withoutPrefix(platform: string, text: string): string {
  if (platform === 'isni' && isniPrefix.test(text)) return text.replace(isniPrefix, '')
  const [, name, handle = ''] = prefixed.exec(text) ?? []
  if (name === undefined) return text
  const isOwn = platformKey(name) === platform || (platform === 'mastodon' && isAccount(name))
  return isOwn ? handle.trim() : text
}

function isAccount(name: string): boolean {
  return name.toLowerCase() === 'acct'
}

/** `platform:handle`, or `acct:name@server` (RFC 7565). */
function readPrefixed(name: string, handle: string): HandleQuery | undefined {
  if (isAccount(name)) return accountOf(handle)
  const { handle: read } = readIdentifier(platformKey(name), handle)
  return read === undefined || read.key === ''
    ? undefined
    : { platform: read.platform, key: read.key }
}

/** A text with neither slash nor colon. */
function readBare(text: string): HandleQuery {
  if (bareChannel.test(text)) return { platform: 'youtube', key: text }
  if (bareOrcid.test(text)) return identityOf('orcid', text) ?? nobody(text)
  const host = queryOf(hostOwner(text))
  const account = text.startsWith('@') ? accountOf(text) : undefined
  return host ?? account ?? { platform: undefined, key: accountKey(handleKey(text)) }
}

/**
 * The owner of a host that stands alone, `ann.substack.com`; undefined for any other text.
 * @param platform the only one whose hosts are meant: on Bluesky any host may be a handle.
 */
function hostOwner(text: string, platform?: string): Owner | undefined {
  const owner = bareHost.test(text) ? ownerOfAddress(text.replace(/^@+/, '')) : undefined
  return platform === undefined || owner?.platform === platform ? owner : undefined
}

/** `name@server`: on the platform whose own host the server is, else on Mastodon. */
function accountOf(text: string): HandleQuery | undefined {
  const account = text.trim().replace(/^@+/, '')
  const server = serverOf(account)
  if (server === undefined) return undefined
  const name = account.slice(0, account.indexOf('@'))
  return queryOf(ownerOfAccount(name, server)) ?? identityOf('mastodon', account)
}

function queryOf(owner: Owner | undefined): HandleQuery | undefined {
  return owner && identityOf(owner.platform, owner.handle)
}

/** The key of a handle on a platform; undefined where none is written so. */
function identityOf(platform: string, handle: string): Omit<Handle, 'shown'> | undefined {
  const { cased, register } = platformOf(platform) ?? {}
  if (cased?.test(handle)) return { platform, key: handle }
  const folded = handleKey(handle)
  // A DID is the same identifier on every network.
  if (platform !== 'did' && folded.startsWith('did:')) return identityOf('did', folded.slice(4))
  const key = register === undefined ? folded : register(folded)
  return key === undefined ? undefined : { platform, key }
}

function nobody(text: string): HandleQuery {
  return { platform: nowhere, key: handleKey(text) }
}
