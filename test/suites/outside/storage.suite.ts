/** Snapshots on disks that fill, and in directories that lose files. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acquireLock } from '../../../src/process/lock.ts'
import { announce, pathOf, publish } from '../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { MemoryObjects } from '../../support/objects/memory-objects.ts'
import { publisherOf, serveObjects } from '../../support/objects/served-objects.ts'
import { type Operated, operate, peopleNamed, until } from '../../support/operated.ts'
import { endOf, start } from '../../support/program.ts'
import { lackOfDisks, SmallDisk } from './support/disk.ts'

const lack = lackOfDisks()
if (lack !== undefined) console.error(`skipped: ${lack}`)
const nodes = process.env.OUTSIDE === 'full' ? 8 : 3
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
