/** Two to five people side by side: the same facts of all, the greatest differences first. */
import type { Profile } from './answers.ts'
import { placeText, type TopicPlace, type TopicPlaces } from './people/topic-ranks.ts'
import { isolated, scoreText, shareText, shortText, wholeText } from './wording.ts'

/** A fact of all. */
export interface ComparedRow {
  readonly name: string
  readonly values: readonly string[]
  /** Lengths of the bars, 0 to 1; undefined if the fact is no number. */
  readonly parts: readonly number[] | undefined
  /** Difference of the values: 0 if all are the same, 1 at most; 0.5 for different texts. */
  readonly difference: number
}

type People = readonly Profile[]

/** The rows of the topics that all have, as far as their ranks are known, the greatest difference first. */
export function topicRows(
  people: People,
  placesByTopic: ReadonlyMap<string, TopicPlaces>,
): ComparedRow[] {
  const rows = sharedTopics(people)
    .filter((topic) => placesByTopic.has(topic))
    .map((topic) => {
      const places = people.map(({ sdu }) => placesByTopic.get(topic)?.get(sdu))
      return topicRow(topic, places)
    })
  return rows.sort((one, other) => other.difference - one.difference)
}

/** A bar is full for the first of a topic, and empty behind the last. */
function topicRow(topic: string, places: readonly (TopicPlace | undefined)[]): ComparedRow {
  const values = places.map(placeText)
  const heights = places.flatMap((place) =>
    place?.of === undefined || place.rank === null ? [] : [1 - (place.rank - 1) / place.of],
  )
  const areKnown = heights.length === places.length
  return {
    name: topic,
    values,
    parts: areKnown ? heights : undefined,
    difference: areKnown ? Math.max(...heights) - Math.min(...heights) : 0.5,
  }
}

/** A sentence on the row with the greatest difference; '' if no row differs. */
export function differenceText(rows: readonly ComparedRow[], people: People): string {
  const [first] = [...rows].sort((one, other) => other.difference - one.difference)
  if (first === undefined || first.difference === 0) return ''
  const values = people.map(
    ({ name }, index) => `${isolated(name)} ${isolated(first.values[index]!)}`,
  )
  return `They differ most in ${isolated(first.name)}: ${values.join(', ')}.`
}

/** The rows of a comparison beside the ranks in topics, the greatest difference first. */
export function comparedRows(people: People): ComparedRow[] {
  // A source without numbers of followers gives every person 0.
  const areKnown = people.some((profile) => followersOf(profile) > 0)
  const rows = [
    numbers('Authority score', people, (profile) => profile.authority_score, scoreText, 100),
    texts('Core topic', people, ({ topics }) => topics[0] ?? ''),
    texts('Rank in the core topic', people, ({ explanation }) => placeText(explanation)),
    numbers(
      'Share of the core topic',
      people,
      ({ explanation }) => explanation?.share ?? 0,
      shareText,
    ),
    numbers(
      'Part of the share that is their own',
      people,
      (profile) => partOf(profile, 'own'),
      shareText,
      1,
    ),
    numbers(
      'Part of the share from endorsers',
      people,
      (profile) => partOf(profile, 'endorsement'),
      shareText,
      1,
    ),
    numbers('Endorsers', people, endorsersOf, wholeText),
    ...(areKnown ? [numbers('Followers', people, followersOf, shortText)] : []),
    numbers('Topics', people, ({ topics }) => topics.length, wholeText),
    texts('Country', people, ({ country }) => country),
    texts('Platforms', people, ({ socials }) => Object.keys(socials).join(', ')),
  ]
  return rows.sort((one, other) => other.difference - one.difference)
}

function texts(name: string, people: People, pick: (profile: Profile) => string): ComparedRow {
  const values = people.map((profile) => pick(profile) || '–')
  const isSame = new Set(values).size === 1
  // A text has no more or less: it stands behind great differences of numbers, before small ones.
  return { name, values, parts: undefined, difference: isSame ? 0 : 0.5 }
}

/** @param whole the value of a full bar; the greatest of all unless given. */
function numbers(
  name: string,
  people: People,
  pick: (profile: Profile) => number,
  textOf: (value: number) => string,
  whole?: number,
): ComparedRow {
  const values = people.map(pick)
  // Without a positive value all bars are empty.
  const most = Math.max(...values) || 1
  return {
    name,
    values: values.map(textOf),
    parts: values.map((value) => value / (whole ?? most)),
    difference: (Math.max(...values) - Math.min(...values)) / most,
  }
}

/** The fraction of the share that comes from a component, 0 to 1. */
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

/** The topics that all have, in the order of the first. */
export function sharedTopics([first, ...others]: People): string[] {
  if (first === undefined) return []
  return first.topics.filter((topic) => others.every(({ topics }) => topics.includes(topic)))
}

/** The names of those who are among the strongest endorsers of all. */
export function sharedEndorsers([first, ...others]: People): string[] {
  const known = others.map(
    ({ explanation }) => new Set(explanation?.endorsers.map(({ sdu, name }) => sdu ?? name)),
  )
  const all = (first?.explanation?.endorsers ?? []).filter(({ sdu, name }) =>
    known.every((names) => names.has(sdu ?? name)),
  )
  return all.map(({ name }) => name)
}
