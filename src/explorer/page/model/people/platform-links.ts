/** The public address of a handle on its platform; undefined for platforms whose addresses are not known. */

type Writer = (handle: string) => string

const at =
  (before: string): Writer =>
  (handle) =>
    `https://${before}${encodeURIComponent(handle)}`

const writers: Readonly<Record<string, Writer>> = {
  bluesky: at('bsky.app/profile/'),
  facebook: at('www.facebook.com/'),
  github: at('github.com/'),
  gitlab: at('gitlab.com/'),
  instagram: at('www.instagram.com/'),
  linkedin: at('www.linkedin.com/in/'),
  medium: at('medium.com/@'),
  orcid: at('orcid.org/'),
  reddit: at('www.reddit.com/user/'),
  telegram: at('t.me/'),
  threads: at('www.threads.com/@'),
  tiktok: at('www.tiktok.com/@'),
  twitch: at('www.twitch.tv/'),
  twitter: at('x.com/'),
  wikidata: at('www.wikidata.org/wiki/'),
  youtube: (handle) => {
    const [, space = '@', name = handle] = /^(c\/|user\/)(.+)$/.exec(handle) ?? []
    return at(`www.youtube.com/${/^UC[\w-]{22}$/.test(handle) ? 'channel/' : space}`)(name)
  },
}

/** The address of a handle, with or without its `@`. */
export function platformLink(platform: string, handle: string): string | undefined {
  const name = handle.replace(/^@/, '')
  const fediverse = /^([\w.-]+)@((?:[\w-]+\.)+[a-z]{2,})$/i.exec(name)
  if (platform === 'mastodon' || platform === 'fediverse') {
    return fediverse === null ? undefined : `https://${fediverse[2]}/@${fediverse[1]}`
  }
  return Object.hasOwn(writers, platform) ? writers[platform]!(name) : undefined
}

/** An address that a record gives, if it is one of the web. */
export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}
