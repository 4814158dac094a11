/** Names of platforms and attributes for people, and the public addresses of handles. */
import type { ListFilter } from './address.ts'

/** Each platform with its name, and what stands before a handle in its address. */
const platforms: Readonly<Record<string, readonly [name: string, before?: string]>> = {
  bluesky: ['Bluesky', 'bsky.app/profile/'],
  facebook: ['Facebook', 'www.facebook.com/'],
  fediverse: ['Fediverse'],
  github: ['GitHub', 'github.com/'],
  gitlab: ['GitLab', 'gitlab.com/'],
  instagram: ['Instagram', 'www.instagram.com/'],
  linkedin: ['LinkedIn', 'www.linkedin.com/in/'],
  mastodon: ['Mastodon'],
  medium: ['Medium', 'medium.com/@'],
  orcid: ['ORCID', 'orcid.org/'],
  reddit: ['Reddit', 'www.reddit.com/user/'],
  telegram: ['Telegram', 't.me/'],
  threads: ['Threads', 'www.threads.com/@'],
  tiktok: ['TikTok', 'www.tiktok.com/@'],
  twitch: ['Twitch', 'www.twitch.tv/'],
  twitter: ['X (Twitter)', 'x.com/'],
  wikidata: ['Wikidata', 'www.wikidata.org/wiki/'],
  youtube: ['YouTube'],
}

export function platformName(key: string): string {
  return Object.hasOwn(platforms, key) ? platforms[key]![0] : withCapital(key)
}

/** An attribute in words: `office:Senator` is `Office: Senator`. */
export function attributeName(attribute: string): string {
  const [, key = '', value = attribute] = /^([^:]+):(.*)$/s.exec(attribute) ?? []
  return key === '' ? value : `${withCapital(key.replaceAll('_', ' '))}: ${value}`
}

export function valueName(filter: ListFilter, value: string): string {
  if (filter === 'platform') return platformName(value)
  return filter === 'attribute' ? attributeName(value) : value
}

function withCapital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

/** The public address of a handle, with or without its `@`; undefined for platforms whose addresses are not known. */
export function platformLink(platform: string, handle: string): string | undefined {
  const name = handle.replace(/^@/, '')
  if (platform === 'mastodon' || platform === 'fediverse') {
    const [, user, host] = /^([\w.-]+)@((?:[\w-]+\.)+[a-z]{2,})$/i.exec(name) ?? []
    return user === undefined ? undefined : `https://${host}/@${user}`
  }
  if (platform === 'youtube') {
    const [, space = '@', channel = name] = /^(c\/|user\/)(.+)$/.exec(name) ?? []
    const before = /^UC[\w-]{22}$/.test(name) ? 'channel/' : space
    return `https://www.youtube.com/${before}${encodeURIComponent(channel)}`
  }
  const before = Object.hasOwn(platforms, platform) ? platforms[platform]![1] : undefined
  return before === undefined ? undefined : `https://${before}${encodeURIComponent(name)}`
}

export function webAddress(text: string): string | undefined {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? text : undefined
}

/** A handle as `platform:name`, without its `@`, as the API takes it. */
export function handleAddress(platform: string, handle: string): string {
  return `${platform}:${handle.replace(/^@/, '')}`
}
