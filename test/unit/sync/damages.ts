/**
 * What can happen to a source between two syncs: kinds of damage, and of ordinary change, each with
 * what is to become of it and why. A damage that is published is one that no record shows: then the
 * reason says what the index has of it.
 */
import { limits } from '../../../src/limits.ts'
import { sectionsOf } from '../../support/table-sections.ts'

interface Json {
  [field: string]: unknown
  topics: string[]
  aliases: string[]
  socials: Record<string, Record<string, unknown>>
}

/** The lines of a source folder; a text is a line that is no JSON, a file that is undefined is gone. */
export interface Folder {
  authorities: (Json | string)[]
  connections: (Json | string)[] | undefined
  topics: (Json | string)[] | undefined
}

/** Kinds of damage or change by their names. */
type Damages = Readonly<Record<string, (folder: Folder) => void>>

function people(folder: Folder): Json[] {
  return folder.authorities as Json[]
}

function connections(folder: Folder): Json[] {
  return folder.connections as Json[]
}

function rotated(field: string): (folder: Folder) => void {
  return (folder) => {
    const values = people(folder).map((person) => person[field])
    people(folder).forEach((person, index) => {
      person[field] = values[(index + 1) % values.length]
    })
  }
}

function given(fieldsOf: (person: Json) => object, every = 1): (folder: Folder) => void {
  return (folder) =>
    people(folder).forEach((person, index) => {
      if (index % every === 0) Object.assign(person, fieldsOf(person))
    })
}

function replaced(
  file: keyof Folder,
  linesOf: (lines: Json[], folder: Folder) => (Json | string)[] | undefined,
): (folder: Folder) => void {
  return (folder) => {
    folder[file] = linesOf(folder[file] as Json[], folder) as Json[]
  }
}

function half<T>(lines: readonly T[]): T[] {
  return lines.slice(0, lines.length / 2)
}

function likeness(person: Json, fields: object): Json {
  return { ...person, socials: {}, identifiers: {}, ...fields }
}

function joined(count: number, followed: (index: number, folder: Folder) => unknown) {
  return (folder: Folder) => {
    for (let index = 0; index < count; index += 1) {
      const sdu = `77000${index}`
      const like = people(folder)[index * 30]!
      folder.authorities.push(likeness(like, { sdu, name: `New Person${index}` }))
      const tie = { ...connections(folder)[0]!, from: sdu, kind: 'follows' }
      connections(folder).push({ ...tie, to: followed(index, folder) })
    }
  }
}

/** Files that are gone, cut, doubled, or those of another. */
const ofFiles: Damages = {
  'authorities.ndjson is empty': replaced('authorities', () => []),
  'authorities.ndjson is cut in half': replaced('authorities', half),
  'a fourth of the authorities is gone': replaced('authorities', (lines) =>
    lines.filter((_, index) => index % 4 > 0),
  ),
  'connections.ndjson is gone': replaced('connections', () => undefined),
  'connections.ndjson is cut in half': replaced('connections', half),
  'topics.ndjson is gone': replaced('topics', () => undefined),
  'topics.ndjson is no JSON': replaced('topics', (lines) =>
    lines.map(() => '<html>502 Bad Gateway</html>'),
  ),
  'authorities.ndjson holds connections': replaced(
    'authorities',
    (_, folder) => folder.connections,
  ),
  'connections.ndjson holds authorities': replaced(
    'connections',
    (_, folder) => folder.authorities,
  ),
  'every authority comes twice': replaced('authorities', (lines) => [...lines, ...lines]),
  'one line in twenty is cut off': replaced('authorities', (lines) =>
    lines.map((line, index) => (index % 20 === 0 ? JSON.stringify(line).slice(0, 60) : line)),
  ),
}

/** Fields of people that are blank, of others, or in the wrong place. */
const ofPeople: Damages = {
  'every name is "undefined"': given(() => ({ name: 'undefined' })),
  'one name in twelve is "undefined"': given(() => ({ name: 'undefined' }), 12),
  'names are of others': rotated('name'),
  'every name is blank': given(() => ({ name: ' ' })),
  'names and bios are exchanged': given(({ name, bio }) => ({ name: bio, bio: name })),
  'countries and bios are exchanged': given(({ country_name, bio }) => ({
    country_name: bio,
    bio: country_name,
  })),
  'all socials are gone': given(() => ({ socials: {} })),
  'socials are of others': rotated('socials'),
  'handles are on another platform': given(({ socials }) => {
    const entries = Object.entries(socials)
    return { socials: Object.fromEntries(entries.map(([name, value]) => [`${name}-2`, value])) }
  }),
  'no social is verified': given(({ socials }) => {
    for (const social of Object.values(socials)) social.verified = false
    return {}
  }),
  'all bios are gone': given(() => ({ bio: null })),
  'bios are of others': rotated('bio'),
  'all countries are gone': given(() => ({ country_name: '' })),
  'all websites are gone': given(() => ({ website: null })),
  'nobody is verified': given(() => ({ verified: false })),
  'a third is not verified': given(() => ({ verified: false }), 3),
  'SDUs went through a double': given(({ sdu }) => ({ sdu: BigInt(Number(sdu)).toString() })),
  'SDUs are numbers': given(({ sdu }) => ({ sdu: Number(sdu) })),
  'SDUs are of others': rotated('sdu'),
}

const ofTopicsAndConnections: Damages = {
  'topics are of others': rotated('topics'),
  'topics stand in reverse order': given(({ topics }) => ({ topics: topics.toReversed() })),
  'only the first topic is left': given(({ topics }) => ({ topics: topics.slice(0, 1) })),
  'every topic has a prefix': given(({ topics }) => ({
    topics: topics.map((topic) => `topic ${topic}`),
  })),
  'aliases are of the next topic': replaced('topics', (lines) =>
    lines.map((line, index) => {
      return { ...line, aliases: lines[(index + 1) % lines.length]!.aliases }
    }),
  ),
  'connections lead to others': replaced('connections', (lines) =>
    lines.map((line, index) => ({ ...line, to: lines[(index + 9_973) % lines.length]!.to })),
  ),
  'connections have ends of another index': replaced('connections', (lines) =>
    lines.map((line) => ({ ...line, from: `9${line.from}` })),
  ),
  'weights are 1e-320': replaced('connections', (lines) =>
    lines.map((line) => ({ ...line, weight: 1e-320 })),
  ),
  'one weight is 1e308': (folder) => Object.assign(connections(folder)[0]!, { weight: 1e308 }),
  'an outsider is connected with everybody by the largest weight': (folder) => {
    const [first, ...others] = people(folder)
    for (const { sdu } of others) {
      const connection = { from: sdu, to: first!.sdu, weight: limits.weightMax, kind: 'follows' }
      folder.connections!.push(JSON.stringify(connection))
    }
  },
}

/** What happens to a source that is well. */
const ofEveryDay: Damages = {
  'all files in reverse order': (folder) => {
    for (const lines of Object.values(folder)) lines.reverse()
  },
  'every connection comes twice': replaced('connections', (lines) =>
    lines.flatMap((line) => [line, line]),
  ),
  'topics are written in capitals': given(({ topics }) => ({
    topics: topics.map((topic) => topic.toUpperCase()),
  })),
  'five people are removed, and their connections are not': (folder) =>
    void folder.authorities.splice(100, 5),
  'one in twenty is gone, one in twenty has another name': replaced('authorities', (lines) =>
    lines.flatMap((line, index) => {
      if (index % 20 === 0) return []
      return index % 20 === 1 ? { ...line, name: `${line.name} Junior` } : line
    }),
  ),
  'one in ten has no handle any more': given(() => ({ socials: {} }), 10),
  'ten lines are broken': (folder) => {
    for (let index = 0; index < 10; index += 1) folder.authorities[index * 100] = '{"sdu":'
  },
}

function membersOf(folder: Folder, topic: string): Json[] {
  return people(folder).filter(({ topics }) => topics.includes(topic))
}

function topicsBySize(folder: Folder): string[] {
  const sizes = new Map<string, number>()
  for (const { topics } of people(folder)) {
    for (const topic of topics) sizes.set(topic, (sizes.get(topic) ?? 0) + 1)
  }
  return [...sizes].sort(([, a], [, b]) => b - a).map(([topic]) => topic)
}

/** What shares of all do not show. */
const ofSingles: Damages = {
  'all texts are UTF-8 read as Latin-1': given(({ name, bio }) => {
    const [one, other] = [name, bio].map((text) => Buffer.from(`${text} é`).toString('latin1'))
    return { name: one, bio: other }
  }),
  'one bio in twenty is escaped for a page': given(({ bio }) => ({ bio: `${bio} &#39;s` }), 20),
  'one bio in twenty has lost characters': given(({ bio }) => ({ bio: `${bio} \ufffd` }), 20),
  'one bio in twenty holds HTML': given(({ bio }) => ({ bio: `<p>${bio}</p>` }), 20),
  'one country in twenty is "unknown"': given(() => ({ country_name: 'unknown' }), 20),
  'one country in twenty is "null"': given(() => ({ country_name: 'null' }), 20),
  'two topics of twenty are exchanged': (folder) => {
    const bySize = topicsBySize(folder)
    const one = bySize.findLast((topic) => membersOf(folder, topic).length >= 20)!
    const other = bySize[bySize.indexOf(one) - 1]!
    const exchange = (topic: string) => (topic === one ? other : topic === other ? one : topic)
    given(({ topics }) => ({ topics: [...new Set(topics.map(exchange))] }))(folder)
  },
  'half of the largest topic is gone': (folder) => {
    const [largest = ''] = topicsBySize(folder)
    membersOf(folder, largest).forEach((person, index) => {
      if (index % 2 === 0 && person.topics.length > 1) {
        person.topics = person.topics.filter((topic) => topic !== largest)
      }
    })
  },
  'a tenth of the people comes twice, under other SDUs': replaced('authorities', (lines) => {
    const twice = lines.filter((_, index) => index % 10 === 0)
    return [...lines, ...twice.map((line) => likeness(line, { sdu: `9${line.sdu}` }))]
  }),
  'weights of co-authors are times 1,000': replaced('connections', (lines) =>
    lines.map((line) => {
      const isCoauthor = line.kind === 'coauthor'
      return isCoauthor ? { ...line, weight: Number(line.weight ?? 1) * 1_000 } : line
    }),
  ),
  'connections of co-authors are gone': replaced('connections', (lines) =>
    lines.filter(({ kind }) => kind !== 'coauthor'),
  ),
  'a person has the name of a senator as a topic': (folder) =>
    void people(folder)[700]!.topics.unshift('Bill Cassidy'),
  'thirty new people endorse each other': joined(30, (index) => `77000${(index + 1) % 30}`),
  'a handle of a senator is in a new record, too, and not in his own any more': (folder) => {
    const owner = people(folder).find(({ socials }) => socials?.twitter !== undefined)!
    const socials = { twitter: owner.socials.twitter! }
    folder.authorities.push(likeness(owner, { sdu: '770001', name: 'New Person', socials }))
    owner.socials = {}
  },
  'a hundred people of one party are gone': replaced('authorities', (lines) => {
    const party = lines.filter(({ bio }) => String(bio).includes('Republican'))
    const gone = new Set(party.slice(0, 100))
    return lines.filter((line) => !gone.has(line))
  }),
  'every record was changed in 2999': given(() => ({ updated_at: '2999-01-01' })),
  'every record was changed today': given(() => ({ updated_at: '1970-01-01' })),
  'every country is "null"': given(() => ({ country_name: 'null' })),
  'everybody without a website has the same one': given(({ website }) => ({
    website: website ?? 'https://example.com',
  })),
  'a new topic of thirty people': given(
    ({ topics }) => ({ topics: [...topics, 'Lighthouses'] }),
    41,
  ),
  'three in a hundred are new, and follow those who are there': joined(
    37,
    (index, folder) => people(folder)[index * 30]!.sdu,
  ),
  'two records of one name become one': (folder) => {
    const [one, other] = people(folder).slice(-2) as [Json, Json]
    other.socials = { ...one.socials, ...other.socials }
    folder.authorities = folder.authorities.filter((person) => person !== one)
  },
}

const all: Damages = {
  ...ofFiles,
  ...ofPeople,
  ...ofTopicsAndConnections,
  ...ofSingles,
  ...ofEveryDay,
}

/** Each of them with what the refusal says, or why it is published all the same, as the table has it. */
export const damages = sectionsOf(new URL('damages.tsv', import.meta.url)).flatMap(({ rows }) =>
  rows.map(([name = '', end = '']) => {
    const said = end.startsWith('/') ? new RegExp(end.slice(1, -1)) : end
    return [name, all[name]!, said] as const
  }),
)
