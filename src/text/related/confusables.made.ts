/**
 * The confusable characters of Unicode Technical Standard 39, of the package unhomoglyph, which takes long to load. The
 * build keeps what this function gives.
 */
import { createRequire } from 'node:module'

/** The spelling of each character that looks like others, by the character. */
export function confusables(): Readonly<Record<string, string>> {
  return createRequire(import.meta.url)('unhomoglyph/data.json')
}
