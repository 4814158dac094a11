/** Emoji flags as the countries that they are flags of. */
const flag = /[\u{1f1e6}-\u{1f1ff}]{2}/gu
const regionalA = 0x1f1e6

export function withFlags(text: string): string {
  if (text.search(flag) < 0) return text
  // Its tables take longer to load than a text to read.
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return text.replace(flag, (pair) => {
    const letters = [...pair].map((letter) => 65 + letter.codePointAt(0)! - regionalA)
    const country = names.of(String.fromCharCode(...letters))
    return country === undefined ? pair : ` ${country} `
  })
}
