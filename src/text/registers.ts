/**
 * Keys of people where a handle has more than one spelling: each function takes a value as `handleKey` left it (so
 * in lower case) and answers its canonical key, or undefined for what cannot stand in the register.
 */
import { hasCheckDigit } from './check-digits.ts'

/** `0000-0002-1694-233x`, also from sixteen characters without hyphens. ORCID's own display form. */
export function orcidKey(value: string): string | undefined {
  const grouped = /^(\d{4})-?(\d{4})-?(\d{4})-?(\d{3}[\dx])$/.exec(value)
  if (grouped === null) return undefined
  const groups = grouped.slice(1)
  return hasCheckDigit(groups.join('').toUpperCase()) ? groups.join('-') : undefined
}

/** `000000012103268x`, also from groups with spaces or hyphens between them (ISO 27729). */
export function isniKey(value: string): string | undefined {
  const compact = value.replaceAll(/[ -]/g, '')
  return hasCheckDigit(compact.toUpperCase()) ? compact : undefined
}

/** `q42`: an item of Wikidata; its properties and lexemes are not people. */
export function wikidataKey(value: string): string | undefined {
  return /^q[1-9]\d{0,15}$/.test(value) ? value : undefined
}

/**
 * `plc:z72i7hdynmk6r22z27h6tvur` or `web:example.org`: a decentralised identifier without its
 * `did:`, of the two methods that Bluesky's protocol allows (atproto.com/specs/did).
 */
export function didKey(value: string): string | undefined {
  return /^(?:plc:[a-z0-9]+|web:[a-z0-9](?:[a-z0-9._:%-]*[a-z0-9])?)$/.test(value)
    ? value
    : undefined
}

/** `maryobrien`: dots tell nobody apart on Facebook (facebook.com/help/105399436216001). */
export function facebookKey(value: string): string {
  return value.replaceAll('.', '')
}

/** `ann.bsky.social`, also from `ann`: what has no dot is a name of Bluesky's own. */
export function blueskyKey(value: string): string {
  return /^[a-z\d-]+$/.test(value) ? `${value}.bsky.social` : value
}
