/** Kinds of text that mean one person by what only they have, as people type it. */

import type { Random } from '../../../test/support/random.ts'
import type { PersonRecord } from '../../shared/data/records.ts'
import { type Ask, forOne, type Kinds, type Question, type World } from '../question.ts'

function drawn(world: World, random: Random) {
  const person = world.somebody(random)
  const handles = Object.entries(person.socials ?? {})
  if (handles.length === 0) return undefined
  const [platform, { handle }] = random.pick(handles)
  return { person, platform, handle: handle.replace(/^@/, '') }
}

const hosts: Readonly<Record<string, string>> = {
  twitter: 'twitter.com',
  github: 'github.com',
  instagram: 'instagram.com',
  facebook: 'facebook.com',
}

function spelled(
  spell: (platform: string, handle: string, random: Random) => string | undefined,
): Ask {
  return (world, random) => {
    const one = drawn(world, random)
    if (one === undefined || one.platform === 'orcid') return undefined
    const text = spell(one.platform, one.handle, random)
    return text === undefined
      ? undefined
      : forOne(text, world.truth.owning(one.handle.toLowerCase()))
  }
}

/** A person by a value of the record, and the others with the same value. */
function byField(
  fieldOf: (person: PersonRecord) => string | undefined,
  spell: (value: string, random: Random) => string,
): Ask {
  return (world, random): Question | undefined => {
    const value = fieldOf(world.somebody(random))
    if (value === undefined) return undefined
    const right = new Set<number>()
    for (const [at, person] of world.truth.people.entries())
      if (fieldOf(person) === value) right.add(at)
    return forOne(spell(value, random), right)
  }
}

const hostOf = (person: PersonRecord): string | undefined => {
  const { website } = person as { readonly website?: string | null }
  return website && URL.canParse(website) && new URL(website).pathname === '/'
    ? new URL(website).hostname.replace(/^www\./, '')
    : undefined
}

const identifierOf = (scheme: string) => (person: PersonRecord) =>
  (person as { readonly identifiers?: Readonly<Record<string, string>> }).identifiers?.[scheme]

/** Kinds by their names. */
export const identityKinds: Kinds = {
  'bare handle': spelled((_, handle, random) =>
    random.chance(0.5) ? handle : handle.toLowerCase(),
  ),
  '#handle': spelled((_, handle) => `#${handle}`),
  'handle and platform': spelled((platform, handle, random) =>
    random.pick([
      `${handle} ${platform}`,
      `${platform} ${handle}`,
      `${handle} on ${platform}`,
      `${handle}@${hosts[platform] ?? platform}`,
      `@${handle} ${platform}`,
      `${platform}/${handle}`,
    ]),
  ),
  'address with what was copied along': spelled((platform, handle, random) => {
    const host = hosts[platform]
    if (host === undefined) return undefined
    return random.pick([
      `https://${host}/${handle}%20`,
      `<https://${host}/${handle}>`,
      `"https://${host}/${handle}"`,
      `(https://${host}/${handle})`,
      `see https://${host}/${handle}`,
      `https://${host}/${handle},`,
      `${host} / ${handle}`,
    ])
  }),
  'host of a website': byField(hostOf, (host, random) =>
    random.pick([host, `www.${host}`, `https://${host}`, `https://www.${host}/about`, `${host}/`]),
  ),
  'Wikidata item': byField(identifierOf('wikidata'), (item, random) =>
    random.pick([item, item.toLowerCase(), `wikidata ${item}`, `wd:${item}`, `wikidata: ${item}`]),
  ),
  'ORCID iD': byField(identifierOf('orcid'), (orcid, random) =>
    random.pick([
      `orcid ${orcid}`,
      `ORCID: ${orcid}`,
      `orcid id ${orcid}`,
      orcid.replaceAll('-', ''),
    ]),
  ),
}
