/**
 * Check digits of the identifiers that have one. A number with a wrong check digit is a typing error: it
 * matches no record, in particular not that of a similar number.
 */

/** Fifteen digits and their check digit, as ORCID and ISNI have them. */
const checked = /^\d{15}[\dX]$/

/**
 * Ends in the check digit of the fifteen digits before it: ISO/IEC 7064, MOD 11-2, in which X is
 * ten. ORCID and ISNI (ISO 27729) share it.
 * @param compact without hyphens and spaces; X in upper case.
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
