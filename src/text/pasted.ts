/**
 * Texts as people paste them: what stands around a handle or an address, the characters that cannot be seen and
 * the dashes that only look different are no part of it. Every function is linear in the length of the text.
 */

/** Characters that cannot be seen, such as the marks of direction that come along with a copied name. */
const invisible = /\p{Default_Ignorable_Code_Point}/gu
const dash = /[\p{Dash_Punctuation}\u02d7\u2043\u2212]/gu
const ascii = /^[\0-\x7f]*$/
/** Brackets and quotation marks of any language, and the signs of Markdown. */
const around =
  /[\s\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Quotation_Mark}<>*`!\u00a1\u00b4\u00bf\u2032\u2033\u275b-\u275e]/u
const ending = /[\p{Terminal_Punctuation}\u2026]/u
const possessive = /^['`\p{Quotation_Mark}\u00b4\u02b9\u02bc\u2032\ua78c]s$/iu
/** A percent sign that stands for a character. */
export const percent: RegExp = /%[\da-f]{2}/i

/** An entity of HTML, and a sign that Markdown escapes. */
const escaped = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));|\\([!-/:-@[-`{-~])/gi
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

function unescaped(text: string): string {
  if (!(text.includes('&') || text.includes('\\'))) return text
  return text.replace(escaped, (whole, decimal, hexadecimal, name, sign) => {
    if (sign !== undefined) return sign
    if (name !== undefined) return entities[name.toLowerCase()]!
    const code = Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10)
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** A text in NFKC with one kind of dash, without what cannot be seen and without space around it. */
export function folded(text: string): string {
  if (ascii.test(text)) return text.trim()
  return text.normalize('NFKC').replace(invisible, '').replace(dash, '-').trim()
}

/**
 * The handle or address in a pasted text: without escapes, Markdown, brackets and quotation marks around it, without the
 * signs that end a sentence, and without a possessive `'s`.
 */
export function unwrapped(pasted: string): string {
  const text = unescaped(pasted)
  if (ascii.test(text)) return bareOf(text)
  // NFKC makes a space of some apostrophes, and brackets of some letters.
  return bareOf(folded(bareOf(text.replace(invisible, ''))))
}

function bareOf(text: string): string {
  let start = 0
  while (start < text.length && (text[start] === '@' || around.test(text[start]!))) start += 1
  const before = text.slice(0, start)
  const link = text.lastIndexOf('](')
  if (link >= start && before.includes('[')) {
    return bareOf(text.slice(link + ']('.length).split(/[\s)]/, 1)[0]!)
  }
  const hasAt = before.includes('@')
  // A colon makes a prefix of a word, but ends a sentence behind a handle or an address.
  const isSentence = hasAt || text.indexOf('/', start) > start
  const isAfter = (last: string) =>
    last === ':' ? isSentence : around.test(last) || ending.test(last)
  // `<https://x.com/ann|Ann>`, as chats write a link.
  const label = before.includes('<') ? text.indexOf('|', start) : -1
  let end = label < 0 ? text.length : label
  for (let last = -1; last !== end; ) {
    last = end
    while (end > start && isAfter(text[end - 1]!)) end -= 1
    if (end - start > 2 && possessive.test(text.slice(end - 2, end))) end -= 2
  }
  return `${hasAt ? '@' : ''}${text.slice(start, end)}`
}

/** A text whose percent signs are read once; undefined where one begins no character. */
export function decoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return folded(decodeURIComponent(text))
  } catch {
    // Its only failure: a percent sign that begins no character.
    return undefined
  }
}
