/**
 * The index as a model: what each request must answer, worked out from the records with maps, sets and loops over
 * everything. It shares with the product only definitions: the analyzer and the keys of handles.
 */

import type { AuthorityRecord, ConnectionRecord } from '../../src/source/schema.ts'
import { termsOf, topicKey } from '../../src/text/analyzer.ts'
import { parseHandle, type ReadHandle, readHandle, readIdentifier } from '../../src/text/handle.ts'
import { isStopWord } from '../../src/text/stop-words.ts'
import { type ExpectedFound, SearchModel } from './oracle-search.ts'
import { type Records, recordsOf } from './records.ts'

export interface Person {
  readonly record: AuthorityRecord
  /** Keys of the topics with their weights, core first. */
  readonly topics: ReadonlyMap<string, number>
  /** Verified, and in no earlier claim. */
  readonly socials: AuthorityRecord['socials']
}

/** A member of a topic with the value that orders it; values that are equal but for rounding tie. */
export interface Ranked {
  readonly person: Person
  readonly value: number
}

export type Expected =
  | { readonly way: 'identity'; readonly people: readonly Person[] }
  | ExpectedFound<Person>

interface Arc {
  readonly from: string
  readonly to: string
  readonly weight: number
}

const damping = 0.85
const peersMax = 50
const symmetricKinds = ['co_membership', 'coauthor', 'collaborates']

export class Oracle {
  /** By descending authority score, ties by SDU as a number. */
  readonly people: readonly Person[]
  readonly arrived: readonly Person[]
  readonly #labels = new Map<string, string>()
  readonly #aliases = new Map<string, string>()
  readonly #declared = new Set<string>()
  /** Aliases that are labels. */
  readonly #taken: { readonly alias: string; readonly topic: string }[] = []
  readonly #owners = new Map<string, Person>()
  readonly #contested: string[] = []
  readonly #arcs: readonly Arc[]
  readonly #prior: ReadonlyMap<string, number>
  readonly #mass: ReadonlyMap<string, number>
  readonly #scores: ReadonlyMap<Person, number>
  readonly #search: SearchModel<Person>

  constructor(partial: Partial<Records>) {
    const records = recordsOf(partial)
    const taken = this.#takeAuthorities(records.authorities)
    this.#takeAliases(records)
    this.#arcs = bounded(records.connections.flatMap((each) => this.#arcsOf(each, taken)))
    this.#prior = this.#priorOf(taken)
    this.#mass = pageRank(this.#prior, this.#arcs)
    this.#scores = new Map(taken.map((person) => [person, this.#scoreOf(person, taken)]))
    this.arrived = taken
    this.people = [...taken].sort((a, b) => this.#compare(a, b))
    this.#search = new SearchModel(this.people, this.#topicModels())
  }

  get topics(): readonly string[] {
    return [...this.#labels.keys()]
  }

  topicOf(key: string): string | undefined {
    return this.#labels.has(key) ? key : this.#aliases.get(key)
  }

  labelOf(key: string): string {
    return this.#labels.get(key)!
  }

  aliasesOf(key: string): string[] {
    return [...this.#aliases].filter(([, topic]) => topic === key).map(([alias]) => alias)
  }

  /** Every claim that somebody owns, `platform:key`. */
  get ownedClaims(): readonly string[] {
    return [...this.#owners.keys()]
  }

  person(sdu: string): Person | undefined {
    return this.people.find(({ record }) => record.sdu === sdu)
  }

  /** The members of a topic by PageRank on its own graph (DESIGN §4); the values sum to 1. */
  ranking(key: string): Ranked[] {
    const members = this.people.filter(({ topics }) => topics.has(key))
    const weights = new Map(members.map((each) => [each.record.sdu, each.topics.get(key)!]))
    const priors = members.map(({ record }) => this.#prior.get(record.sdu)!).sort((a, b) => a - b)
    const most = priors[Math.ceil(0.99 * priors.length) - 1]!
    const own = [...weights].map(
      ([sdu, weight]) => [sdu, weight * Math.min(most, this.#prior.get(sdu)!)] as const,
    )
    const total = sum(own.map(([, value]) => value))
    const arcs = this.#arcs
      .filter(({ from, to }) => weights.has(from) && weights.has(to))
      .map((arc) => ({ ...arc, weight: arc.weight * weights.get(arc.to)! }))
    const shares = pageRank(new Map(own.map(([sdu, value]) => [sdu, value / total])), arcs)
    return members
      .map((person) => ({ person, value: shares.get(person.record.sdu)! }))
      .sort((a, b) => b.value - a.value)
  }

  search(query: string): Expected {
    const people = this.#named(query)
    return people === undefined ? this.#search.search(query) : { way: 'identity', people }
  }

  /** Who is named by a handle, an address or an SDU; undefined where the text is none. */
  #named(query: string): Person[] | undefined {
    const asked = query.split(/\s+/).filter((each) => each !== '')
    const [only, another] = asked.length < 2 ? asked : asked.filter((each) => !isGlue(each))
    if (only === undefined || another !== undefined) return undefined
    const text = only.replace(/[?!.,;]+$/, '')
    const person = this.person(text)
    if (person !== undefined) return [person]
    const { platform } = parseHandle(text)
    const platforms = new Set(this.#knownClaims().map((claim) => claim.split(':')[0]))
    const isAddress = text.startsWith('https://') || (platform !== undefined && text.includes('/'))
    const isNamed = text.includes(':') && platform !== undefined && platforms.has(platform)
    return text.includes('@') || isAddress || isNamed ? this.owners(text) : undefined
  }

  #topicModels() {
    return [...this.#labels.keys()].map((key) => {
      const ranking = this.ranking(key)
      return {
        key,
        keys: [key, ...this.aliasesOf(key)],
        isDeclared: this.#declared.has(key),
        taken: this.#taken.flatMap(({ alias, topic }, at) =>
          topic === key ? [{ alias, at }] : [],
        ),
        shares: new Map(ranking.map(({ person, value }) => [person, value])),
      }
    })
  }

  /** Who is connected with any owner of the handle, or with the handle itself, by score. */
  peers(handle: string): Person[] {
    const nodes = new Set(this.#claims(handle).map((claim) => this.#nodeOfClaim(claim)))
    const connected = new Set<string>()
    for (const { from, to } of this.#arcs) {
      if (nodes.has(from)) connected.add(to)
      if (nodes.has(to)) connected.add(from)
    }
    return this.people
      .filter(({ record }) => connected.has(record.sdu) && !nodes.has(record.sdu))
      .slice(0, peersMax)
  }

  /** Who owns the handle on any platform, or on the one that it names, by score. */
  owners(handle: string): Person[] {
    const owners = this.#claims(handle).map((claim) => this.#owners.get(claim))
    return this.people.filter((person) => owners.includes(person))
  }

  summary({ record, topics }: Person, rank: number) {
    const [core = ''] = topics.keys()
    return {
      sdu: record.sdu,
      name: record.name,
      rank,
      country_name: record.countryName,
      topic: this.#labels.get(core),
    }
  }

  profile(person: Person) {
    const { sdu, name, bio, countryName, website, attributes } = person.record
    const valuesOf = (key: string) =>
      attributes.filter((each) => each.key === key).map(({ value }) => value)
    const said = Object.fromEntries(attributes.map(({ key }) => [key, valuesOf(key)]))
    return {
      sdu,
      name,
      bio,
      country: countryName,
      topics: [...person.topics.keys()].map((key) => this.#labels.get(key)),
      socials: Object.fromEntries(
        person.socials.map(({ platform, handle, followers }) => [platform, { handle, followers }]),
      ),
      authority_score: this.#scores.get(person)! / 100,
      ...(attributes.length > 0 && { attributes: said }),
      website,
    }
  }

  #takeAuthorities(authorities: readonly AuthorityRecord[]): Person[] {
    const known = new Set<string>()
    const taken: Person[] = []
    for (const record of authorities) {
      const blank = record.topics.some(({ topic }) => topicKey(topic) === '')
      if (known.has(record.sdu) || blank) continue
      known.add(record.sdu)
      if (!record.verified) continue
      const topics = new Map<string, number>()
      record.topics.forEach(({ topic, weight }, position) => {
        const key = topicKey(topic)
        if (!this.#labels.has(key)) this.#labels.set(key, topic)
        if (!topics.has(key)) topics.set(key, weight ?? 1 / (1 + position))
      })
      const largest = Math.max(...topics.values())
      for (const [key, weight] of topics) topics.set(key, weight / Math.max(1, largest))
      taken.push({ record, topics, socials: record.socials.filter((each) => each.verified) })
    }
    return this.#settled(taken)
  }

  /** What several claim is nobody's. */
  #settled(taken: readonly Person[]): Person[] {
    const claimants = new Map<string, Set<string>>()
    const claimsOf = ({ record, socials }: Person) => [
      ...socials.map(claimOf),
      ...record.identifiers.map(({ scheme, value }) => written(readIdentifier(scheme, value))),
    ]
    for (const person of taken) {
      for (const claim of claimsOf(person)) {
        claimants.set(claim, (claimants.get(claim) ?? new Set()).add(person.record.sdu))
      }
    }
    const isTheirs = (claim: string) => claimants.get(claim)!.size === 1
    for (const claim of claimants.keys()) if (!isTheirs(claim)) this.#contested.push(claim)
    return taken.map((person) => {
      const settled = {
        ...person,
        socials: person.socials.filter((each) => isTheirs(claimOf(each))),
      }
      for (const claim of claimsOf(person)) if (isTheirs(claim)) this.#owners.set(claim, settled)
      return settled
    })
  }

  #takeAliases({ topics }: Records): void {
    for (const { topic, aliases } of topics) {
      if (!this.#labels.has(topicKey(topic))) continue
      this.#declared.add(topicKey(topic))
      for (const alias of aliases.map(topicKey)) {
        if (this.#labels.has(alias)) this.#taken.push({ alias, topic: topicKey(topic) })
        if (alias === '' || this.#labels.has(alias) || this.#aliases.has(alias)) continue
        this.#aliases.set(alias, topicKey(topic))
      }
    }
  }

  /** Both directions of a symmetric connection; none of one that has an unknown end, or one end. */
  #arcsOf({ from, to, weight, kind }: ConnectionRecord, taken: readonly Person[]): Arc[] {
    const [source, target] = [from, to].map((end) => {
      if (end.includes(':')) return this.#nodeOfClaim(end)
      return taken.some(({ record }) => record.sdu === end) ? end : undefined
    })
    if (source === undefined || target === undefined || source === target) return []
    const arc = { from: source, to: target, weight }
    return symmetricKinds.includes(kind) ? [arc, { from: target, to: source, weight }] : [arc]
  }

  /** An owner by SDU, a handle that nobody owns by itself. */
  #nodeOfClaim(claim: string): string {
    return this.#owners.get(claim)?.record.sdu ?? claim
  }

  #priorOf(taken: readonly Person[]): Map<string, number> {
    const prior = new Map<string, number>()
    for (const { record, socials } of taken) {
      prior.set(record.sdu, 1 + Math.log(1 + sum(socials.map(({ followers }) => followers))))
    }
    for (const node of this.#arcs.flatMap(({ from, to }) => [from, to])) {
      if (!prior.has(node)) prior.set(node, 0)
    }
    const total = sum([...prior.values()])
    return new Map([...prior].map(([node, value]) => [node, value / total]))
  }

  /** In hundredths: the record's own, else the mass on a logarithmic scale whose top is 100. */
  #scoreOf({ record }: Person, taken: readonly Person[]): number {
    if (record.authorityScore !== undefined) return Math.round(record.authorityScore * 100)
    const relative = (sdu: string) => Math.log(1 + taken.length * this.#mass.get(sdu)!)
    const highest = Math.max(...taken.map((each) => relative(each.record.sdu)))
    return Math.round((10_000 * relative(record.sdu)) / highest)
  }

  #compare(a: Person, b: Person): number {
    const byScore = this.#scores.get(b)! - this.#scores.get(a)!
    if (byScore !== 0) return byScore
    const [x, y] = [BigInt(a.record.sdu), BigInt(b.record.sdu)]
    return x < y ? -1 : x > y ? 1 : a.record.sdu.length - b.record.sdu.length
  }

  #knownClaims(): string[] {
    const ends = this.#arcs.flatMap(({ from, to }) => [from, to])
    return [...this.#owners.keys(), ...this.#contested, ...ends.filter((end) => end.includes(':'))]
  }

  /** The claims that a handle as typed may mean: `platform:key`, known or not. */
  #claims(handle: string): string[] {
    const { platform, key } = parseHandle(handle)
    const wanted = this.#knownClaims().filter(
      (claim) => claim.slice(claim.indexOf(':') + 1) === key,
    )
    return wanted.filter((claim) => platform === undefined || claim === `${platform}:${key}`)
  }
}

function isGlue(token: string): boolean {
  return termsOf(token).every(isStopWord)
}

function claimOf({ platform, handle }: { platform: string; handle: string }): string {
  return written(readHandle(platform, handle))
}

function written({ handle, reason }: ReadHandle): string {
  if (handle === undefined) throw new Error(`a record has a handle that ${reason}`)
  return `${handle.platform}:${handle.key}`
}

function outWeight(arcs: readonly Arc[], node: string): number {
  return sum(arcs.filter(({ from }) => from === node).map(({ weight }) => weight))
}

/** What one node gives another is at most 10 in all. */
function bounded(arcs: readonly Arc[]): Arc[] {
  return arcs.map((arc) => {
    const same = arcs.filter(({ from, to }) => from === arc.from && to === arc.to)
    const given = sum(same.map(({ weight }) => weight))
    return { ...arc, weight: arc.weight * Math.min(1, 10 / given) }
  })
}

/** Weighted PageRank from the prior on, until the masses move by less than 1e-10 in sum. */
function pageRank(prior: ReadonlyMap<string, number>, arcs: readonly Arc[]): Map<string, number> {
  const totals = new Map([...prior.keys()].map((node) => [node, outWeight(arcs, node)]))
  let mass = new Map(prior)
  for (let round = 0, change = 1; round < 200 && change >= 1e-10; round += 1) {
    const dangling = sum([...mass].map(([node, value]) => (totals.get(node) === 0 ? value : 0)))
    const next = new Map<string, number>()
    for (const [node, share] of prior) {
      next.set(node, share * (1 - damping + damping * dangling))
    }
    for (const { from, to, weight } of arcs) {
      const passed = (mass.get(from)! * weight) / totals.get(from)!
      next.set(to, next.get(to)! + damping * passed)
    }
    change = sum([...next].map(([node, value]) => Math.abs(value - mass.get(node)!)))
    mass = next
  }
  return mass
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
