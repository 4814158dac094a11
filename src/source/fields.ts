/** Tests of single fields of a record: texts, keys, days and addresses. They keep nothing and change nothing. */
import { limits } from '../limits.ts'
import { isIsoDay, isIsoTime } from '../reading/readers.ts'

/** The form of an SDU: digits only. */
export const sduShape = new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`)
const keyNameShape = /^[a-z0-9][a-z0-9_.-]*$/
const keyShape = /^[^,\s\0\p{Surrogate}]+$/u
const cleanShape = /^[^\0\p{Surrogate}]*$/u
/** A visible character: neither space nor control, nor a letter without a shape, such as U+3164 and U+2800. */
const visibleShape = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u

/** Whether a text holds no NUL and no half of a surrogate pair. */
export function isClean(text: string): boolean {
  return cleanShape.test(text)
}

/** Whether a text can be the key of a platform, as `platformKey` writes it. */
export function isPlatform(key: string): boolean {
  return keyNameShape.test(key)
}

/** Whether a text can name a register of people, such as `wikidata`. Upper case is refused: `ORCID` is not `orcid`. */
export function isScheme(name: string): boolean {
  return keyNameShape.test(name)
}

/** Whether a text can be the key of an attribute, such as `party`. */
export function isAttributeKey(name: string): boolean {
  return keyNameShape.test(name) && name.length <= limits.attributeKeyCharactersMax
}

/** Whether a text holds a character that can be seen. */
export function isVisible(text: string): boolean {
  return visibleShape.test(text)
}

/** Whether a query can ask for the key of a handle: it is not empty and has no comma or space, which end a handle. */
export function isKey(key: string): boolean {
  return keyShape.test(key)
}

/** Whether a text is a day such as 2026-11-01, or a time with its zone such as 2026-11-01T12:00:00Z. */
export function isDay(text: string): boolean {
  return isIsoDay(text) || isIsoTime(text)
}

/** Whether a text is an http or https address. */
export function isWebsite(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** The address of a website that is written as people say it: `example.com/ann` is `https://example.com/ann`. */
export function withScheme(url: string): string {
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/?#:]|$)/u.test(url) ? `https://${url}` : url
}

/** Whether a value says nothing: null, a blank text or an empty list. A missing one (undefined) is not empty. */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || (Array.isArray(value) && value.length === 0)
}
