/** Questions for one person by what only they have: a handle, the address of a profile, an SDU. */

import type { Random } from '../../../test/support/random.ts'
import type { PersonRecord } from '../../shared/data/records.ts'
import { forOne, type Kinds } from '../question.ts'

/** What is typed, and the handle it means as the truth knows it. */
interface TypedHandle {
  readonly text: string
  readonly key: string
}

/** What YouTube numbers a channel by, which is not the handle of one. */
const isChannel = /^UC[\w-]{22}$/

const addresses: Readonly<Record<string, (handle: string) => string>> = {
  facebook: (handle) => `https://www.facebook.com/${handle}`,
  github: (handle) => `https://github.com/${handle}`,
  instagram: (handle) => `https://www.instagram.com/${handle}/`,
  mastodon: (handle) => `https://${handle.split('@').reverse().join('/@')}`,
  orcid: (handle) => `https://orcid.org/${handle}`,
  twitter: (handle) => `https://x.com/${handle}`,
  youtube: (handle) =>
    `https://www.youtube.com/${isChannel.test(handle) ? 'channel/' : '@'}${handle}`,
}

/** One of a person's handles, as `@handle` or as `platform:handle`; undefined where they have none. */
export function typedHandle(person: PersonRecord, random: Random): TypedHandle | undefined {
  const drawn = drawnHandle(person, random)
  if (drawn === undefined) return undefined
  const { platform, handle } = drawn
  const key = handle.toLowerCase()
  return platform === 'orcid' || random.chance(0.5)
    ? { text: `${platform}:${handle}`, key: `${platform}:${key}` }
    : { text: `@${handle}`, key }
}

/** The address of one of a person's profiles; undefined where they have none. */
export function typedAddress(person: PersonRecord, random: Random): TypedHandle | undefined {
  const drawn = drawnHandle(person, random)
  if (drawn === undefined) return undefined
  const { platform, handle } = drawn
  const text = addresses[platform]?.(handle)
  return text === undefined ? undefined : { text, key: `${platform}:${handle.toLowerCase()}` }
}

/** A handle without its `@`. */
function drawnHandle({ socials = {} }: PersonRecord, random: Random) {
  const handles = Object.entries(socials).map(([platform, { handle }]) => {
    return { platform, handle: handle.replace(/^@/, '') }
  })
  return handles.length === 0 ? undefined : random.pick(handles)
}

/** The kinds, by their names. */
export const identityKinds: Kinds = {
  handle: (world, random) => {
    const typed = typedHandle(world.somebody(random), random)
    return typed && forOne(typed.text, world.truth.owning(typed.key))
  },
  address: (world, random) => {
    const typed = typedAddress(world.somebody(random), random)
    return typed && forOne(typed.text, world.truth.owning(typed.key))
  },
  SDU: ({ truth, places }, random) => {
    const person = random.pick(places)
    return forOne(truth.people[person]!.sdu, new Set([person]))
  },
}
