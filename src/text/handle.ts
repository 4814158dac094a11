/**
 * What a handle is: how people type it, and the one key that all its spellings share. The build
 * writes these keys into the snapshot and the catalog looks them up; both call `handleKey`.
 */

/** A handle as somebody typed it: `platform` is undefined where they named none. */
export interface HandleQuery {
  readonly platform: string | undefined
  readonly key: string
}

/** Hosts whose profile URLs are understood; each value turns a path into a handle. */
const hosts: Readonly<Record<string, { platform: string; path: RegExp }>> = {
  'bsky.app': { platform: 'bluesky', path: /^\/profile\/([^/]+)/ },
  'facebook.com': { platform: 'facebook', path: /^\/([^/]+)/ },
  'fb.com': { platform: 'facebook', path: /^\/([^/]+)/ },
  'github.com': { platform: 'github', path: /^\/([^/]+)/ },
  'instagram.com': { platform: 'instagram', path: /^\/([^/]+)/ },
  'linkedin.com': { platform: 'linkedin', path: /^\/in\/([^/]+)/ },
  'medium.com': { platform: 'medium', path: /^\/(@[^/]+)/ },
  'orcid.org': { platform: 'orcid', path: /^\/([^/]+)/ },
  'reddit.com': { platform: 'reddit', path: /^\/u(?:ser)?\/([^/]+)/ },
  't.me': { platform: 'telegram', path: /^\/([^/]+)/ },
  'threads.com': { platform: 'threads', path: /^\/(@[^/]+)/ },
  'threads.net': { platform: 'threads', path: /^\/(@[^/]+)/ },
  'tiktok.com': { platform: 'tiktok', path: /^\/(@[^/]+)/ },
  'twitch.tv': { platform: 'twitch', path: /^\/([^/]+)/ },
  'twitter.com': { platform: 'twitter', path: /^\/([^/]+)/ },
  'x.com': { platform: 'twitter', path: /^\/([^/]+)/ },
  'youtube.com': { platform: 'youtube', path: /^\/(?:c\/|user\/|channel\/)?([^/]+)/ },
}

/**
 * The key of a handle: no leading `@`, NFKC, lower case, no space around it.
 * `@SenCapito`, `sencapito` and `ＳｅｎＣａｐｉｔｏ` have one key. Empty when nothing is left.
 */
export function handleKey(handle: string): string {
  return handle.normalize('NFKC').trim().replace(/^@+/, '').toLowerCase().normalize('NFKC')
}

/** The key of a platform's name: `Twitter` and `twitter` are one platform, `x` is Twitter too. */
export function platformKey(platform: string): string {
  const key = platform.normalize('NFKC').trim().toLowerCase()
  return key === 'x' ? 'twitter' : key
}

/**
 * Reads a handle in any form the interface allows: `name`, `@name`, `platform:name`, or the
 * address of a profile on a known platform, with or without its scheme. An address of an unknown
 * host is no handle anybody owns, so it is kept as it stands and simply matches nothing; only
 * `https://server/@name` is read as the Mastodon handle `name@server`.
 */
export function parseHandle(text: string): HandleQuery {
  const trimmed = text.trim()
  return (
    parseUrl(trimmed) ?? parsePrefixed(trimmed) ?? { platform: undefined, key: handleKey(trimmed) }
  )
}

function parsePrefixed(text: string): HandleQuery | undefined {
  const match = /^([a-z0-9][a-z0-9_.-]*):(?!\/\/)(.+)$/i.exec(text)
  if (match === null) return undefined
  return { platform: platformKey(match[1]!), key: handleKey(match[2]!) }
}

function parseUrl(text: string): HandleQuery | undefined {
  const match =
    /^(https?:\/\/)?(?:www\.|m\.|mobile\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)(?::\d+)?(\/[^?#]*)/i.exec(
      text,
    )
  if (match === null) return undefined
  const host = match[2]!.toLowerCase()
  const path = match[3]!
  const known = Object.hasOwn(hosts, host) ? hosts[host] : undefined
  const handle = known?.path.exec(path)?.[1]
  if (known !== undefined && handle !== undefined) {
    return { platform: known.platform, key: handleKey(handle) }
  }
  const fediverse = match[1] === undefined ? null : /^\/@([^/@]+)\/?$/.exec(path)
  if (fediverse !== null) return { platform: 'mastodon', key: handleKey(`${fediverse[1]}@${host}`) }
  return undefined
}
