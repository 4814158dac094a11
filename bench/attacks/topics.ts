/**
 * The topics that are attacked: of the default data, of communities with planted authorities, and of graphs of
 * co-authors. Each has its members, the ties among them, and a truth that no formula sees.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Random, Sampler } from '../../test/support/random.ts'
import { type Community, plant } from '../ranking/community.ts'

/** A member of a topic. */
export interface Member {
  readonly followers: number
  /** How much the topic is the member's own, by the record. */
  readonly weight: number
  /** Where a share s of the members is vetted, a member below s is. 0 to 1. */
  readonly lot: number
  /** The truth: planted skill, or the weight of the ties that were held out. */
  readonly worth: number
}

/** A connection between two members, by their numbers; `from` is the one who says so. */
export interface Tie {
  readonly from: number
  readonly to: number
  readonly weight: number
  readonly isSymmetric: boolean
  /** Whether a source says so that lies; else one of the others does. */
  readonly isLie?: boolean
}

/** Never changed: an attack makes another one of it. */
export interface Topic {
  readonly members: readonly Member[]
  readonly ties: readonly Tie[]
}

/** How many topics of each kind, and how large a community they are of. */
interface TopicPlan {
  readonly people: number
  readonly topicsEach: number
  readonly seed: number
}

/** The kinds of topics. */
export const worlds: Readonly<Record<string, (plan: TopicPlan) => Topic[]>> = {
  'default data': defaultTopics,
  communities: (plan) => middle(communityOf(plan), plan),
  'co-authors': (plan) => middle(coauthors(communityOf(plan), plan.seed), plan),
}

const membersPerTopic = 250
const heldOut = 0.3
const membersMin = 60
const source = join(import.meta.dirname, '../../snapshots/source')

function communityOf({ people, seed }: TopicPlan): Community {
  // Everybody has two or three topics.
  const topics = Math.max(2, Math.round((2.5 * people) / membersPerTopic))
  return plant({ people, others: 0, topics, habits: { noise: 0.1, fame: 0.1 }, seed })
}

/** The same people, tied by the papers that they write together: the skilled write more of them. */
function coauthors({ people, topics }: Community, seed: number): Community {
  const random = new Random(seed, 5)
  const pairs = new Map<string, number>()
  for (let topic = 0; topic < topics; topic += 1) {
    const skills = people.map((each) => each.topics.find((own) => own.topic === topic)?.skill ?? 0)
    const authors = new Sampler(skills)
    const papers = 2 * skills.filter((skill) => skill > 0).length
    for (let paper = 0; paper < papers; paper += 1) {
      const team = new Set(Array.from({ length: random.between(2, 5) }, () => authors.draw(random)))
      const sorted = [...team].sort((a, b) => a - b)
      for (const [at, from] of sorted.entries()) {
        for (const to of sorted.slice(at + 1)) {
          pairs.set(`${from} ${to}`, (pairs.get(`${from} ${to}`) ?? 0) + 1)
        }
      }
    }
  }
  const connections = Array.from(pairs, ([pair, weight]) => {
    const [from = 0, to = 0] = pair.split(' ').map(Number)
    return { from, to, weight, isSymmetric: true }
  })
  return { people, topics, connections }
}

/** The topics of a community whose size is nearest to the middle. */
function middle(community: Community, { topicsEach, seed }: TopicPlan): Topic[] {
  const sizes = Array.from({ length: community.topics }, (_, topic) => ({
    topic,
    size: community.people.filter(({ topics }) => topics.some((own) => own.topic === topic)).length,
  }))
  sizes.sort((a, b) => a.size - b.size || a.topic - b.topic)
  const first = Math.max(0, (sizes.length - topicsEach) >> 1)
  return sizes
    .slice(first, first + topicsEach)
    .map(({ topic }) => topicOf(community, topic, new Random(seed, 6 + topic)))
}

function topicOf({ people, connections }: Community, topic: number, random: Random): Topic {
  const numbers = new Map<number, number>()
  const members: Member[] = []
  for (const [person, { followers, topics }] of people.entries()) {
    const own = topics.find((each) => each.topic === topic)
    if (own === undefined) continue
    numbers.set(person, members.length)
    members.push({ followers, weight: own.weight, lot: random.fraction(), worth: own.skill })
  }
  return { members, ties: tiesAmong(connections, numbers) }
}

function tiesAmong<E>(
  connections: readonly (Omit<Tie, 'from' | 'to'> & { readonly from: E; readonly to: E })[],
  numbers: ReadonlyMap<E, number>,
): Tie[] {
  return connections.flatMap(({ from, to, weight, isSymmetric }) => {
    const [source, target] = [numbers.get(from), numbers.get(to)]
    if (source === undefined || target === undefined) return []
    return [{ from: source, to: target, weight, isSymmetric }]
  })
}

/** The largest topics of the default data that have ties; of these a part is held out as the truth. */
function defaultTopics({ topicsEach, seed }: TopicPlan): Topic[] {
  const people = recordsOf<{ sdu: string; topics: string[] }>('authorities')
  const connections = recordsOf<{ from: string; to: string; weight: number; kind: string }>(
    'connections',
  ).map((each) => ({ ...each, isSymmetric: each.kind !== 'mentions' && each.kind !== 'follows' }))
  const sizes = new Map<string, number>()
  for (const label of people.flatMap(({ topics }) => topics)) {
    sizes.set(label, (sizes.get(label) ?? 0) + 1)
  }
  return [...sizes]
    .filter(([, size]) => size >= membersMin)
    .sort((a, b) => b[1] - a[1])
    .map(([label]) => {
      const numbers = new Map<string, number>()
      const members: Omit<Member, 'worth'>[] = []
      const random = new Random(seed, 7)
      for (const { sdu, topics } of people) {
        const place = topics.indexOf(label)
        if (place < 0) continue
        numbers.set(sdu, members.length)
        members.push({ followers: 0, weight: 1 / (place + 1), lot: random.fraction() })
      }
      return { members, ties: tiesAmong(connections, numbers) }
    })
    .filter(({ ties }) => ties.length > 0)
    .slice(0, topicsEach)
    .map(({ members, ties }) => heldOutOf(members, ties, new Random(seed, 8)))
}

function recordsOf<T>(name: string): T[] {
  const text = readFileSync(join(source, `${name}.ndjson`), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function heldOutOf(members: readonly Omit<Member, 'worth'>[], ties: Tie[], random: Random): Topic {
  const worth = new Float64Array(members.length)
  const kept = ties.filter(({ from, to, weight, isSymmetric }) => {
    if (!random.chance(heldOut)) return true
    worth[to]! += weight
    if (isSymmetric) worth[from]! += weight
    return false
  })
  return {
    members: members.map((member, number) => ({ ...member, worth: worth[number]! })),
    ties: kept,
  }
}
