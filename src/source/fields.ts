/** What single fields of a record may hold: texts, keys, days and addresses. */
import * as z from 'zod'
import { limits } from '../limits.ts'

/** The text of an SDU. */
export const sduShape = new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`)
const keyNameShape = /^[a-z0-9][a-z0-9_.-]*$/
const keyShape = /^[^,\s\0\p{Surrogate}]+$/u
const dayShape = z.regexes.date
const timeShape = z.regexes.datetime({ offset: true })
const cleanShape = /^[^\0\p{Surrogate}]*$/u
/** A visible character: neither space nor control, nor a letter without a shape, such as U+3164 and U+2800. */
const visibleShape = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u

/** Holds no NUL and no half of a surrogate pair. */
export function isClean(text: string): boolean {
  return cleanShape.test(text)
}

/** Is a platform's key: its name as `platformKey` writes it, of the characters a name may have. */
export function isPlatform(key: string): boolean {
  return keyNameShape.test(key)
}

/** Is the name of a register of people, such as `wikidata`; it is written in one way only. */
export function isScheme(name: string): boolean {
  return keyNameShape.test(name)
}

/** Is the key of an attribute, such as `party`. */
export function isAttributeKey(name: string): boolean {
  return keyNameShape.test(name) && name.length <= limits.attributeKeyCharactersMax
}

/** Holds a character that can be seen. */
export function isVisible(text: string): boolean {
  return visibleShape.test(text)
}

/** The key of a handle that can be asked for: not empty, without comma and space, which end a handle. */
export function isKey(key: string): boolean {
  return keyShape.test(key)
}

/** Is a day such as 2026-11-01. */
export function isDate(text: string): boolean {
  return dayShape.test(text)
}

/** Is a day such as 2026-11-01, or a time with its zone such as 2026-11-01T12:00:00Z. */
export function isDay(text: string): boolean {
  return dayShape.test(text) || timeShape.test(text)
}

/** Is an address that a browser opens. */
export function isWebsite(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** The address of a website that is written as people say it: `example.com/ann` is `https://example.com/ann`. */
export function withScheme(url: string): string {
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/?#:]|$)/u.test(url) ? `https://${url}` : url
}

/** Says nothing: null, a blank text or an empty list. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || (Array.isArray(value) && value.length === 0)
}
