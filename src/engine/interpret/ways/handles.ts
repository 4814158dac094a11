/**
 * A bare handle, or a handle beside the name of its platform: `dtolnay`, `#dtolnay`, `dtolnay on github`.
 * Words come first: a text is a handle only if it matches no word, or is spelled as no word is.
 */
import { handleKey, readHandle } from '../../../text/handle.ts'
import { knownPlatform } from '../../../text/sites.ts'
import { asideOf } from '../../../text/speech/aside-words.ts'
import type { Found } from '../found.ts'
import { foundPeople, type Text, type WayOfSearch } from './way.ts'

const tokensMax = 6
/** Characters that no plain word is written with. */
const unlikeWords = /[\p{L}\d][._-]?\d|[._]|\p{Ll}\p{Lu}/u
const around = /^[#@"'(<]+|[?!.,;:"')>]+$/g
/** Made once: a pattern in a function is another object for each text. */
const space = /\s/
const parting = /[\s/:]+/
const hostEnd = /\.(?:com|org)$/

export const bareHandle: WayOfSearch = {
  name: 'bare-handle',
  find: ({ catalog }, text, limit) => {
    const token = text.query.trim()
    if (token === '' || space.test(token)) return undefined
    const handle = token.replace(around, '')
    const isWord = text.words.every(({ held }) => held.size > 0)
    if (isWord && !unlikeWords.test(handle) && text.words.length === 1) return undefined
    const key = handleKey(handle)
    return ofOwners(catalog.ownersOf({ platform: undefined, key }), text, limit)
  },
}

export const platformHandle: WayOfSearch = {
  name: 'platform-handle',
  find: ({ catalog }, text, limit) => {
    const tokens = text.query.trim().split(parting)
    if (tokens.length < 2 || tokens.length > tokensMax) return undefined
    // Nearly all texts name none.
    const platform = tokens.map(platformIn).find((each) => each !== undefined)
    if (platform === undefined) return undefined
    const rest = tokens
      .filter((token) => platformIn(token) === undefined)
      .map((token) => token.replace(around, ''))
      .filter((token) => token !== '' && asideOf(token.toLowerCase()) === undefined)
    const [only, another] = rest
    if (only === undefined || another !== undefined) return undefined
    const { handle } = readHandle(platform, only)
    return handle === undefined ? undefined : ofOwners(catalog.ownersOf(handle), text, limit)
  },
}

function platformIn(token: string): string | undefined {
  return knownPlatform(token.replace(around, '').toLowerCase().replace(hostEnd, ''))
}

function ofOwners(owners: readonly number[], { words }: Text, limit: number): Found | undefined {
  return owners.length === 0 ? undefined : foundPeople('identity', owners, limit, words)
}
