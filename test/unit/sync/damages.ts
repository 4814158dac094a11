/**
 * What can happen to a source between two syncs: kinds of damage, and of ordinary change, each with
 * what is to become of it and why. A damage that is published is one that no record shows: then the
 * reason says what the index has of it.
 */
import { limits } from '../../../src/limits.ts'

/** A line, of whatever file. */
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

/** One kind of damage or change. */
interface Damage {
  readonly name: string
  readonly apply: (folder: Folder) => void
  /** What the refusal says; absent where it is published. */
  readonly held?: RegExp
  /** Why it is published all the same. */
  readonly published?: string
}

type People = readonly Json[]

function people(folder: Folder): People {
  return folder.authorities as Json[]
}

function connections(folder: Folder): Json[] {
  return folder.connections as Json[]
}

/** Gives everybody what the next one of the file has. */
function rotated(folder: Folder, field: string): void {
  const values = people(folder).map((person) => person[field])
  people(folder).forEach((person, index) => {
    person[field] = values[(index + 1) % values.length]
  })
}

function each(change: (person: Json, index: number) => void): (folder: Folder) => void {
  return (folder) => people(folder).forEach(change)
}

function eachConnection(change: (connection: Json, index: number) => void) {
  return (folder: Folder) => connections(folder).forEach(change)
}

function half<T>(lines: readonly T[]): T[] {
  return lines.slice(0, lines.length / 2)
}

/** Exchanges two fields of everybody. */
function exchanged(one: string, other: string): (folder: Folder) => void {
  return each((person) => {
    const value = person[one]
    person[one] = person[other]
    person[other] = value
  })
}

/** Files that are gone, cut, doubled, or those of another. */
const ofFiles: readonly Damage[] = [
  {
    name: 'authorities.ndjson is empty',
    apply: (folder) => {
      folder.authorities = []
    },
    held: /connections have an end that no record has|no authority is left/,
  },
  {
    name: 'authorities.ndjson is cut in half',
    apply: (folder) => {
      folder.authorities = half(folder.authorities)
    },
    held: /authorities: 50.0 % gone|connections have an end that no record has/,
  },
  {
    name: 'a fourth of the authorities is gone',
    apply: (folder) => {
      folder.authorities = folder.authorities.filter((_, index) => index % 4 > 0)
    },
    held: /authorities: 25.0 % gone/,
  },
  {
    name: 'connections.ndjson is gone',
    apply: (folder) => {
      folder.connections = undefined
    },
    held: /peers: 100.0 % gone/,
  },
  {
    name: 'connections.ndjson is cut in half',
    apply: (folder) => {
      folder.connections = half(connections(folder))
    },
    held: /peers: \d+/,
  },
  {
    name: 'topics.ndjson is gone',
    apply: (folder) => {
      folder.topics = undefined
    },
    held: /aliases: 100.0 % gone/,
  },
  {
    name: 'topics.ndjson is no JSON',
    apply: (folder) => {
      folder.topics = folder.topics!.map(() => '<html>502 Bad Gateway</html>')
    },
    held: /topics.ndjson looks like a page of HTML/,
  },
  {
    name: 'authorities.ndjson holds connections',
    apply: (folder) => {
      folder.authorities = connections(folder)
    },
    held: /records rejected/,
  },
  {
    name: 'connections.ndjson holds authorities',
    apply: (folder) => {
      folder.connections = folder.authorities
    },
    held: /rejected/,
  },
  {
    name: 'every authority comes twice',
    apply: (folder) => {
      folder.authorities = [...folder.authorities, ...folder.authorities]
    },
    held: /records rejected/,
  },
  {
    name: 'one line in twenty is cut off',
    apply: (folder) => {
      folder.authorities = people(folder).map((person, index) =>
        index % 20 === 0 ? JSON.stringify(person).slice(0, 60) : person,
      )
    },
    held: /authorities rejected/,
  },
]

/** Fields of people that are blank, of others, or in the wrong place. */
const ofPeople: readonly Damage[] = [
  {
    name: 'every name is "undefined"',
    apply: each((person) => {
      person.name = 'undefined'
    }),
    held: /names: 99|names: 100/,
  },
  {
    name: 'one name in twelve is "undefined"',
    apply: each((person, index) => {
      if (index % 12 === 0) person.name = 'undefined'
    }),
    held: /one name: \d+/,
  },
  {
    name: 'names are of others',
    apply: (folder) => rotated(folder, 'name'),
    held: /names: 99|names: 100/,
  },
  {
    name: 'every name is blank',
    apply: each((person) => {
      person.name = ' '
    }),
    held: /records rejected/,
  },
  {
    name: 'names and bios are exchanged',
    apply: exchanged('name', 'bio'),
    held: /names: \d+|rejected/,
  },
  {
    name: 'countries and bios are exchanged',
    apply: exchanged('country_name', 'bio'),
    held: /bios: \d+/,
  },
  {
    name: 'all socials are gone',
    apply: each((person) => {
      person.socials = {}
    }),
    held: /handles: 79.2 % gone/,
  },
  {
    name: 'socials are of others',
    apply: (folder) => rotated(folder, 'socials'),
    held: /authorities rejected|handles: [\d.]+ % gone/,
  },
  {
    name: 'handles are on another platform',
    apply: each((person) => {
      const entries = Object.entries(person.socials)
      person.socials = Object.fromEntries(entries.map(([name, value]) => [`${name}-2`, value]))
    }),
    held: /handles: 79.2 % gone/,
  },
  {
    name: 'no social is verified',
    apply: each((person) => {
      for (const social of Object.values(person.socials)) social.verified = false
    }),
    held: /handles: 79.2 % gone/,
  },
  {
    name: 'all bios are gone',
    apply: each((person) => {
      person.bio = null
    }),
    held: /bios: 100.0 % changed/,
  },
  {
    name: 'bios are of others',
    apply: (folder) => rotated(folder, 'bio'),
    held: /bios: \d+/,
  },
  {
    name: 'all countries are gone',
    apply: each((person) => {
      person.country_name = ''
    }),
    held: /countries: 100.0 % changed/,
  },
  {
    name: 'all websites are gone',
    apply: each((person) => {
      person.website = null
    }),
    held: /websites: 100.0 % changed/,
  },
  {
    name: 'nobody is verified',
    apply: each((person) => {
      person.verified = false
    }),
    held: /no authority is left/,
  },
  {
    name: 'a third is not verified',
    apply: each((person, index) => {
      person.verified = index % 3 > 0
    }),
    held: /authorities: 33.4 % gone/,
  },
  {
    name: 'SDUs went through a double',
    apply: each((person) => {
      person.sdu = BigInt(Number(person.sdu)).toString()
    }),
    held: /authorities: \d+|connections have an end/,
  },
  {
    name: 'SDUs are numbers',
    apply: each((person) => {
      person.sdu = Number(person.sdu)
    }),
    held: /records rejected/,
  },
  {
    name: 'SDUs are of others',
    apply: (folder) => rotated(folder, 'sdu'),
    held: /names: 99|names: 100/,
  },
]

/** What is wrong with topics and connections. */
const ofTopicsAndConnections: readonly Damage[] = [
  {
    name: 'topics are of others',
    apply: (folder) => rotated(folder, 'topics'),
    held: /core topics: \d+/,
  },
  {
    name: 'topics stand in reverse order',
    apply: each((person) => {
      person.topics = [...person.topics].reverse()
    }),
    held: /core topics: \d+/,
  },
  {
    name: 'only the first topic is left',
    apply: each((person) => {
      person.topics = person.topics.slice(0, 1)
    }),
    held: /topics: \d+/,
  },
  {
    name: 'every topic has a prefix',
    apply: each((person) => {
      person.topics = person.topics.map((topic) => `topic ${topic}`)
    }),
    held: /topics: 100.0 % gone/,
  },
  {
    name: 'aliases are of the next topic',
    apply: (folder) => {
      const topics = folder.topics as Json[]
      const aliases = topics.map((topic) => topic.aliases)
      topics.forEach((topic, index) => {
        topic.aliases = aliases[(index + 1) % topics.length]!
      })
    },
    held: /aliases: \d+|topics rejected/,
  },
  {
    name: 'connections lead to others',
    apply: (folder) => {
      const ends = connections(folder).map(({ to }) => to)
      connections(folder).forEach((connection, index) => {
        connection.to = ends[(index + 9_973) % ends.length]
      })
    },
    held: /peers: \d+/,
  },
  {
    name: 'connections have ends of another index',
    apply: eachConnection((connection) => {
      connection.from = `9${connection.from}`
    }),
    held: /connections have an end that no record has/,
  },
  {
    name: 'weights are 1e-320',
    apply: eachConnection((connection) => {
      connection.weight = 1e-320
    }),
    held: /records rejected/,
  },
  {
    name: 'one weight is 1e308',
    apply: (folder) => {
      connections(folder)[0]!.weight = 1e308
    },
    published: 'the connection is rejected, the others stand',
  },
  {
    name: 'an outsider is connected with everybody by the largest weight',
    apply: (folder) => {
      const [first, ...others] = people(folder)
      for (const { sdu } of others) {
        const connection = { from: sdu, to: first!.sdu, weight: limits.weightMax, kind: 'follows' }
        folder.connections!.push(JSON.stringify(connection))
      }
    },
    held: /scores|first ten/,
  },
]

/** What happens to a source that is well. */
const ofEveryDay: readonly Damage[] = [
  {
    name: 'all files in reverse order',
    apply: (folder) => {
      folder.authorities.reverse()
      folder.connections!.reverse()
      folder.topics!.reverse()
    },
    published: 'the same records',
  },
  {
    name: 'every connection comes twice',
    apply: (folder) => {
      folder.connections = connections(folder).flatMap((connection) => [connection, connection])
    },
    published: 'endorsement is a share: twice of everything is the same',
  },
  {
    name: 'topics are written in capitals',
    apply: each((person) => {
      person.topics = person.topics.map((topic) => topic.toUpperCase())
    }),
    published: 'the same keys',
  },
  {
    name: 'five people are removed, and their connections are not',
    apply: (folder) => {
      folder.authorities.splice(100, 5)
    },
    published: 'connections whose end is gone are no fault of the source',
  },
  {
    name: 'one in twenty is gone, one in twenty has another name',
    apply: (folder) => {
      people(folder).forEach((person, index) => {
        if (index % 20 === 1) person.name = `${person.name} Junior`
      })
      folder.authorities = folder.authorities.filter((_, index) => index % 20 > 0)
    },
    published: 'within the limits',
  },
  {
    name: 'one in ten has no handle any more',
    apply: each((person, index) => {
      if (index % 10 === 0) person.socials = {}
    }),
    published: 'within the limits',
  },
  {
    name: 'ten lines are broken',
    apply: (folder) => {
      for (let index = 0; index < 10; index += 1) folder.authorities[index * 100] = '{"sdu":'
    },
    published: 'rejected, within the limits',
  },
]

/** Everybody who has a topic. */
function membersOf(folder: Folder, topic: string): Json[] {
  return people(folder).filter(({ topics }) => topics.includes(topic))
}

/** The topics by descending size. */
function topicsBySize(folder: Folder): string[] {
  const sizes = new Map<string, number>()
  for (const { topics } of people(folder)) {
    for (const topic of topics) sizes.set(topic, (sizes.get(topic) ?? 0) + 1)
  }
  return [...sizes].sort(([, a], [, b]) => b - a).map(([topic]) => topic)
}

/** What shares of all do not show. */
const ofSingles: readonly Damage[] = [
  {
    name: 'all texts are UTF-8 read as Latin-1',
    apply: each((person) => {
      for (const field of ['name', 'bio']) {
        person[field] = Buffer.from(`${person[field]} é`).toString('latin1')
      }
    }),
    held: /texts: 100.0 % spoiled/,
  },
  {
    name: 'one bio in twenty is escaped for a page',
    apply: each((person, index) => {
      if (index % 20 === 0) person.bio = `${person.bio} &#39;s`
    }),
    held: /texts: 5.0 % spoiled/,
  },
  {
    name: 'one bio in twenty has lost characters',
    apply: each((person, index) => {
      if (index % 20 === 0) person.bio = `${person.bio} \ufffd`
    }),
    held: /texts: 5.0 % spoiled/,
  },
  {
    name: 'one bio in twenty holds HTML',
    apply: each((person, index) => {
      if (index % 20 === 0) person.bio = `<p>${person.bio}</p>`
    }),
    held: /texts: 5.0 % spoiled/,
  },
  {
    name: 'one country in twenty is "unknown"',
    apply: each((person, index) => {
      if (index % 20 === 0) person.country_name = 'unknown'
    }),
    held: /texts: 5.0 % a placeholder now/,
  },
  {
    name: 'one country in twenty is "null"',
    apply: each((person, index) => {
      if (index % 20 === 0) person.country_name = 'null'
    }),
    held: /countries: 3.8 % gone/,
  },
  {
    name: 'two topics of twenty are exchanged',
    apply: (folder) => {
      const topics = topicsBySize(folder)
      const one = topics.findLast((topic) => membersOf(folder, topic).length >= 20)!
      const other = topics[topics.indexOf(one) - 1]!
      for (const person of people(folder)) {
        person.topics = [
          ...new Set(
            person.topics.map((topic) => (topic === one ? other : topic === other ? one : topic)),
          ),
        ]
      }
    },
    held: /members of .*: \d+/,
  },
  {
    name: 'half of the largest topic is gone',
    apply: (folder) => {
      const [largest = ''] = topicsBySize(folder)
      membersOf(folder, largest).forEach((person, index) => {
        if (index % 2 === 0 && person.topics.length > 1) {
          person.topics = person.topics.filter((topic) => topic !== largest)
        }
      })
    },
    held: /members of .*: \d+/,
  },
  {
    name: 'a tenth of the people comes twice, under other SDUs',
    apply: (folder) => {
      const twice = people(folder).filter((_, index) => index % 10 === 0)
      folder.authorities = [
        ...folder.authorities,
        ...twice.map((person) => ({
          ...person,
          sdu: `9${person.sdu}`,
          socials: {},
          identifiers: {},
        })),
      ]
    },
    held: /people: 10.0 % new by the name of another/,
  },
  {
    name: 'weights of co-authors are times 1,000',
    apply: eachConnection((connection) => {
      if (connection.kind === 'coauthor') connection.weight = Number(connection.weight ?? 1) * 1_000
    }),
    published: 'they have connections of no other kind: every share is the same',
  },
  {
    name: 'connections of co-authors are gone',
    apply: (folder) => {
      folder.connections = connections(folder).filter(({ kind }) => kind !== 'coauthor')
    },
    held: /endorsements of one kind: 100.0 % gone/,
  },
  {
    name: 'a person has the name of a senator as a topic',
    apply: (folder) => {
      people(folder)[700]!.topics = ['Bill Cassidy', ...people(folder)[700]!.topics]
    },
    held: /topics are called like some of the 1000 best now: Bill Cassidy/,
  },
  {
    name: 'thirty new people endorse each other',
    apply: (folder) => {
      for (let index = 0; index < 30; index += 1) {
        folder.authorities.push({
          ...people(folder)[0]!,
          ...{ sdu: `77000${index}`, name: `New Person${index}`, socials: {}, identifiers: {} },
        })
        connections(folder).push({
          ...connections(folder)[0]!,
          ...{ from: `77000${index}`, to: `77000${(index + 1) % 30}`, kind: 'follows' },
        })
      }
    },
    held: /new people: 30 connected with new ones only/,
  },
  {
    name: 'a handle of a senator is in a new record, too, and not in his own any more',
    apply: (folder) => {
      const owner = people(folder).find(({ socials }) => socials?.twitter !== undefined)!
      const socials = { twitter: owner.socials.twitter! }
      folder.authorities.push({
        ...owner,
        sdu: '770001',
        name: 'New Person',
        socials,
        identifiers: {},
      })
      owner.socials = {}
    },
    held: /handles of the 1000 best or of new records have other owners: twitter:/,
  },
  {
    name: 'a hundred people of one party are gone',
    apply: (folder) => {
      const party = people(folder).filter(({ bio }) => String(bio).includes('Republican'))
      const gone = new Set(party.slice(0, 100))
      folder.authorities = people(folder).filter((person) => !gone.has(person))
    },
    held: /people with the word republican: 36.5 % gone/,
  },
  {
    name: 'every record was changed in 2999',
    apply: each((person) => {
      person.updated_at = '2999-01-01'
    }),
    held: /records: 100.0 % of a date in the future/,
  },
  {
    name: 'every record was changed today',
    apply: each((person) => {
      person.updated_at = '1970-01-01'
    }),
    published: 'a source may begin to say when',
  },
  {
    name: 'every country is "null"',
    apply: each((person) => {
      person.country_name = 'null'
    }),
    held: /countries: 100.0 % changed/,
  },
  {
    name: 'everybody without a website has the same one',
    apply: each((person) => {
      person.website ??= 'https://example.com'
    }),
    held: /one website: \d+.\d % more have it/,
  },
  {
    name: 'a new topic of thirty people',
    apply: (folder) => {
      people(folder).forEach((person, index) => {
        if (index % 41 === 0) person.topics = [...person.topics, 'Lighthouses']
      })
    },
    published: 'topics may be new',
  },
  {
    name: 'three in a hundred are new, and follow those who are there',
    apply: (folder) => {
      for (let index = 0; index < 37; index += 1) {
        const like = people(folder)[index * 30]!
        folder.authorities.push({
          ...like,
          ...{ sdu: `77000${index}`, name: `New Person${index}`, socials: {}, identifiers: {} },
        })
        connections(folder).push({
          ...connections(folder)[0]!,
          ...{ from: `77000${index}`, to: like.sdu, kind: 'follows' },
        })
      }
    },
    published: 'within the limits, and each is tied to somebody',
  },
  {
    name: 'two records of one name become one',
    apply: (folder) => {
      const [one, other] = people(folder).slice(-2) as [Json, Json]
      other.socials = { ...one.socials, ...other.socials }
      folder.authorities = folder.authorities.filter((person) => person !== one)
    },
    published: 'a merged person takes no handle from anybody',
  },
]

/** All of them. */
export const damages: readonly Damage[] = [
  ...ofFiles,
  ...ofPeople,
  ...ofTopicsAndConnections,
  ...ofSingles,
  ...ofEveryDay,
]
