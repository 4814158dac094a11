/**
 * The words of requests: drawn from the records that a snapshot was made of, so that most requests
 * find something, and some that no record holds.
 */
import { readLines } from './sources.ts'
import texts from './texts.json' with { type: 'json' }

/** What requests about one snapshot are made of. No list is empty. */
export interface Vocabulary {
  readonly texts: readonly string[]
  readonly words: readonly string[]
  readonly sdus: readonly string[]
  readonly handles: readonly string[]
  readonly topics: readonly string[]
  readonly countries: readonly string[]
  readonly platforms: readonly string[]
  readonly snapshotIds: readonly string[]
}

const countryNames = ['France', 'French', 'fr', 'United States', 'US', 'germany', 'Côte d’Ivoire']

const unknownId = 'f'.repeat(32)

/** Entries at equal distances of a list, so that a vocabulary has at most 300 of a kind. */
function sample<T>(all: readonly T[], most = 300): T[] {
  const step = Math.max(1, Math.ceil(all.length / most))
  return all.filter((_, index) => index % step === 0)
}

export function vocabularyOf(
  sources: readonly string[],
  snapshotIds: readonly string[],
): Vocabulary {
  const people = sources.flatMap((source) => readLines(source, 'authorities'))
  const shown = sample(people)
  const names = shown.map(({ name }) => String(name))
  const labels = [...new Set(people.flatMap(({ topics }) => (topics as Topic[]).map(labelOf)))]
  const topics = sources.flatMap((source) => readLines(source, 'topics'))
  const aliases = [...new Set(topics.flatMap(({ aliases }) => aliases as string[]))]
  const accounts = shown.flatMap(({ socials }) =>
    Object.entries(socials as Record<string, { handle: string }>),
  )
  const handles = accounts.flatMap(([platform, { handle }], index) => {
    const spellings = [handle, `@${handle}`, `${platform}:${handle}`, handle.toUpperCase()]
    if (platform === 'twitter') spellings.push(`https://x.com/${handle}`)
    if (platform === 'github') spellings.push(`https://github.com/${handle}/net`)
    return spellings[index % spellings.length]!
  })
  const homes = people.map(({ country_name: name }) => String(name)).filter((name) => name !== '')
  const words = [...names, ...labels].flatMap((text) => text.split(/[^\p{L}\p{N}#+.]+/u))
  return {
    texts: [...labels, ...aliases, ...sample(names, 150), ...texts.questions],
    words: [...sample([...new Set(words)].filter((word) => word.length > 1)), ...texts.glue],
    sdus: shown.map(({ sdu }) => String(sdu)),
    handles: [...handles, ...sample(identifiersOf(people), 30)],
    topics: [...labels, ...aliases],
    countries: [...new Set([...homes, ...countryNames])],
    platforms: [
      ...new Set([...accounts.map(([platform]) => platform), 'x', 'Twitter', 'wikidata']),
    ],
    snapshotIds: [...snapshotIds, ...snapshotIds, unknownId],
  }
}

type Topic = string | { readonly topic: string }

const labelOf = (topic: Topic) => (typeof topic === 'string' ? topic : topic.topic)

function identifiersOf(people: readonly Record<string, unknown>[]): string[] {
  return people.flatMap(({ identifiers }) =>
    Object.entries((identifiers ?? {}) as Record<string, string>).map(
      ([scheme, value]) => `${scheme}:${value}`,
    ),
  )
}
