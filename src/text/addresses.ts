/**
 * Addresses of profiles, and of what people published, to their owners. An address means what a
 * browser would open: hosts, ports, dots and percent signs are read by the WHATWG URL parser, so that
 * `https://x.com@elsewhere.example/ann` is not on x.com.
 */
import { accountAt, domainOf } from './fediverse.ts'
import { isPlatformHost, type Owner, ownerOnPlatform } from './sites.ts'

const webScheme = /^(?:https?:|\/\/)/i
const anyScheme = /^[a-z][a-z0-9+.-]*:\/\//i
const encodedScheme = /^https?%3a/i
const repositoryShape = /^at:\/\/([^/?#]+)/i
const prefix = /^[a-z0-9][a-z0-9_.-]*:/i
const port = /^\s*\d{1,5}[/?#]/

/** More segments than any path in the table has. */
const segmentsMax = 6

/**
 * The owner of an address; undefined for a text that is none. An address needs no scheme if a slash or a port
 * behind its host shows it. Linear in the length of the text.
 */
export function addressOwner(written: string): Owner | 'nobody' | undefined {
  const text = written.replace(/^@+/, '')
  if (isAddress(text)) return ownerOfAddress(text) ?? 'nobody'
  if (encodedScheme.test(text)) return ownerOfAddress(decoded(text) ?? '') ?? 'nobody'
  // A record of Bluesky, addressed as its protocol does.
  const repository = repositoryShape.exec(text)?.[1]
  if (repository !== undefined) return ownerOfAddress(`bsky.app/profile/${repository}`) ?? 'nobody'
  return anyScheme.test(text) ? 'nobody' : undefined
}

function isAddress(text: string): boolean {
  if (webScheme.test(text)) return true
  const name = prefix.exec(text)?.[0]
  if (name !== undefined) return name.includes('.') && port.test(text.slice(name.length))
  return text.slice(0, Math.max(text.indexOf('/'), 0)).includes('.') && !/\s/.test(text)
}

/**
 * The owner of `text`, where it surely is an address; undefined without one: on a platform as its
 * table says, on any other host as Mastodon writes its addresses.
 */
export function ownerOfAddress(text: string): Owner | undefined {
  const url = urlOf(text)
  const host = url && domainOf(url.hostname)
  const segments = url && segmentsOf(url)
  if (host === undefined || segments === undefined) return undefined
  if (isPlatformHost(host)) return ownerOnPlatform(host, segments, url!.searchParams)
  const account = accountAt(host, segments)
  return account === undefined ? undefined : { platform: 'mastodon', handle: account }
}

function urlOf(text: string): URL | undefined {
  const full = /^https?:/i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`
  return URL.canParse(full) ? new URL(full) : undefined
}

/** The first segments of the path, decoded; undefined where one is wrongly encoded. */
function segmentsOf({ pathname, hash }: URL): readonly string[] | undefined {
  // Pages of one script were once addressed so: `twitter.com/#!/ann`.
  const path = pathname === '/' && hash.startsWith('#!/') ? hash.slice(2) : pathname
  const segments = path.split('/').filter((segment) => segment !== '')
  const first = segments.slice(0, segmentsMax).map(decoded)
  return first.every((segment) => segment !== undefined) ? first : undefined
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // Its only failure: a percent sign that begins no character.
    return undefined
  }
}
