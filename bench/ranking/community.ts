/**
 * Communities whose authorities are planted: how good each member of each topic is comes first, and lists,
 * followers and connections follow from it, with noise. No order that is measured sees how good anybody is.
 */
import { Random, Sampler, zipf } from '../../test/support/random.ts'

/** Who is followed: of all connections the shares that go to anybody, and to the famous. */
interface Habits {
  readonly noise: number
  readonly fame: number
}

export interface Plan {
  readonly people: number
  /** For each of them so many others, whose handles nobody owns. */
  readonly others: number
  readonly topics: number
  readonly habits: Habits
  readonly seed: number
}

/** How much a topic is somebody's own, and how good he is at it. */
interface Membership {
  readonly topic: number
  readonly weight: number
  readonly skill: number
}

export interface Person {
  readonly followers: number
  /** The first is the core topic. */
  readonly topics: readonly Membership[]
}

/** Ends below 0 are handles that nobody owns: −1, −2, … */
export interface Connection {
  readonly from: number
  readonly to: number
  readonly weight: number
  readonly isSymmetric: boolean
}

/** Never changed: a farm makes another one of it. */
export interface Community {
  readonly topics: number
  readonly people: readonly Person[]
  readonly connections: readonly Connection[]
}

const topicsPerPersonMax = 4
const connectionsPer = 20
/** Of all connections: to a handle that is nobody's and endorses nobody, and between equals. */
const toHandles = 0.1
const handles = 1000
/** The handles of the others are below this. */
const firstOther = -10_000
const symmetric = 0.25

export function plant(plan: Plan): Community {
  const { topics, seed } = plan
  const natures = peopleOf(plan, new Random(seed, 1))
  const choice = new Choice(plan, natures)
  const random = new Random(seed, 2)
  const connections = natures.flatMap((_, from) => {
    const count = Math.ceil(connectionsPer * Math.exp(0.8 * random.normal() - 0.32))
    return Array.from({ length: count }, () => connect(random, from, choice))
  })
  const known = natures.slice(0, plan.people)
  const endOf = (end: number) => (end < plan.people ? end : firstOther - end)
  return {
    topics,
    people: known.map(({ person }) => person),
    connections: connections
      .filter(({ from, to }) => from !== to)
      .map((each) => ({ ...each, from: endOf(each.from), to: endOf(each.to) })),
  }
}

interface Nature {
  readonly person: Person
  /** How much he is seen outside his topics. */
  readonly fame: number
}

/** Ability makes skill in every topic, and a part of fame; lists and followers tell of both, badly. */
function peopleOf({ people, others, topics }: Plan, random: Random): Nature[] {
  const popularity = zipf(topics, 0.7)
  return Array.from({ length: people * (1 + others) }, () => {
    const ability = random.normal()
    const fame = 0.5 * ability + 0.87 * random.normal()
    const chosen = new Set<number>()
    const count = Math.min(topics, random.between(1, topicsPerPersonMax))
    while (chosen.size < count) chosen.add(popularity.draw(random))
    const memberships = Array.from(chosen, (topic) => {
      const skill = Math.exp(0.6 * ability + 0.8 * random.normal())
      return { topic, skill, interest: skill * Math.exp(random.normal()) }
    })
    memberships.sort((a, b) => b.interest - a.interest)
    const listed = memberships.map(({ topic, skill }, at) => ({
      topic,
      skill,
      weight: 1 / (at + 1),
    }))
    const followers = Math.round(2000 * Math.exp(1.5 * fame + 0.8 * random.normal()))
    return { person: { followers, topics: listed }, fame: Math.exp(fame) }
  })
}

function connect(random: Random, from: number, choice: Choice): Connection {
  const to = random.chance(toHandles) ? -1 - random.below(handles) : choice.of(from, random)
  const isSymmetric = to >= 0 && random.chance(symmetric)
  return { from, to, weight: isSymmetric ? random.between(1, 5) : 1, isSymmetric }
}

class Choice {
  readonly #habits: Habits
  readonly #natures: readonly Nature[]
  readonly #famous: Sampler
  readonly #members: readonly Members[]

  constructor({ topics, habits }: Plan, natures: readonly Nature[]) {
    this.#habits = habits
    this.#natures = natures
    this.#famous = new Sampler(natures.map(({ fame }) => fame))
    this.#members = membersOf(natures, topics)
  }

  /** Anybody, somebody famous, or somebody of a topic of his own. */
  of(from: number, random: Random): number {
    const { noise, fame } = this.#habits
    const habit = random.fraction()
    if (habit < noise) return random.below(this.#natures.length)
    if (habit < noise + fame) return this.#famous.draw(random)
    const own = this.#natures[from]!.person.topics
    const { topic, skill } = own[Math.min(random.below(own.length), random.below(own.length))]!
    return this.#members[topic]!.choose(skill, random)
  }
}

/** The members of a topic, as those see them who choose among them. */
class Members {
  readonly #people: readonly number[]
  readonly #skilled: Sampler
  readonly #famous: Sampler

  constructor(people: readonly number[], skills: readonly number[], fames: readonly number[]) {
    this.#people = people
    this.#skilled = new Sampler(skills)
    this.#famous = new Sampler(fames)
  }

  /** The better somebody is himself, the more often he takes another for his skill, else for his fame. */
  choose(skill: number, random: Random): number {
    const sampler = random.chance(skill / (1 + skill)) ? this.#skilled : this.#famous
    return this.#people[sampler.draw(random)]!
  }
}

function membersOf(natures: readonly Nature[], topics: number): Members[] {
  const rows = Array.from({ length: topics }, () => ({
    people: [] as number[],
    skills: [] as number[],
    fames: [] as number[],
  }))
  for (const [number, { person, fame }] of natures.entries()) {
    for (const { topic, skill } of person.topics) {
      const row = rows[topic]!
      row.people.push(number)
      row.skills.push(skill)
      row.fames.push(fame)
    }
  }
  return rows.map(({ people, skills, fames }) => new Members(people, skills, fames))
}
