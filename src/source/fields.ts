/** Tests of single fields of a record. */
import { limits } from '../limits.ts'
import { isIsoDay, isIsoTime } from '../reading/readers.ts'
import { isMissing, type MissingIn } from './missing.ts'

export const sduShape = new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`)
/** A platform, a scheme or the key of an attribute. Upper case is refused: `ORCID` is not `orcid`. */
export const keyNameShape = /^[a-z0-9][a-z0-9_.-]*$/
/** A comma or a space would end the handle in a query. */
export const keyShape = /^[^,\s\0\p{Surrogate}]+$/u
const cleanShape = /^[^\0\p{Surrogate}]*$/u
/** A visible character: neither space nor control, nor a letter without a shape, such as U+3164 and U+2800. */
const visibleShape = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]/u

export function isClean(text: string): boolean {
  return cleanShape.test(text)
}

export function isVisible(text: string): boolean {
  return visibleShape.test(text)
}

const yearFirst =
  /^(?<year>\d{4})(?<sign>[-/.])(?<month>\d{1,2})\k<sign>(?<day>\d{1,2})(?<rest>.*)$/
/** With dots, the day comes first wherever people write so. */
const dotted = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})(?<rest>.*)$/
const clock =
  /^[T ]\s*(\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?\s*(Z|UTC|GMT|([+-]\d\d)(?::?(\d\d))?)?$/i

/**
 * ISO 8601 as it stands, or read from what databases and spreadsheets write (`2026-11-01
 * 12:00:00.5+02`, `01.11.2026`). A time without a zone is in UTC. Undefined where the day may be
 * the month.
 */
export function dayIn(text: string): string | undefined {
  if (isIsoDay(text) || isIsoTime(text)) return text
  const written = yearFirst.exec(text) ?? dotted.exec(text)
  if (written === null) return undefined
  const { year, month = '', day = '', rest = '' } = written.groups!
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const read = `${date}${clockIn(rest) ?? rest}`
  return isIsoDay(read) || isIsoTime(read) ? read : undefined
}

function clockIn(text: string): string | undefined {
  const found = clock.exec(text)
  if (found === null) return undefined
  const [, hour = '', minute, second = '00', fraction = '', , zoneHour, zoneMinute = '00'] = found
  const offset = zoneHour === undefined ? '' : `${zoneHour}:${zoneMinute}`
  const isUtc = offset === '' || /^[+-]00:00$/.test(offset)
  return `T${hour.padStart(2, '0')}:${minute}:${second}${fraction}${isUtc ? 'Z' : offset}`
}

export function dayFault(text: string): string {
  const numbers = /^(\d{1,2})[/-](\d{1,2})[/-]\d{4}/.exec(text)
  if (numbers !== null) {
    return 'is a day in an order that is not known: write 2026-11-01, or for a table say in --map `dates: dmy` or `dates: mdy` behind its column'
  }
  const hint = /^\d{5}(?:\.\d+)?$/.test(text)
    ? '; for a table, `dates: excel` in --map reads it'
    : ''
  return `must be a day or a time (ISO 8601)${hint}`
}

export function isWebsite(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url)
}

/** `example.com/ann` is `https://example.com/ann`. */
export function withScheme(url: string): string {
  return /^[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:[/?#:]|$)/u.test(url) ? `https://${url}` : url
}

/** Whether a value says nothing. A missing one (undefined) is not empty. */
export function isEmpty(value: unknown, where?: MissingIn): boolean {
  if (typeof value === 'string') return isMissing(value.trim(), where)
  return value === null || (Array.isArray(value) && value.length === 0)
}
