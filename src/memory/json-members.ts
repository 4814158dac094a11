/** Offsets of members in JSON, without parsing: this program wrote it, so it is valid. */

const quote = 34
const comma = 44
const backslash = 92
const closeBrace = 125

export function valueEnd(json: Uint8Array, start: number): number {
  const first = json[start]!
  if (first === quote) return stringEnd(json, start)
  if (isOpening(first)) return groupEnd(json, start)
  let at = start
  while (json[at] !== comma && json[at] !== closeBrace) at += 1
  return at
}

function stringEnd(json: Uint8Array, start: number): number {
  let at = start + 1
  while (json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at + 1
}

function groupEnd(json: Uint8Array, start: number): number {
  let at = start
  let depth = 0
  do {
    const unit = json[at]!
    if (unit === quote) {
      at = stringEnd(json, at)
      continue
    }
    if (isOpening(unit)) depth += 1
    else if (isClosing(unit)) depth -= 1
    at += 1
  } while (depth > 0)
  return at
}

/** `{` and `[` differ in one bit, and so do `}` and `]`. */
function isOpening(unit: number): boolean {
  return (unit | 0x20) === 0x7b
}

function isClosing(unit: number): boolean {
  return (unit | 0x20) === 0x7d
}

/**
 * The offset at which the value of a member begins.
 * @param from the `{` of the object, or the comma before a member that the wanted one is or follows.
 * @param name ASCII that stands for itself in JSON.
 */
export function memberStart(json: Uint8Array, from: number, name: string): number {
  let at = from
  do {
    const value = stringEnd(json, at + 1) + 1
    if (isNamed(json, at + 2, name)) return value
    at = valueEnd(json, value)
  } while (json[at] === comma)
  throw new Error(`a ready-made item has no ${name}`)
}

function isNamed(json: Uint8Array, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index += 1) {
    if (json[start + index] !== name.charCodeAt(index)) return false
  }
  return json[start + name.length] === quote
}
