/**
 * Identity: a text that says who is meant outright, by a handle, an identifier, the address of a profile
 * or of content, or an SDU. Such a text means its owner or nobody; a word that could be a handle is a
 * word.
 */
import { termsOf } from '../text/analyzer.ts'
import { nowhere, parseHandle } from '../text/handle.ts'
import { isPlatformHost, platformOf } from '../text/sites.ts'
import { isStopWord } from '../text/stop-words.ts'
import type { Catalog } from './catalog.ts'

const sduShape = /^\d{1,32}$/
/** What no plain word has: a text without any of it is not read as a handle. */
const sign = /[@:/\d]/
/** An ISNI as it is printed is the one identifier with spaces. */
const spaced = /\d{4} \d{4}/

/** The ordinals of the owners; undefined where the text is not such a text. */
export function ownersIn(query: string, catalog: Catalog): readonly number[] | undefined {
  // Most texts are words, and are told apart before they are read.
  if (!sign.test(query)) return undefined
  const text = spaced.test(query) ? query.trim() : onlyToken(query)
  if (text === undefined || !sign.test(text)) return undefined
  if (!sduShape.test(text)) return ownersOf(text, catalog)
  const ordinal = catalog.findSdu(text)
  return ordinal < 0 ? undefined : [ordinal]
}

function ownersOf(text: string, catalog: Catalog): readonly number[] | undefined {
  const handle = parseHandle(text)
  const { platform } = handle
  const isOnPlatform =
    platform !== undefined && (platformOf(platform) !== undefined || catalog.hasPlatform(platform))
  const isAddress = platform === nowhere && isSurelyAddress(text)
  return text.includes('@') || isAddress || isOnPlatform ? catalog.ownersOf(handle) : undefined
}

/** Without its scheme the address of a site that nobody knows may be words: `asp.net/core`. */
function isSurelyAddress(text: string): boolean {
  const [host = ''] = text.toLowerCase().split('/')
  return /^(?:https?:\/\/|www\.)/i.test(text) || isPlatformHost(host)
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
