/** What two people have, side by side: the same facts of both in the same order. */
import type { Profile, RankExplanation } from './answers.ts'
import { scoreText, shareText, shortText, wholeText } from './wording.ts'

/** A fact of both. */
export interface ComparedRow {
  readonly name: string
  readonly values: readonly [string, string]
  /** How long the bars are, 0 to 1; undefined where it is no number. */
  readonly parts: readonly [number, number] | undefined
}

type Pair = readonly [Profile, Profile]

/** The rows of a comparison. */
export function comparedRows(...pair: Pair): ComparedRow[] {
  // Sources that say nothing of followers say 0 of everybody.
  const areKnown = pair.some((profile) => followersOf(profile) > 0)
  return [
    numbers('Authority score', pair, (profile) => profile.authority_score, scoreText, 100),
    texts('Core topic', pair, ({ topics }) => topics[0] ?? ''),
    texts('Rank there', pair, ({ explanation }) => rankText(explanation)),
    numbers('Share of the topic', pair, ({ explanation }) => explanation?.share ?? 0, shareText),
    numbers('of it their own', pair, (profile) => partOf(profile, 'own'), shareText, 1),
    numbers('of it endorsement', pair, (profile) => partOf(profile, 'endorsement'), shareText, 1),
    numbers('Endorsers', pair, endorsersOf, wholeText),
    ...(areKnown ? [numbers('Followers', pair, followersOf, shortText)] : []),
    numbers('Topics', pair, ({ topics }) => topics.length, wholeText),
    texts('Country', pair, ({ country }) => country),
    texts('Platforms', pair, ({ socials }) => Object.keys(socials).join(', ')),
  ]
}

function texts(name: string, pair: Pair, pick: (profile: Profile) => string): ComparedRow {
  const [first, second] = pair.map((profile) => pick(profile) || '–')
  return { name, values: [first!, second!], parts: undefined }
}

/** @param whole what a full bar stands for; else the greater of the two. */
function numbers(
  name: string,
  pair: Pair,
  pick: (profile: Profile) => number,
  textOf: (value: number) => string,
  whole?: number,
): ComparedRow {
  const [first, second] = [pick(pair[0]), pick(pair[1])]
  const full = whole ?? Math.max(first, second, Number.MIN_VALUE)
  return {
    name,
    values: [textOf(first), textOf(second)],
    parts: [first / full, second / full],
  }
}

function rankText(explanation: RankExplanation | undefined): string {
  if (explanation === undefined) return ''
  return `${wholeText(explanation.rank)} of ${wholeText(explanation.of)}`
}

/** What part of the share a component is, 0 to 1. */
function partOf({ explanation }: Profile, name: string): number {
  if (explanation === undefined || explanation.share === 0) return 0
  const component = explanation.components.find((each) => each.name === name)
  return (component?.share ?? 0) / explanation.share
}

function endorsersOf({ explanation }: Profile): number {
  return explanation?.components.find(({ name }) => name === 'endorsement')?.value ?? 0
}

function followersOf({ socials }: Profile): number {
  return Object.values(socials).reduce((sum, { followers }) => sum + followers, 0)
}

/** The topics that both have, in the order of the first. */
export function sharedTopics(first: Profile, second: Profile): string[] {
  return first.topics.filter((topic) => second.topics.includes(topic))
}

/** The names of those who are among the strongest endorsers of both. */
export function sharedEndorsers(first: Profile, second: Profile): string[] {
  const known = new Set(second.explanation?.endorsers.map(({ sdu, name }) => sdu ?? name))
  const both = first.explanation?.endorsers.filter(({ sdu, name }) => known.has(sdu ?? name)) ?? []
  return both.map(({ name }) => name)
}
