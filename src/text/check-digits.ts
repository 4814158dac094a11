/**
 * Check digits of the identifiers that have one. A number with a wrong check digit is a typing error: it
 * matches no record, in particular not that of a similar number.
 */

const checked = /^\d{15}[\dX]$/

/**
 * ISO/IEC 7064, MOD 11-2, as ORCID and ISNI (ISO 27729) have it. @param compact without hyphens.
 */
export function hasCheckDigit(compact: string): boolean {
  if (!checked.test(compact)) return false
  let total = 0
  for (let place = 0; place < 15; place += 1) {
    total = (total + compact.charCodeAt(place) - 48) * 2
  }
  const digit = (12 - (total % 11)) % 11
  return compact.endsWith(digit === 10 ? 'X' : String(digit))
}
