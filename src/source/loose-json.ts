/** JSON with what programs add to it: bare `NaN` and `Infinity`, byte order marks. */

const tokens = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/gs

/** The usual line costs nothing more. @throws SyntaxError. */
export function jsonOfLine(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const plain = text.trim()
    return JSON.parse(plain.replace(tokens, (token) => (token.startsWith('"') ? token : 'null')))
  }
}

const longIntegers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs

/** For a report: an integer that a double may round is a text. */
export function jsonWithAllDigits(text: string): unknown {
  return jsonOfLine(
    text.replace(longIntegers, (token) => (token.startsWith('"') ? token : `"${token}"`)),
  )
}
