/**
 * The JSON of the published items, in the published order of fields, in parts: a summary is the identity of a person,
 * the rank, and what all people of a country and of a topic share; a profile is the identity and two parts around the
 * score. Rank and score are known last.
 */
import type { AuthorityRecord, Proof } from '../source/schema.ts'

/** Part of the recipe (`recipe.ts`): to be raised by one when an item has another shape. */
export const itemsVersion = 1

/** All that is known of an authority when its items are made; topics by their labels, core first. */
export type ItemFacts = Omit<AuthorityRecord, 'topics'> & { readonly topics: readonly string[] }

type Fields<N extends keyof ItemFacts> = Pick<ItemFacts, N>

/** Provenance of a record, as JSON: its source and how it was verified; '' if the record states neither. */
export function provenance({
  source,
  licence,
  updatedAt,
  proof,
  socials,
}: Fields<'source' | 'licence' | 'updatedAt' | 'proof' | 'socials'>): string {
  const proved = socials.flatMap(({ platform, handle, proof }) =>
    proof === undefined ? [] : [{ platform, handle, ...membersOf(proof) }],
  )
  const hasProof = proof !== undefined || proved.length > 0
  const isSilent = source === null && licence === null && updatedAt === null && !hasProof
  return isSilent
    ? ''
    : JSON.stringify({
        source,
        licence,
        updated_at: updatedAt,
        ...(proof && membersOf(proof)),
        ...(proved.length > 0 && { handles: proved }),
      })
}

function membersOf({ by, at }: Proof): { verified_by: string; verified_at: string | null } {
  return { verified_by: by, verified_at: at }
}

export function provenanceWithout(text: string, platform: string): string {
  if (!text.includes('"handles":')) return text
  const { handles, ...rest } = JSON.parse(text)
  const others = handles.filter((each: { platform: string }) => each.platform !== platform)
  return JSON.stringify({ ...rest, ...(others.length > 0 && { handles: others }) })
}

/** `{"sdu":"1","name":"A"`: the first members of summaries and profiles. */
export function identity({ sdu, name }: Fields<'sdu' | 'name'>): string {
  return JSON.stringify({ sdu, name }).slice(0, -1)
}

export const rankMember = ',"rank":'

/** `,"country_name":"B"` */
export function countryMember(countryName: string): string {
  return `,"country_name":${JSON.stringify(countryName)}`
}

/** `,"topic":"C"}`: the end of a summary, where the topic is the core topic. */
export function topicMember(topic: string): string {
  return `,"topic":${JSON.stringify(topic)}}`
}

/** Everything of a profile item between its identity and its score: bio, country, topics, socials. */
export function profileHead(fields: Fields<'bio' | 'countryName' | 'socials' | 'topics'>): string {
  const { bio, countryName: country, topics, socials } = fields
  const byPlatform = Object.fromEntries(
    socials.map(({ platform, handle, followers }) => [platform, { handle, followers }]),
  )
  return openHead({ bio, country, topics, socials: byPlatform })
}

function openHead(members: object): string {
  return `,${JSON.stringify(members).slice(1, -1)},"authority_score":`
}

/** The part of a profile before its score without one social, and how many followers go with it. */
export function withoutSocial(head: string, platform: string): { head: string; followers: number } {
  const { authority_score: _, ...profile } = JSON.parse(`{${head.slice(1)}0}`)
  const { [platform]: taken, ...socials } = profile.socials
  return { head: openHead({ ...profile, socials }), followers: taken?.followers ?? 0 }
}

/** Everything of a profile item after its score: `attributes` only where the record has some. */
export function profileTail({ website, attributes }: Fields<'website' | 'attributes'>): string {
  const byKey = new Map<string, string[]>()
  for (const { key, value } of attributes) byKey.set(key, [...(byKey.get(key) ?? []), value])
  const said =
    attributes.length === 0 ? '' : `,"attributes":${JSON.stringify(Object.fromEntries(byKey))}`
  return `${said},"website":${JSON.stringify(website)}}`
}
