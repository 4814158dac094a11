/** Numbers in a text: in digits, and ordinal ones in English words. */

const digits = /^\d+$/

export function isNumber(word: string): boolean {
  return digits.test(word)
}

const ordinalDigits = /^(\d+)(?:st|nd|rd|th)$/
const units = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
const teens =
  'thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
const ordinals: ReadonlyMap<string, string> = new Map(
  `${units} ${teens}`.split(' ').map((word, at) => [word, String(at + 1)]),
)

/** The digits of an ordinal number, of which a word means at most 20: `2nd`, `second`; undefined for any other word. */
export function ordinalOf(word: string): string | undefined {
  return ordinals.get(word) ?? ordinalDigits.exec(word)?.[1]
}
