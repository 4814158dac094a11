/**
 * Snapshots of earlier formats under a sync of today. `format-N.msgpack.br` was written by a program of
 * format N from the records below; a new format adds its file here.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { factVersions } from '../../../../src/snapshot/facts.ts'
import { formatVersion } from '../../../../src/snapshot/header.ts'
import {
  directoryStore,
  listSnapshots,
  readPointer,
} from '../../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { SyncedInProcess } from '../../../support/synced-in-process.ts'

const numbers = Array.from({ length: 100 }, (_, index) => index + 1)

/** The records of the fixtures. */
function records() {
  return {
    authorities: numbers.map((number) => ({
      sdu: String(number),
      name: `Person Number${number}`,
      bio: `Likes ${number % 2 === 0 ? 'lighthouses' : 'ferries'}.`,
      country_name: number % 3 === 0 ? 'Chile' : 'Norway',
      topics: [number <= 60 ? 'Rust' : 'Go', 'Harbours'],
      socials: { github: { handle: `person${number}`, followers: number * 10 } },
    })),
    connections: numbers.flatMap((number) => [
      { from: String(number), to: String((number % 100) + 1) },
      { from: String(number), to: String(((number * 7) % 100) + 1), kind: 'coauthor' },
    ]),
    topics: [{ topic: 'Rust', aliases: ['rustlang'] }],
  }
}

/** A directory whose current snapshot is of a format. */
function syncedBy(version: number): SyncedInProcess {
  const snapshots = join(temporaryDirectory(), 'snapshots')
  mkdirSync(snapshots)
  const stored = readFileSync(join(import.meta.dirname, `format-${version}.msgpack.br`))
  const bytes = brotliDecompressSync(stored)
  const id = /\xa2id\xd9 ([0-9a-f]{32})/.exec(bytes.subarray(0, 256).toString('latin1'))![1]!
  writeFileSync(join(snapshots, `${id}.msgpack`), bytes)
  writeFileSync(join(snapshots, 'CURRENT'), `${id}\n`)
  return new SyncedInProcess(snapshots)
}

describe.each([10, 11, 12, 13])('over a snapshot of format %i', (version) => {
  it('a sync publishes the same records and an honest change', async () => {
    expect((await syncedBy(version).sync(records())).refusal).toBeUndefined()
    const changed = records()
    changed.authorities[7]!.bio = 'Likes canals.'
    expect(await syncedBy(version).sync(changed)).toMatchObject({ published: true })
  })

  it('a sync holds back names of others, handles that change owners and lost topics', async () => {
    const renamed = records()
    for (const person of renamed.authorities) person.name = `Another ${person.sdu}`
    const held = await syncedBy(version).sync(renamed)
    expect(held.refusal).toMatch(/names: 100\.0 % changed/)

    const taken = records()
    const [first, second] = taken.authorities
    ;[first!.socials, second!.socials] = [second!.socials, first!.socials]
    expect((await syncedBy(version).sync(taken)).refusal).toContain(
      'github:person1 from SDU 1 to 2',
    )

    const one = records()
    for (const person of one.authorities) person.topics = ['Harbours']
    expect((await syncedBy(version).sync(one)).refusal).toMatch(/topics: 66\.7 % gone/)
  })

  it('the change file says what changed since it', async () => {
    const synced = syncedBy(version)
    const before = readPointer(synced.snapshots, 'CURRENT')
    const changed = records()
    changed.authorities[7]!.bio = 'Likes canals.'
    await synced.sync(changed)
    const [file = ''] = readdirSync(join(synced.snapshots, 'changes')).filter((name) =>
      name.endsWith('.msgpack'),
    )
    const bytes = readFileSync(join(synced.snapshots, 'changes', file)).toString('latin1')
    expect([bytes.includes(before!), bytes.includes('Likes canals.')]).toEqual([true, true])
  })
})

describe('a snapshot of another format', () => {
  it('is listed with its version, and not as damaged', () => {
    const { snapshots } = syncedBy(10)
    const [listed] = listSnapshots(snapshots)
    expect([listed!.header, listed!.earlier?.version]).toEqual([undefined, 10])
  })

  it('is refused with its version where its facts cannot be read', async () => {
    const { snapshots } = syncedBy(10)
    const id = readPointer(snapshots, 'CURRENT')!
    const path = join(snapshots, `${id}.msgpack`)
    const bytes = readFileSync(path)
    const at = bytes.indexOf('version') + 'version'.length
    for (const version of [9, formatVersion + 1]) {
      bytes[at] = version
      writeFileSync(path, bytes)
      await expect(directoryStore(snapshots).facts(id)).rejects.toThrow(`is of version ${version}`)
    }
  })

  it('is refused where a byte of its facts is another', async () => {
    const { snapshots } = syncedBy(10)
    const id = readPointer(snapshots, 'CURRENT')!
    const path = join(snapshots, `${id}.msgpack`)
    const bytes = readFileSync(path)
    bytes[bytes.indexOf('Likes ferries')]! ^= 1
    writeFileSync(path, bytes)
    await expect(directoryStore(snapshots).facts(id)).rejects.toThrow('checksum does not match')
  })

  it('can be compared: every format from 10 on has a fixture', () => {
    const fixtures = readdirSync(import.meta.dirname).flatMap((name) => {
      const [, version] = /^format-(\d+)\./.exec(name) ?? []
      return version === undefined ? [] : [Number(version)]
    })
    const earlier = factVersions.filter((version) => version < formatVersion)
    expect(fixtures.sort()).toEqual(expect.arrayContaining(earlier))
  })
})
