/**
 * Incremental syncs: whatever changed since the sync before, and whatever became of what that one kept, they make the
 * snapshot and the rejects of a full one.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readRemovals } from '../../../src/snapshot/store/removals.ts'
import { recordRemoval } from '../../../src/sync/removals/forgetting.ts'
import type { SyncOptions } from '../../../src/sync/sync.ts'
import { Random } from '../../support/random.ts'
import { type SourceLines, SyncedInProcess } from '../../support/synced-in-process.ts'

const loose = {
  ...{ rejectShareMax: 1, fileRejectShareMax: 1, danglingShareMax: 1 },
  ...{ createdAt: '2026-01-01T00:00:00Z', force: true, keep: 1 },
} satisfies Partial<SyncOptions>

const incremental = { ...loose, incremental: true }
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

/** Notes that are about what was kept. */
function takenIn(notes: readonly string[]): number | undefined {
  const words = notes.map((note) => /^(\d+) of \d+ authorities are as/.exec(note)?.[1])
  const taken = words.find((word) => word !== undefined)
  return taken === undefined ? undefined : Number(taken)
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

const people = Array.from({ length: 20 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust'],
  socials: { github: { handle: `person${index + 1}` } },
}))
const changed = people.map((each, index) => (index === 4 ? { ...each, bio: 'New.' } : each))
const files = { authorities: people, connections: [{ from: '1', to: '2' }] }

/** The snapshot of a full sync of what changed. */
async function changedId(): Promise<string> {
  const full = new SyncedInProcess()
  await full.sync(files, loose)
  return ((await full.sync({ authorities: changed }, loose)) as { id: string }).id
}

/** A place that keeps what it has read, and its file. */
async function keeping() {
  const place = new SyncedInProcess()
  await place.sync(files, incremental)
  return { place, path: join(place.snapshots, 'KEPT') }
}

describe('what an incremental sync keeps', () => {
  it('saves the reading of all that did not change but the first who name something', async () => {
    const { place } = await keeping()
    const after = await place.sync({ authorities: changed }, incremental)
    expect(after).toMatchObject({ id: await changedId() })
    expect(takenIn(after.notes)).toBe(18)
  })

  it.each([
    ['is cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5)],
    ['is empty', () => Buffer.alloc(0)],
    ['was written in part', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['has another byte', (bytes: Buffer) => bytes.fill(bytes[99]! + 1, 99, 100)],
    ['states another length', (bytes: Buffer) => bytes.fill(0xff, bytes.length - 4)],
    ['is something else', () => Buffer.from('x'.repeat(1_000))],
  ])('is not used where it %s: a line says so, and all is read', async (_, damage) => {
    const { place, path } = await keeping()
    writeFileSync(path, damage(readFileSync(path)))
    const after = await place.sync({ authorities: changed }, incremental)
    expect(after).toMatchObject({ id: await changedId() })
    expect(after.notes.filter((note) => note.startsWith(path))).toHaveLength(1)
    expect(takenIn(after.notes)).toBe(0)
    // And what it kept instead is whole.
    expect(takenIn((await place.sync({}, incremental)).notes)).toBe(19)
  })

  it.each([
    ['trust', { trust: ['weights'] }],
    ['vetted', { vetted: ['passport'] }],
    ['lookalikes', { lookalikes: 'off' }],
  ] satisfies [string, Partial<SyncOptions>][])(
    'is not used with another --%s',
    async (_, more) => {
      const { place, path } = await keeping()
      const after = await place.sync({}, { ...incremental, ...more })
      expect(after.notes).toContainEqual(expect.stringContaining(`${path} was written with other`))
      expect(takenIn(after.notes)).toBe(0)
    },
  )

  it('is replaced as a whole: what a killed sync left of a new one is not read', async () => {
    const { place, path } = await keeping()
    writeFileSync(`${path}.tmp`, 'half of it')
    const after = await place.sync({ authorities: changed }, incremental)
    expect(takenIn(after.notes)).toBe(18)
    expect(existsSync(`${path}.tmp`)).toBe(false)
  })

  it('may fail to be written: the sync publishes, and the file before stays', async () => {
    const { place, path } = await keeping()
    mkdirSync(`${path}.tmp`)
    const after = await place.sync({ authorities: changed }, incremental)
    expect(after).toMatchObject({ id: await changedId() })
    expect(after.notes).toContainEqual(expect.stringContaining(`${path} was not written: `))
    rmSync(`${path}.tmp`, { recursive: true })
    expect(takenIn((await place.sync({}, incremental)).notes)).toBe(18)
  })

  it('is gone once a person was removed', async () => {
    const { place, path } = await keeping()
    const { snapshots } = place
    const order = { snapshots, removalKey: '', sdu: '3', reason: 'asked', force: false }
    await recordRemoval({ ...order, clock: () => 1_000 })
    expect(existsSync(path)).toBe(false)
  })

  it('is gone after a sync that keeps nothing', async () => {
    const { place } = await keeping()
    await place.sync({}, loose)
    expect(readdirSync(place.snapshots).filter((name) => name.startsWith('KEPT'))).toEqual([])
  })
})
