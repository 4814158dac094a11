/**
 * Cursors as texts: opaque to whoever carries one, and told from a text that is none or is damaged. What
 * a cursor holds is for who made it to say, and to check: nothing keeps anybody from making one.
 */
import { crc32 } from 'node:zlib'
import { limits } from '../../limits.ts'

const checkBytes = 4

/** The text of a cursor that holds a JSON value: characters that need no encoding in an address. */
export function encodeCursor(place: unknown): string {
  const content = Buffer.from(JSON.stringify(place))
  const check = Buffer.alloc(checkBytes)
  check.writeUInt32BE(crc32(content))
  return Buffer.concat([check, content]).toString('base64url')
}

/** What a cursor holds, or undefined where the text is none. */
export function decodeCursor(text: string): unknown {
  if (text.length > limits.cursorCharactersMax) return undefined
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length <= checkBytes || bytes.toString('base64url') !== text) return undefined
  const content = bytes.subarray(checkBytes)
  if (crc32(content) !== bytes.readUInt32BE()) return undefined
  try {
    return JSON.parse(content.toString())
  } catch {
    // Its only failure: what the check holds for is no JSON.
    return undefined
  }
}
