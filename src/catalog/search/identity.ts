/**
 * Identity: a text that says who is meant outright, by a handle, the address of a profile or of
 * content, or an SDU. Such a text means its owner or nobody; a word that could be a handle is a word.
 */
import { termsOf } from '../../text/analyzer.ts'
import { parseHandle } from '../../text/handle.ts'
import { isStopWord } from '../../text/stop-words.ts'
import type { Catalog } from '../catalog.ts'

const sduShape = /^\d{1,32}$/

/** The ordinals of the owners; undefined where the text is not such a text. */
export function ownersIn(query: string, catalog: Catalog): readonly number[] | undefined {
  const text = onlyToken(query)
  if (text === undefined) return undefined
  if (sduShape.test(text)) {
    const ordinal = catalog.findSdu(text)
    return ordinal < 0 ? undefined : [ordinal]
  }
  return /[@:/]/.test(text) ? ownersOf(text, catalog) : undefined
}

function ownersOf(text: string, catalog: Catalog): readonly number[] | undefined {
  const handle = parseHandle(text)
  const isAddress = /^https?:\/\//i.test(text) || (handle.platform !== undefined && /\//.test(text))
  const isOnPlatform = handle.platform !== undefined && catalog.hasPlatform(handle.platform)
  const isIdentity = text.includes('@') || isAddress || isOnPlatform
  return isIdentity ? catalog.ownersOf(handle) : undefined
}

/** The one piece of a text that does not only ask: `@ann` of `who is @ann?` */
function onlyToken(query: string): string | undefined {
  const tokens = query.trim().split(/\s+/)
  const isOne = tokens.length === 1
  const [only, another] = isOne ? tokens : tokens.filter((token) => !asksOnly(token))
  return another === undefined ? only?.replace(/[?!.,;]+$/, '') : undefined
}

function asksOnly(token: string): boolean {
  return termsOf(token).every(isStopWord)
}
