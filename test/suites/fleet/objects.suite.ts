/** Snapshots in object storage, on a real S3 server: what a fleet has of them, whatever fails meanwhile. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openBucket } from '../../../src/objects/object-address.ts'
import type { WritableObjects } from '../../../src/objects/object-store.ts'
import { Refusal } from '../../../src/problems.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { announce, listSnapshots, pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { partsOfFile } from '../../../src/sync/remote/file-parts.ts'
import { type Announcement, partKey } from '../../../src/sync/remote/layout.ts'
import { openShared } from '../../../src/sync/remote/shared-store.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { nextSwap, openedIndex } from '../../support/library.ts'
import { askAll, type Operated, operate, peopleNamed, until } from '../../support/operated.ts'
import { defaultSnapshots, run } from '../../support/program.ts'
import { metricOf } from '../../support/prometheus.ts'
import {
  canRun,
  type ObjectStorage,
  startObjectStorage,
} from '../../support/servers/object-storage.ts'
import { SlowWay } from '../../support/servers/slow-way.ts'

const hasServer = canRun()
/** Three parts, so that a fetch can end between two. */
const largeCount = 60_000
const isShort = process.env.FLEET_SHORT === '1'
/** Of the race of two publishers, three seconds each. */
const rounds = Number(process.env.FLEET_ROUNDS ?? (isShort ? 4 : 20))
/** Each is a process that loads a snapshot and follows: most of the time of this suite. */
const nodes = isShort ? 2 : 4

interface Person {
  readonly sdu: string
  readonly name: string
  readonly topics: readonly string[]
}

/** What a service tells of its mirror. */
interface Mirrored {
  readonly snapshot_id: string
  readonly served_since: string
  readonly refusals: number
  readonly mirror: {
    readonly number: number
    readonly announced: number
    readonly fetched: number | null
    readonly problem: { readonly message: string } | null
  }
}

describe.skipIf(!hasServer)('object storage', () => {
  let storage: ObjectStorage
  let buckets = 0

  beforeAll(async () => {
    storage = await startObjectStorage()
    Object.assign(process.env, storage.variables)
  }, 300_000)

  afterAll(() => storage?.stop())

  /** A place in a bucket of its own. */
  async function newPlace(): Promise<{ bucket: string; uri: string; objects: WritableObjects }> {
    buckets += 1
    const bucket = `bucket-${buckets}`
    await storage.makeBucket(bucket)
    const uri = `s3://${bucket}/fleet/one`
    return { bucket, uri, objects: await openBucket(uri) }
  }

  function command(words: readonly string[]) {
    return run([...words, '--json'], { variables: storage.variables })
  }

  async function pushed(uri: string, directory: string, id: string, words: string[] = []) {
    const given = ['snapshot', 'push', uri, id, '--snapshots', directory, ...words]
    const { exitCode, stdout, stderr } = await command(given)
    if (exitCode !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as { number: number; isNew: boolean }
  }

  /** What a process has in its environment that finds the storage at a port. */
  function foundAt(port = storage.port): Readonly<Record<string, string>> {
    return { ...storage.variables, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` }
  }

  /** The service finds the storage at this port. */
  function follow(uri: string, words: readonly string[] = [], port?: number): Promise<Operated> {
    const directory = join(temporaryDirectory(), 'snapshots')
    // A machine that is busy for seconds is no reason to sell nothing: this is not about the ledger.
    const shared = ['--threads', '1', '--commit-window', '10000']
    const all = ['--follow', uri, '--poll-interval', '1', ...shared, ...words]
    return operate(directory, all, { variables: foundAt(port) })
  }

  function followAll(uri: string, words?: readonly string[], port?: number): Promise<Operated[]> {
    return Promise.all(Array.from({ length: nodes }, () => follow(uri, words, port)))
  }

  function mirroredBy({ readiness }: Operated): Promise<Mirrored> {
    return readiness() as unknown as Promise<Mirrored>
  }

  async function allServe(services: readonly Operated[], id: string): Promise<void> {
    await Promise.all(
      services.map((service) => until(async () => (await mirroredBy(service)).snapshot_id === id)),
    )
  }

  async function fetchedBytes(service: Operated): Promise<number> {
    return (await metricOf(service, 'mirror_bytes_total'))!
  }

  /** A directory with snapshots whose answers begin with these words; the first is announced. */
  function sceneOf(words: readonly string[], count = 60) {
    const directory = join(temporaryDirectory(), 'snapshots')
    const ids = words.map((word) => publishNamed(directory, word, count))
    announce(directory, ids[0]!)
    return { directory, ids, words: Object.fromEntries(ids.map((id, at) => [id, words[at]!])) }
  }

  const made = new Map<string, Snapshot>()

  function publishNamed(directory: string, word: string, count: number): string {
    const snapshot = made.get(`${word} ${count}`) ?? peopleNamed(word, count)
    made.set(`${word} ${count}`, snapshot)
    publish(directory, snapshot)
    return snapshot.header.id
  }

  it('gives back byte for byte what was pushed, and does nothing twice', async () => {
    const { uri } = await newPlace()
    const { directory, ids } = sceneOf(['First'], largeCount)
    expect(await pushed(uri, directory, ids[0]!)).toMatchObject({ number: 1, isNew: true })
    expect(await pushed(uri, directory, ids[0]!)).toMatchObject({ number: 1, isNew: false })
    const other = join(temporaryDirectory(), 'other')
    const pull = ['snapshot', 'pull', uri, '--snapshots', other]
    expect(JSON.parse((await command(pull)).stdout)).toMatchObject({ id: ids[0], isNew: true })
    expect(JSON.parse((await command(pull)).stdout)).toMatchObject({ id: ids[0], isNew: false })
    const [here, there] = [directory, other].map((each) => readFileSync(pathOf(each, ids[0]!)))
    expect(here!.equals(there!)).toBe(true)
    expect(readdirSync(other).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('may die in the middle of a fetch: nobody fails, and all go on where they were', async () => {
    const { uri } = await newPlace()
    const { directory, ids, words } = sceneOf(['First', 'Second'], largeCount)
    await pushed(uri, directory, ids[0]!)
    const way = await SlowWay.start(storage.port)
    onTestFinished(() => way.close())
    const services = await followAll(uri, undefined, way.port)
    const before = await Promise.all(services.map(fetchedBytes))
    const asked = services.map((service) => askAll(service, words, 1))
    // Nobody can have the whole of it, however late this test looks.
    way.stopAfter(0.7 * (await objectBytes(uri, directory, ids[0]!)))
    await pushed(uri, directory, ids[1]!)
    const all = () => Promise.all(services.map(mirroredBy))
    await until(async () => (await all()).every(({ mirror: { fetched } }) => (fetched ?? 0) > 0))
    storage.kill()
    onTestFinished(() => storage.revive())
    way.leadTo(undefined)
    await until(async () => (await all()).every(({ mirror: { problem } }) => problem !== null))
    for (const { snapshot_id: id } of await all()) expect(id).toBe(ids[0])
    way.stopAfter(Number.POSITIVE_INFINITY)
    way.leadTo(storage.port)
    await storage.revive()
    await allServe(services, ids[1]!)
    for (const { stop } of asked) await stop()
    // Each has fetched it once; a part of which not all came does not count.
    const whole = await objectBytes(uri, directory, ids[1]!)
    const after = await Promise.all(services.map(fetchedBytes))
    for (const [at, bytes] of after.entries()) expect(bytes - before[at]!).toBe(whole)
  })

  /** Keys of the parts of a snapshot. */
  async function keysOf(directory: string, id: string): Promise<string[]> {
    return (await partsOfFile(pathOf(directory, id))).parts.map(partKey)
  }

  async function objectBytes(uri: string, directory: string, id: string): Promise<number> {
    const objects = await openBucket(uri)
    const heads = (await keysOf(directory, id)).map((key) => objects.head(key))
    return (await Promise.all(heads)).reduce((sum, facts) => sum + facts!.bytes, 0)
  }

  /** What is served is known a moment before that the look which brought it has ended well. */
  async function isWell(service: Operated): Promise<void> {
    await until(async () => (await mirroredBy(service)).mirror.problem === null)
    expect(await mirroredBy(service)).toMatchObject({ refusals: 0 })
  }

  it(`has one winner of two publishers at once, ${rounds} rounds, and nothing is half served`, async () => {
    const { uri } = await newPlace()
    const rivals = [sceneOf(['Ann', 'Bea']), sceneOf(['Cid', 'Dan'])]
    const progress = { phase: () => {}, update: () => {}, note: () => {}, stop: () => {} }
    const publishers = await Promise.all(
      rivals.map(({ directory }) =>
        openShared({
          ...{ publish: uri, snapshots: directory, keep: 10, transferRate: 0 },
          ...{ fetchGrace: 86_400_000, clock: Date.now, progress },
        }),
      ),
    )
    await publishers[0]!.push(rivals[0]!.ids[1]!)
    await publishers[1]!.catchUp()
    const service = await follow(uri)
    const words = { ...rivals[0]!.words, ...rivals[1]!.words }
    const { stop } = askAll(service, words, 2)
    for (let round = 0; round < rounds; round += 1) {
      const ids = rivals.map((rival) => rival.ids[round % 2]!)
      const before = Math.max(...publishers.map(({ number }) => number))
      // Who begins is likely to win: now the one, now the other.
      const announced: Promise<void>[] = []
      for (const at of round % 4 < 2 ? [0, 1] : [1, 0]) {
        announced[at] = publishers[at]!.announce(ids[at]!)
      }
      const ends = await Promise.allSettled(announced)
      expect(ends.filter(({ status }) => status === 'fulfilled').length).toBe(1)
      for (const end of ends) {
        if (end.status === 'fulfilled') continue
        expect(oneLineOf(end.reason)).toContain(`as number ${before + 1} meanwhile`)
      }
      for (const each of publishers) await each.catchUp()
      expect(publishers.map(({ number }) => number)).toEqual([before + 1, before + 1])
    }
    const last = listSnapshots(rivals[0]!.directory).find(({ current }) => current)!.id
    await allServe([service], last)
    await stop()
    await isWell(service)
  })

  function oneLineOf(reason: unknown): string {
    expect(reason).toBeInstanceOf(Refusal)
    const { code, message } = reason as Refusal
    expect([code, message.includes('\n')]).toEqual(['announced-meanwhile', false])
    return message
  }

  it('is read and followed by the library', async () => {
    const { uri } = await newPlace()
    const { directory, ids } = sceneOf(['First', 'Second'])
    await pushed(uri, directory, ids[0]!)
    const { swapped, onSwap } = nextSwap()
    const index = await openedIndex(uri, { follow: true, onSwap })
    expect(index.snapshot.id).toBe(ids[0])
    const first = index.detail('1').results
    await pushed(uri, directory, ids[1]!)
    expect((await swapped)[0].id).toBe(ids[1])
    expect(index.detail('1').results).not.toEqual(first)
  })

  it('is what a sync goes on behind, and what it says reaches every node', async () => {
    const { uri, objects } = await newPlace()
    const people = (names: readonly string[]): Person[] =>
      names.map((name, at) => ({ sdu: String(at + 1), name, topics: ['Rust'] }))
    const all = Array.from({ length: 30 }, (_, at) => `Person ${at}`)
    const first = sourceOf(people(all))
    const sync = async (source: string, snapshots: string, words: string[] = []) => {
      const given = ['sync', '--source', source, '--snapshots', snapshots, '--publish', uri]
      const { exitCode, stdout, stderr } = await command([...given, ...words])
      expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, ''])
      return JSON.parse(stdout) as { id: string; number: number; published: boolean }
    }
    const [one, other] = [join(temporaryDirectory(), 'one'), join(temporaryDirectory(), 'other')]
    expect(await sync(first, one)).toMatchObject({ number: 1, published: true })
    // Another machine with the same records has nothing to announce.
    expect(await sync(first, other)).toMatchObject({ number: 1, published: false })
    const second = sourceOf(people([...all, 'Someone New']))
    const { id, number } = await sync(second, other)
    expect(number).toBe(2)
    const service = await follow(uri)
    expect(service.snapshotId).toBe(id)
    const changes = await fetch(
      `${service.address}/api/v1/changes?since=${(await announced(1)).id}`,
      {
        headers: service.headers,
      },
    )
    expect(await changes.text()).toContain('Someone New')

    const forget = ['forget', '31', '--reason', 'asked', '--source', second, '--snapshots', one]
    const gone = await command([...forget, '--publish', uri])
    expect([gone.exitCode, gone.exitCode === 0 ? '' : gone.stderr]).toEqual([0, ''])
    const left = JSON.parse(gone.stdout).id as string
    await allServe([service], left)
    const held = (await objects.list('parts/')).map(({ key }) => key)
    const { parts, changes: files } = await announced(3)
    const named = [...parts, ...files.flatMap((file) => file.parts)].map(partKey)
    expect(held).toEqual([...new Set(named)].sort())
    // Nor does the other machine bring them back, which needs the key of the list.
    copyFileSync(`${one}.removal-key`, `${other}.removal-key`)
    expect(await sync(second, other)).toMatchObject({ id: left, published: false })

    async function announced(wanted: number): Promise<Announcement> {
      const got = await objects.get(`announce/${String(wanted).padStart(20, '0')}`)
      if (got.kind !== 'found') throw new Error(`no announcement ${wanted}`)
      return JSON.parse(Buffer.concat((await got.body.toArray()) as Buffer[]).toString())
    }
  })

  it('holds records: the same snapshot as from files, plain and gzipped', async () => {
    const { uri, objects } = await newPlace()
    const source = join(defaultSnapshots, 'source')
    for (const name of readdirSync(source).filter((each) => each.endsWith('.ndjson'))) {
      const plain = readFileSync(join(source, name))
      await objects.put(`plain/${name}`, plain, { isImmutable: false })
      await objects.put(`gzipped/${name}.gz`, gzipSync(plain), { isImmutable: false })
    }
    const ids: string[] = []
    for (const from of [source, `${uri}/plain`, `${uri}/gzipped`]) {
      const snapshots = join(temporaryDirectory(), 'snapshots')
      const { stdout } = await command(['sync', '--source', from, '--snapshots', snapshots])
      ids.push(JSON.parse(stdout).id)
    }
    expect(new Set(ids).size).toBe(1)
    const nowhere = ['sync', '--source', `${uri}/nowhere`, '--snapshots', temporaryDirectory()]
    const { exitCode, stderr } = await command(nowhere)
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('holds no authorities.ndjson')])
  })

  function sourceOf(people: readonly Person[]): string {
    const directory = temporaryDirectory()
    const lines = people.map((person) => JSON.stringify(person))
    writeFileSync(join(directory, 'authorities.ndjson'), `${lines.join('\n')}\n`)
    return directory
  }
})
