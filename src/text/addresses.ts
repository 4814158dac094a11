/**
 * Addresses of profiles, and of what people published, to their owners. An address means what a browser would
 * open: plain ones are taken apart as they stand, and all others (ports, percent signs, dots, other scripts) by the
 * WHATWG URL parser, so that `https://x.com@elsewhere.example/ann` is not on x.com.
 */
import { accountAt, domainOf } from './fediverse.ts'
import { decoded } from './pasted.ts'
import { type Address, isWrittenHost, type Owner, ownerByPath, ownerOnPlatform } from './sites.ts'

const webScheme = /^(?:https?:|\/\/)/i
const encodedScheme = /^https?%3a/i
const anyScheme = /^[a-z][a-z0-9+.-]*:\/\//i
const prefix = /^[a-z0-9][a-z0-9_.-]*:/i
const port = /^\s*\d{1,5}[/?#]/
/** Addresses of repositories: `git+ssh://`, `git@host:path`. */
const repositoryScheme = /^(?:git\+(?:ssh|https?)|ssh|git):\/\//i
const secureCopy = /^[\w-]+@((?:[\w-]+\.)+[a-z]{2,}):\/?(?=[\w~-])/i
/** A host of small letters that is written in one way only. */
const plainHost = /^(?=.{4,63}$)(?!.*--)(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/
const [slash, questionMark] = [0x2f, 0x3f]

/** More segments than any path in the table has. */
const segmentsMax = 6

/** Needs no scheme if a slash or a port behind the host shows it is one. Linear in the text. */
export function addressOwner(written: string): Owner | 'nobody' | undefined {
  const text = written.replace(/^@+/, '')
  if (secureCopy.test(text)) return ownerOfAddress(text.replace(secureCopy, '$1/'), true)
  if (repositoryScheme.test(text)) {
    return ownerOfAddress(
      text.replace(repositoryScheme, '').replace(/^([^/]*):(?=\D)/, '$1/'),
      true,
    )
  }
  if (isAddress(text)) return ownerOfAddress(text)
  if (encodedScheme.test(text)) return ownerOfAddress(decoded(text) ?? '')
  const scheme = anyScheme.exec(text)?.[0]
  if (scheme === undefined) return undefined
  const owner = ownerOnPlatform(addressIn(scheme.toLowerCase(), text.slice(scheme.length)))
  return owner ?? 'nobody'
}

function isAddress(text: string): boolean {
  if (webScheme.test(text)) return true
  const name = prefix.exec(text)?.[0]
  if (name !== undefined) return name.includes('.') && port.test(text.slice(name.length))
  return text.slice(0, Math.max(text.indexOf('/'), 0)).includes('.') && !/\s/.test(text)
}

export function pathOwner(platform: string, text: string): Owner | undefined {
  return ownerByPath(platform, addressIn('', text))
}

/** A path with what follows it. */
function addressIn(host: string, text: string): Address {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)!
  return { host, segments: segmentsIn(path) ?? [], query, fragment }
}

export function ownerOfAddress(text: string, isRemote = false): Owner | 'nobody' {
  const address = plainAddress(text) ?? anyAddress(text)
  return address === undefined ? 'nobody' : ownerAt(isRemote ? { ...address, isRemote } : address)
}

/** The owner of an address: on a platform as its table says, on any other host as Mastodon writes its addresses. */
export function ownerAt(address: Address): Owner | 'nobody' {
  const owner = ownerOnPlatform(address)
  if (owner !== undefined) return owner
  const account = address.isRemote === true ? undefined : accountAt(address.host, address.segments)
  return account === undefined ? 'nobody' : { platform: 'mastodon', handle: account }
}

function anyAddress(text: string): Address | undefined {
  const full = /^https?:/i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
  if (!URL.canParse(full)) return undefined
  const { hostname, pathname, search, hash } = new URL(full)
  const host = domainOf(hostname)
  const fragment = decoded(hash.slice(1))
  // Pages of one script were once addressed so: `twitter.com/#!/ann`.
  const isScript = pathname === '/' && hash.startsWith('#!/')
  const segments = segmentsIn(isScript ? hash.slice(2) : pathname)
  if (host === undefined || segments === undefined) return undefined
  return { host, segments, query: search, fragment: fragment ?? '' }
}

function segmentsIn(path: string): readonly string[] | undefined {
  const segments = path.split('/').filter((segment) => segment !== '')
  const first = segments.slice(0, segmentsMax).map(decoded)
  return first.every((segment) => segment !== undefined) ? first : undefined
}

/** Characters of a plain address: of its host (1), of its path (2), of its parameters (4), and its last one (8). */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  const classes = [/[a-z0-9.-]/, /[\w.~@:+=&-]/, /[\w.~@:+=&%/?,!$;-]/, /[\w~@+=&%/-]/]
  return classes.reduce((kind, each, bit) => kind | (each.test(character) ? 1 << bit : 0), 0)
})

/** For plain characters that nothing surrounds: as `anyAddress`, in a fifth of its time. */
export function plainAddress(text: string): Address | undefined {
  if ((kinds[text.charCodeAt(text.length - 1)]! & 8) === 0) return undefined
  const start = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : 0
  let at = endOf(text, start, 1)
  const host = text.slice(start, at)
  if (start === 0 && text.charCodeAt(at) !== slash) return undefined
  if (!isWrittenHost(host) && !plainHost.test(host)) return undefined
  const segments: string[] = []
  while (text.charCodeAt(at) === slash) {
    const end = endOf(text, at + 1, 2)
    const segment = text.slice(at + 1, end)
    if (segment === '.' || segment === '..') return undefined
    if (segment !== '' && segments.length < segmentsMax) segments.push(segment)
    at = end
  }
  const query = text.charCodeAt(at) === questionMark ? text.slice(at + 1) : ''
  const end = query === '' ? at : endOf(text, at + 1, 4)
  return end === text.length ? { host, segments, query, fragment: '' } : undefined
}

function endOf(text: string, start: number, kind: number): number {
  const { length } = text
  let at = start
  // An element that is not there would take as long as ten that are.
  while (at < length) {
    const code = text.charCodeAt(at)
    if (code >= kinds.length || (kinds[code]! & kind) === 0) break
    at += 1
  }
  return at
}
