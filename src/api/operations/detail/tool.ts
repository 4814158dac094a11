/** The tool of profiles, and its text of an answer. */
import type * as z from 'zod'
import type { Explanation } from '../../schemas/person.ts'
import { reasonOf, someOf, type Tool, unknownOf, withNote } from '../tool-texts.ts'
import type { profile } from './schema.ts'

type Profile = z.output<typeof profile>

/** The tool `get_authority_detail`. */
export const detailTool: Tool<'detail', Profile> = {
  conciseFields: ['sdu', 'name', 'country', 'topics', 'authority_score', 'explanation'],
  rest: 'values',
  read: (items, { input: { sdus }, format, all, chosen }) => {
    const known = new Set(all.map(({ sdu }) => sdu))
    const unknown = sdus.filter((sdu) => !known.has(sdu))
    const missing = unknown.length === 0 ? '' : `No authority has SDU ${someOf(unknown)}`
    const textOf = format === 'concise' ? profileLines : profileTexts
    if (all.length > 0) {
      return { text: withNote(chosen ?? textOf(items), missing), more: unknownOf(unknown) }
    }
    const way = 'SDUs come from search_authorities, match_handle and find_peers'
    return { text: `${missing}; ${way}.`, more: unknownOf(unknown, way) }
  },
}

/** Characters of a biography that the text repeats; the structured content holds all of it. */
const bioCharactersMax = 400

/** `Ann Other, SDU 7, authority score 61 (Rust, Compilers; France)` for each profile, with three topics at most. */
function profileLines(items: readonly Profile[]): string {
  return items.map(profileLine).join('\n')
}

/** Topics that a line names. */
const topicsMax = 3

function profileLine(profile: Profile): string {
  const { name, sdu, authority_score: score, country, topics } = profile
  const known = [topics.slice(0, topicsMax).join(', '), country].filter((part) => part !== '')
  return `${name}, SDU ${sdu}, authority score ${score} (${known.join('; ')})${reasonOf(profile)}`
}

/** A paragraph for each profile. */
function profileTexts(items: readonly Profile[]): string {
  return items.map(profileText).join('\n\n')
}

function profileText(profile: Profile): string {
  const { name, sdu, authority_score: score, country, topics, socials, website, bio } = profile
  const accounts = Object.entries(socials).map(([platform, { handle, followers }]) =>
    followers === 0 ? `${platform} ${handle}` : `${platform} ${handle} (${followers} followers)`,
  )
  const facts = [
    `${name}, SDU ${sdu}, authority score ${score} of 100`,
    country === '' ? '' : `Country: ${country}`,
    `Topics: ${topics.join(', ')}`,
    accounts.length === 0 ? '' : `Verified accounts: ${accounts.join(', ')}`,
    website === null ? '' : `Website: ${website}`,
    bio === '' ? '' : `Bio: ${JSON.stringify(shortened(bio))}`,
    profile.explanation?.sentence ?? '',
    proofText(profile.explanation?.sources ?? []),
  ]
  return facts.filter((fact) => fact !== '').join('\n')
}

/** `Known to be theirs: the person by register (2026-11-01), github ann by rel=me`; '' if no record says. */
function proofText(sources: Explanation['sources']): string {
  const proofs = sources.flatMap(({ verified_by: by, verified_at: at, handles = [] }) => [
    ...(by === undefined ? [] : [`the person by ${by}${dateOf(at ?? null)}`]),
    ...handles.map(
      ({ platform, handle, ...proof }) =>
        `${platform} ${handle} by ${proof.verified_by}${dateOf(proof.verified_at)}`,
    ),
  ])
  return proofs.length === 0 ? '' : `Known to be theirs: ${proofs.join(', ')}`
}

function dateOf(at: string | null): string {
  return at === null ? '' : ` (${at})`
}

function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= bioCharactersMax) return text
  return `${characters.slice(0, bioCharactersMax).join('')}…`
}
