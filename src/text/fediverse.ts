/**
 * Handles of Mastodon and its like: name and server. Any host may be one, so they are read by form.
 */
import { domainToASCII } from 'node:url'

const accountShape = /^[^@\s/:]+@([^@\s/:]+)$/
const nameShape = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M}_.-]{0,63}$/u
/** The feeds of an account: `/@ann.rss`. */
const feed = /\.(?:rss|atom|json)$/
const domainShape = /^(?=.{4,253}$)(?:[a-z0-9_-]{1,63}\.)+[a-z][a-z0-9-]{0,62}$/

/** A host as all its spellings have it: lower case, punycode, no dot at its end; or undefined. */
export function domainOf(host: string): string | undefined {
  const lower = host.toLowerCase().replace(/\.$/, '')
  const ascii = /^[\x21-\x7e]*$/.test(lower) ? lower : domainToASCII(lower)
  return domainShape.test(ascii) ? ascii : undefined
}

/** The server of `name@server`, as `domainOf` writes it; undefined for what is none. */
export function serverOf(account: string): string | undefined {
  const host = accountShape.exec(account)?.[1]
  return host === undefined ? undefined : domainOf(host)
}

/** `name@server` with its server as `domainOf` writes it; any other handle as it stands. */
export function accountKey(handle: string): string {
  const server = serverOf(handle)
  return server === undefined ? handle : `${handle.slice(0, handle.indexOf('@'))}@${server}`
}

/** `/@name` and the paths below it, `/users/name`, `/@name@other` for another server. */
export function accountAt(domain: string, segments: readonly string[]): string | undefined {
  const isApplication = segments[0] === 'web' || segments[0] === 'deck'
  const [first = '', second = ''] = isApplication ? segments.slice(1) : segments
  const written = first === 'users' ? second : first.startsWith('@') ? first.slice(1) : ''
  const name = written.replace(feed, '')
  if (nameShape.test(name)) return `${name}@${domain.replace(/^www\./, '')}`
  const local = name.slice(0, name.indexOf('@'))
  return serverOf(name) !== undefined && nameShape.test(local) ? name : undefined
}
