/**
 * Bounds of a JSON text that are checked on its bytes before it is parsed: parsing one that nests 100,000 deep, or has
 * 100,000 members, costs 50 to 100 times this check.
 */
const quote = 34
const comma = 44
const colon = 58
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

export interface JsonBounds {
  readonly depthMax: number
  /** Commas outside of strings: less than the members and items of the text. */
  readonly commasMax: number
  /** Colons outside of strings: one for each member of an object. */
  readonly membersMax: number
  /** Bytes of one string, as it is escaped. */
  readonly stringBytesMax: number
}

export function boundsText({
  depthMax,
  commasMax,
  membersMax,
  stringBytesMax,
}: JsonBounds): string {
  const most = `more than ${commasMax} commas, ${membersMax} members or ${stringBytesMax} bytes in a string`
  return `nests deeper than ${depthMax}, or has ${most}`
}

/** Ends as soon as it is not. Means nothing for bytes that are no JSON; parsing them fails. */
export function isWithin(
  json: Uint8Array,
  { depthMax, commasMax, membersMax, stringBytesMax }: JsonBounds,
): boolean {
  const words = new DataView(json.buffer, json.byteOffset, json.length)
  let depth = 0
  let members = 0
  let commas = 0
  for (let place = 0; place < json.length; place += 1) {
    const byte = json[place]!
    if (byte === quote) {
      const end = stringEnd(json, words, place + 1, stringBytesMax)
      if (end < 0) return false
      place = end
    } else if (byte === colon) members += 1
    else if (byte === comma) commas += 1
    else if (byte === openBracket || byte === openBrace) depth += 1
    else if (byte === closeBracket || byte === closeBrace) depth -= 1
    if (depth > depthMax || commas > commasMax || members > membersMax) return false
  }
  return true
}

/** Whether one of four bytes is a quotation mark or a backslash. */
function hasMark(word: number): boolean {
  return ((zeroBytes(word ^ 0x22222222) | zeroBytes(word ^ 0x5c5c5c5c)) & 0x80808080) !== 0
}

/** Has the highest bit of the lowest of four bytes that are zero, if any is. */
function zeroBytes(word: number): number {
  return (word - 0x01010101) & ~word
}

/** Offset of the quotation mark that ends the string whose first byte is at `start`. Below 0: too long. */
function stringEnd(json: Uint8Array, words: DataView, start: number, bytesMax: number): number {
  const end = Math.min(json.length, start + bytesMax + 1)
  for (let place = start; place < end; place += 1) {
    // Four bytes at a time take a third of the time.
    while (place + 4 <= end && !hasMark(words.getInt32(place))) place += 4
    if (place === end) break
    const byte = json[place]!
    if (byte === quote) return place
    if (byte === backslash) place += 1
  }
  return end === json.length ? end : -1
}
