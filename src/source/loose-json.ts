/**
 * JSON as programs write it that do not keep to it: bare `NaN` and `Infinity` of Python, byte order marks at the
 * beginning of a line. And JSON for a report, where a number keeps all its digits.
 */

const tokens = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs

/**
 * The value of a line of JSON. What is no number is null. The usual line costs nothing more.
 * @throws SyntaxError for any other text.
 */
export function jsonOfLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const plain = text.trim()
    return JSON.parse(plain.replace(tokens, (token) => (token.startsWith('"') ? token : 'null')))
  }
}

/** The value of a text of JSON; undefined for any other. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Integers that a double may round: 16 digits or more. */
const longIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs

/** The same for a report: an integer that a double cannot hold is a text. */
export function jsonWithAllDigits(text: string): unknown {
  return jsonOfLine(
    text.replace(longIntegers, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  )
}
