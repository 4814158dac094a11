/**
 * Identities: texts that name a person directly, by a handle, an identifier, the address of a profile, of
 * content or of a website, or an SDU. Such a text means its owner or nobody. A word that could also be a
 * handle counts as a word.
 */
import { valuesOf } from '../../memory/hash-buckets.ts'
import { hashBytes } from '../../memory/text-table.ts'
import { websiteBytesMax, websiteIn } from '../../snapshot/people/websites.ts'
import { bucketsOf } from '../../snapshot/text-tables.ts'
import { termsOf } from '../../text/analyzer.ts'
import { nowhere, parseHandle } from '../../text/handle.ts'
import { unwrapped } from '../../text/pasted.ts'
import { isPlatformHost, knownPlatform, platformOf } from '../../text/sites.ts'
import { isStopWord } from '../../text/stop-words.ts'
import type { Catalog } from '../catalog.ts'

const sduShape = /^\d{1,32}$/
/** Characters that no plain word has: a text without any of them is not read as a handle. */
const sign = /[@:/.\d]/
/** An ISNI as it is printed is the one identifier with spaces. */
const spaced = /\d{4} \d{4}/
/** A register's name, and the words that people type between it and the identifier. */
const register =
  /^(orcid|isni|wikidata|wd|wikidata item)(?:\s*(?:id|ids|no|number|item))?\s*[:#]?\s+(?=\S)/i
const wikidataItem = /^(?:wd:)?(q[1-9]\d{2,15})$/i
/** An ORCID iD without its hyphens: one of the ISNIs from 0000 0001 5000 0007 on. */
const compactOrcid = /^0000000[1-3]\d{7}[\dx]$/i

/** More people than this share an address: none of them is meant by it. */
const websiteOwnersMax = 3

/** The ordinals of the owners; undefined where the text is not such a text. */
export function ownersIn(query: string, catalog: Catalog): readonly number[] | undefined {
  // Most texts are plain words; a quick test excludes them.
  if (!sign.test(query)) return undefined
  const plain = unwrapped(query).replace(
    register,
    (_, name: string) => `${/^w/i.test(name) ? 'wikidata' : name}:`,
  )
  const text = spaced.test(plain) ? plain : onlyToken(plain)
  if (text === undefined || !sign.test(text)) return undefined
  const isNumber = sduShape.test(text)
  const ordinal = isNumber ? catalog.findSdu(text) : -1
  if (ordinal >= 0) return [ordinal]
  const item = wikidataItem.exec(text)?.[1]
  const handle = item === undefined ? text : `wikidata:${item}`
  const owners = isNumber ? undefined : ownersOf(handle, catalog)
  if (owners !== undefined && owners.length > 0) return owners
  const compact = compactOrcid.test(text) ? ownersOf(`orcid:${text}`, catalog) : undefined
  if (compact !== undefined && compact.length > 0) return compact
  const ofSite = ownersOfWebsite(catalog, text)
  return ofSite.length > 0 ? ofSite : owners
}

function ownersOf(text: string, catalog: Catalog): readonly number[] | undefined {
  const handle = parseHandle(text)
  const { platform } = handle
  const isOnPlatform =
    platform !== undefined &&
    (platformOf(platform) !== undefined || catalog.platforms.includes(platform))
  const isAddress = platform === nowhere && isSurelyAddress(text)
  if (!text.includes('@') && !isAddress && !isOnPlatform) return undefined
  const owners = catalog.ownersOf(handle)
  return owners.length === 0 ? ownersAt(text, catalog) : owners
}

/** The owners of `name@github` or `name@github.com`, which is written as an address of mail. */
function ownersAt(text: string, catalog: Catalog): readonly number[] {
  const [, name = '', host = ''] = /^([^@\s]+)@([a-z]+)(?:\.[a-z]{2,3})?$/i.exec(text) ?? []
  const platform = knownPlatform(host.toLowerCase())
  return platform === undefined ? [] : catalog.ownersOf(parseHandle(`${platform}:${name}`))
}

/** Without its scheme the address of a site that nobody knows may be words: `asp.net/core`. */
function isSurelyAddress(text: string): boolean {
  const [host = ''] = text.toLowerCase().split('/')
  return /^(?:https?:\/\/|www\.)/i.test(text) || isPlatformHost(host)
}

/** The one piece of a text that does not only ask: `@ann` of `who is @ann?` */
function onlyToken(query: string): string | undefined {
  const tokens = query.split(/\s+/)
  const [address, other] = tokens.filter((token) => token.includes('://'))
  // An address is unmistakable, also inside other text.
  if (address !== undefined && other === undefined) return unwrapped(address)
  const isOne = tokens.length === 1
  const [only, another] = isOne ? tokens : tokens.filter((token) => !asksOnly(token))
  return only === undefined || another !== undefined ? undefined : unwrapped(only)
}

function asksOnly(token: string): boolean {
  return termsOf(token).every(isStopWord)
}

/** The people whose website is an address or its host: none where the text is no address or many have it. */
function ownersOfWebsite(catalog: Catalog, text: string): readonly number[] {
  const address = addressOf(text)
  if (address === undefined) return []
  const owners = findOwners(catalog, address)
  const host = address.slice(0, (address.indexOf('/') + 1 || address.length + 1) - 1)
  return owners.length > 0 || host === address ? owners : findOwners(catalog, host)
}

function findOwners({ profiles, sections }: Catalog, address: string): readonly number[] {
  const bytes = Buffer.from(address)
  const { rests } = profiles
  const isOwner = (ordinal: number) => {
    const { text } = rests.pageOf(ordinal)
    return bytes.equals(websiteIn(text, rests.startOf(ordinal), rests.endOf(ordinal)))
  }
  const hash = hashBytes(bytes, 0, bytes.length)
  const owners = valuesOf(bucketsOf(sections, 'website'), hash).filter(isOwner)
  return owners.length > websiteOwnersMax ? [] : owners
}

/** An address as the table has it: in small letters, without scheme, `www.` and a slash at the end. */
function addressOf(text: string): string | undefined {
  const shape = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/\S*)?)$/i
  const address = shape.exec(text)?.[1]?.toLowerCase().replace(/\/+$/, '')
  return address === undefined || address.length > websiteBytesMax ? undefined : address
}
