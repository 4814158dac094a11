/** Snapshots on disks that fill, in directories that lose files, and behind hints that are lost. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBucket } from '../../../src/objects/object-address.ts'
import type { WritableObjects } from '../../../src/objects/object-store.ts'
import { acquireLock } from '../../../src/process/lock.ts'
import { announce, pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { announcementKey } from '../../../src/sync/remote/layout.ts'
import { Publisher } from '../../../src/sync/remote/publisher.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { MemoryObjects } from '../../support/objects/memory-objects.ts'
import { publisherOf, serveObjects } from '../../support/objects/served-objects.ts'
import { type Operated, operate, peopleNamed, until } from '../../support/operated.ts'
import { endOf, start } from '../../support/program.ts'
import { canRun, startObjectStorage } from '../../support/servers/object-storage.ts'
import { lackOfDisks, SmallDisk } from './support/disk.ts'

const lack = lackOfDisks()
if (lack !== undefined) console.error(`skipped: ${lack}`)
const nodes = process.env.OUTSIDE === 'full' ? 8 : 3
/** That lie in the bucket behind a lost hint: a thousand where the counts are full. */
const announcements = process.env.OUTSIDE === 'full' ? 1_000 : 40
const small = peopleNamed('Small', 60)
const large = peopleNamed('Large', 5_000)
const roomForSmall = 2 << 20
const roomForBoth = 32 << 20

interface Mirrored {
  readonly snapshot_id: string
  readonly mirror: {
    readonly number: number
    readonly problem: { readonly message: string } | null
  }
}

function mirroredBy({ readiness }: Operated): Promise<Mirrored> {
  return readiness() as unknown as Promise<Mirrored>
}

/** What lies in a directory under names that are of use for a moment only. */
function leftovers(directory: string): string[] {
  const names = readdirSync(directory, { recursive: true }) as string[]
  return names.filter((name) => /\.(tmp|partial)$/.test(name))
}

describe.skipIf(lack !== undefined)('a disk that is too small for the next snapshot', () => {
  it('ends no node of a fleet: each says so, serves what it has, and heals when there is room', async () => {
    const source = join(temporaryDirectory(), 'snapshots')
    for (const each of [small, large]) publish(source, each)
    announce(source, small.header.id)
    const store = new MemoryObjects()
    const publisher = publisherOf(store, source)
    await publisher.announce(small.header.id, () => {})
    const address = await serveObjects(store)
    const disks = Array.from({ length: nodes }, () => SmallDisk.mount(roomForSmall))
    const words = ['--follow', address, '--poll-interval', '1', '--threads', '1']
    const services = await Promise.all(
      disks.map(({ directory }) => operate(join(directory, 'snapshots'), words)),
    )
    await publisher.announce(large.header.id, () => {})
    const isTold = async (service: Operated) => (await mirroredBy(service)).mirror.problem !== null
    await until(async () => (await Promise.all(services.map(isTold))).every(Boolean))
    for (const [at, service] of services.entries()) {
      expect(service.child.exitCode).toBeNull()
      // What it says on stderr may arrive behind what it says by HTTP.
      await until(() => service.errors().includes('mirror-failing'))
      expect((await mirroredBy(service)).snapshot_id).toBe(small.header.id)
      const answer = await fetch(`${service.address}/api/v1/detail?sdu=1`, service)
      expect(answer.status).toBe(200)
      // It tries again each second, and has a part of the file while it does.
      await until(() => leftovers(disks[at]!.directory).length === 0)
    }
    for (const disk of disks) disk.resize(roomForBoth)
    const serves = async (service: Operated) =>
      (await mirroredBy(service)).snapshot_id === large.header.id
    await until(async () => (await Promise.all(services.map(serves))).every(Boolean))
    for (const { directory } of disks) await until(() => leftovers(directory).length === 0)
    for (const service of services) {
      await until(async () => (await mirroredBy(service)).mirror.problem === null)
    }
  })
})

describe('a node whose snapshot file', () => {
  /** A node that has followed a store, was killed, and lost something of its directory. */
  async function lost(harm: (path: string) => void): Promise<Operated> {
    const source = join(temporaryDirectory(), 'snapshots')
    publish(source, small)
    announce(source, small.header.id)
    const store = new MemoryObjects()
    await publisherOf(store, source).announce(small.header.id, () => {})
    const words = ['--follow', await serveObjects(store), '--poll-interval', '1', '--threads', '1']
    const directory = join(temporaryDirectory(), 'snapshots')
    const service = await operate(directory, words)
    service.child.kill('SIGKILL')
    await service.ended
    harm(pathOf(directory, small.header.id))
    return operate(directory, words)
  }

  it.each<[string, (path: string) => void]>([
    ['is lost', (path) => rmSync(path)],
    ['is cut off', (path) => truncateSync(path, 10_000)],
    ['has another bit', (path) => writeFileSync(path, flipped(readFileSync(path)))],
  ])('%s fetches it again when it starts, and serves it', async (_, harm) => {
    const service = await lost(harm)
    expect((await mirroredBy(service)).snapshot_id).toBe(small.header.id)
    const answer = await fetch(`${service.address}/api/v1/detail?sdu=1`, service)
    expect(answer.status).toBe(200)
  })
})

function flipped(bytes: Buffer): Buffer {
  bytes[bytes.length - 5]! ^= 1
  return bytes
}

describe('a sync that watches', () => {
  it('has as many threads after five refusals as after one', async () => {
    const source = temporaryDirectory()
    const snapshots = join(temporaryDirectory(), 'snapshots')
    const write = (lines: number) =>
      writeFileSync(join(source, 'authorities.ndjson'), 'no record\n'.repeat(lines))
    write(1)
    const child = start(['sync', '--watch', '--source', source, '--snapshots', snapshots])
    const ended = endOf(child)
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await ended
    })
    let said = ''
    child.stderr!.on('data', (text: string) => {
      said += text
    })
    const refusals = () => said.split('nothing was published').length - 1
    const threads = () => readdirSync(`/proc/${child.pid}/task`).length
    await until(() => refusals() >= 1)
    await until(() => threads() <= 12)
    const after = threads()
    for (let times = 2; times <= 5; times += 1) {
      write(times)
      await until(() => refusals() >= times)
    }
    await until(() => threads() <= after)
  })
})

describe.skipIf(lack !== undefined)('a full disk', () => {
  it('lets a lock be released, and taken again', async () => {
    const disk = SmallDisk.mount(64 << 10)
    const file = join(disk.directory, 'sync.lock')
    const lock = acquireLock(file)
    disk.fill()
    lock.release()
    const next = acquireLock(file)
    next.release()
  })
})

describe.skipIf(!canRun())('a bucket whose CURRENT is lost after a thousand announcements', () => {
  it('goes on with the next number, and nodes follow, those that run and new ones', async () => {
    const storage = await startObjectStorage()
    onTestFinished(storage.stop)
    Object.assign(process.env, storage.variables)
    await storage.makeBucket('bucket')
    const uri = 's3://bucket/fleet'
    const objects = await openBucket(uri)
    const source = join(temporaryDirectory(), 'snapshots')
    const second = peopleNamed('Second', 60)
    for (const each of [small, second]) publish(source, each)
    announce(source, small.header.id)
    const steadiness = { sleep: async () => {}, random: () => 0, report: () => {} }
    const common = { store: objects, directory: source, keep: 3, graceMs: 3_600_000, steadiness }
    const publisher = new Publisher({ ...common, clock: Date.now })
    await publisher.announce(small.header.id, () => {})
    const first = await textOf(objects, announcementKey(1))
    const last = 1_200
    for (let number = last - announcements; number <= last; number += 1) {
      const said = first.replace('"number": 1,', `"number": ${number},`)
      await objects.put(announcementKey(number), Buffer.from(said), { isImmutable: true })
    }
    await objects.remove(announcementKey(1))
    await objects.put('CURRENT', Buffer.from(`${last}\n`), { isImmutable: false })
    const words = ['--follow', uri, '--poll-interval', '1', '--threads', '1']
    const surroundings = { variables: storage.variables }
    const follow = () => operate(join(temporaryDirectory(), 'snapshots'), words, surroundings)
    const running = await follow()
    await objects.remove('CURRENT')
    expect(await publisher.announce(second.header.id, () => {})).toMatchObject({ number: last + 1 })
    await objects.remove('CURRENT')
    for (const service of [running, await follow()]) {
      await until(async () => (await mirroredBy(service)).snapshot_id === second.header.id)
    }
  })
})

async function textOf(objects: WritableObjects, key: string): Promise<string> {
  const got = await objects.get(key)
  if (got.kind !== 'found') throw new Error(`${key} is ${got.kind}`)
  return Buffer.concat(await got.body.toArray()).toString()
}
