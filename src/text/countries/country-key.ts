/** By what a name or a code of a country is looked up. */

/** The key of a name. Codes stay in capitals, so that no word of two letters is one. */
export function countryKeyOf(name: string): string {
  const plain = name.trim().normalize('NFC').replaceAll('.', '')
  return /^[A-Z]{2,3}$/.test(plain) ? plain : plain.toLowerCase()
}
