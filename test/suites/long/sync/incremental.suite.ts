/** Incremental syncs: whatever changed since the sync before, they make the snapshot and the rejects of a full one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRemovals } from '../../../../src/snapshot/store/removals.ts'
import type { SyncOptions } from '../../../../src/sync/sync.ts'
import { Random } from '../../../support/random.ts'
import { type SourceLines, SyncedInProcess } from '../../../support/synced-in-process.ts'
import { incremental, loose, takenIn } from '../../../support/synced-incremental.ts'

const why = { reason: 'asked', at: '2026-11-01T00:00:00.000Z' }
/** Spellings of the same topics, countries and values: the first that is read is the one that is shown. */
const topics = ['Rust', 'Rust', 'Rust', 'RUST', 'Machine Learning', 'machine learning', 'Law']
const countries = ['Germany', 'Germany', 'Deutschland', 'France', '']
const bios = [
  'Senator for Maine (Independent).',
  'Chair of the Committee on Finance since 2020.',
  'Leads the Institute of Physics and writes.',
  'Writes about boats.',
]
const names = ['Ann Lee', 'Аnn Lee', '山田 太郎', 'Bob Fox', 'Eve', 'Zoë Núñez']

type Person = Record<string, unknown>

/** A person who shares handles, spellings, sources and words with others, and whose record may be wrong. */
function personOf(random: Random, sdu: number): Person {
  const maybe = (share: number, fields: Person) => (random.chance(share) ? fields : {})
  const first = random.pick(topics)
  return {
    sdu: String(sdu),
    name: random.chance(0.5) ? random.pick(names) : `Person ${random.below(30)}`,
    bio: random.pick(bios),
    country_name: random.pick(countries),
    topics: random.chance(0.5) ? [first] : [{ topic: first, weight: 3 }, `Field ${sdu % 5}`],
    socials: {
      github: { handle: `p${random.chance(0.1) ? random.below(4) : sdu}`, followers: sdu * 7 },
      ...maybe(0.3, { twitter: { handle: `@T${sdu}`, verified: random.chance(0.8) } }),
    },
    ...maybe(0.2, { also_known_as: ['A. Lee', '李安'] }),
    ...maybe(0.2, { attributes: { party: random.pick(['Independent', 'independent', 'Green']) } }),
    ...maybe(0.3, { source: `https://${random.below(3)}.example`, licence: 'CC0' }),
    ...maybe(0.3, { verified_by: random.pick(['passport', 'dns']) }),
    ...maybe(0.1, { identifiers: { wikidata: `Q${random.below(9) + 1}` } }),
    ...maybe(0.1, { authority_score: random.below(100) }),
    ...maybe(0.05, { verified: false }),
    ...maybe(0.05, { website: 'no address' }),
    ...maybe(0.03, { name: '' }),
    ...maybe(0.02, { topics: ['!'] }),
  }
}

function connectionOf(random: Random, people: number): Person {
  const end = () =>
    random.chance(0.1) ? `github:p${random.below(people + 9)}` : String(1 + random.below(people))
  return { from: end(), to: end(), weight: random.pick([undefined, 2, 1 / 3]) }
}

/** A source, and what becomes of it: at each call some people leave, come, change or stand elsewhere. */
class Changing {
  readonly #random: Random
  readonly #people: Person[]
  #connections: Person[]
  #next: number

  constructor(seed: number) {
    this.#random = new Random(seed, 3)
    const count = this.#random.between(20, 60)
    this.#people = Array.from({ length: count }, (_, at) => personOf(this.#random, at + 1))
    this.#connections = this.#manyConnections()
    this.#next = count + 1
  }

  change(): void {
    const random = this.#random
    for (let changes = random.below(6); changes > 0; changes -= 1) {
      const at = random.below(this.#people.length)
      const kind = random.below(5)
      if (kind === 0 && this.#people.length > 3) this.#people.splice(at, 1)
      if (kind === 1) this.#people.splice(at, 0, personOf(random, this.#next++))
      if (kind === 2) this.#people[at] = personOf(random, Number(this.#people[at]!.sdu))
      if (kind === 3) this.#people.push(...this.#people.splice(at, 1))
      if (kind === 4) this.#people.push({ ...this.#people[at] })
    }
    if (random.chance(0.15)) this.#connections = this.#manyConnections()
    else this.#changeConnections()
  }

  /** Few of them, so that most pieces of their lines are known. */
  #changeConnections(): void {
    const random = this.#random
    const connections = this.#connections
    for (let changes = random.below(4); changes > 0; changes -= 1) {
      const at = random.below(connections.length + 1)
      const kind = random.below(4)
      if (kind === 0) connections.splice(at, 1)
      if (kind === 1) connections.splice(at, 0, connectionOf(random, this.#people.length))
      if (kind === 2) connections.splice(at, 1, {})
      if (kind === 3) connections.push(...connections.splice(at, 20))
    }
  }

  lines(): SourceLines {
    const { sdu } = this.#people[0]!
    const corrections = this.#random.chance(0.3)
      ? [{ sdu, source: 'her letter', date: '2026-01-01', set: { bio: 'Right.' } }]
      : []
    return {
      authorities: ['', ...this.#people, '{"sdu":'],
      topics: [{ topic: 'Law', aliases: ['Jura'] }],
      connections: this.#connections,
      corrections,
    }
  }

  #manyConnections(): Person[] {
    const { length } = this.#people
    return Array.from({ length: this.#random.below(200) }, () => connectionOf(this.#random, length))
  }
}

/** All that a sync published and did not take. */
async function outcome(place: SyncedInProcess, files: SourceLines, more: Partial<SyncOptions>) {
  const { notes, ...result } = await place.sync(files, more)
  if (result.refusal !== undefined) return { refusal: result.refusal, notes }
  const rejects = readFileSync(join(place.snapshots, 'rejects.ndjson'), 'utf8')
  return { id: result.id, bytes: readFileSync(result.path), rejects, notes, counts: result.rejects }
}

/** Syncs the same changes twice, full and incremental; how many people were taken again in all. */
async function compare(seed: number, more: Partial<SyncOptions> = {}): Promise<number> {
  const source = new Changing(seed)
  const [full, kept] = [new SyncedInProcess(), new SyncedInProcess()]
  let taken = 0
  for (let round = 0; round < 4; round += 1) {
    const files = source.lines()
    if (round === 2 && seed % 3 === 0) for (const each of [full, kept]) removeFirst(each, files)
    const expected = await outcome(full, files, { ...loose, ...more })
    const { notes, ...made } = await outcome(kept, files, { ...incremental, ...more })
    const what = `seed ${seed}, round ${round}`
    expect(made.bytes?.equals(expected.bytes!), what).toBe(true)
    expect(made, what).toEqual({ ...made, ...(({ notes: _, ...rest }) => rest)(expected) })
    taken += takenIn(notes) ?? 0
    source.change()
  }
  return taken
}

function removeFirst({ snapshots }: SyncedInProcess, { authorities }: SourceLines): void {
  const { sdu, socials } = authorities![1] as { sdu: string; socials: Person }
  const { handle } = socials.github as { handle: string }
  readRemovals(snapshots, '1'.repeat(64))
    .with({ sdu, handles: [`github:${handle}`] }, why)
    .write(snapshots)
}

describe('an incremental sync', () => {
  it.each([
    ['as usual', {}],
    ['with vetted people and a bound on sources', { vetted: ['passport'], sourceShareMax: 0.5 }],
    ['of a register, whatever names look like', { trust: ['weights'], lookalikes: 'off' }],
  ] satisfies [string, Partial<SyncOptions>][])(
    'makes the bytes and rejects of a full one after any changes, %s',
    async (_, more) => {
      let taken = 0
      for (const seed of [2, 3]) taken += await compare(seed, more)
      // Else all of them were read, and nothing is shown.
      expect(taken).toBeGreaterThan(50)
    },
  )
})
