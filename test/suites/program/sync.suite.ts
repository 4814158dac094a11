/** Sync: the same bytes from the same source, and nothing from a bad one. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pathOf } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { defaultSnapshots, run } from '../../support/program.ts'
import { sourceOf, sync, syncWords } from '../../support/synced.ts'

/** What lies in a directory beside the lock of a sync, the lists of what was announced and verified, and the changes. */
function filesOf(directory: string): string[] {
  return readdirSync(directory)
    .filter(
      (name) =>
        !name.startsWith('sync.lock') && !['ANNOUNCED', 'VERIFIED', 'changes'].includes(name),
    )
    .sort()
}

describe('a sync of the default source', () => {
  it('gives the snapshot of the repository byte for byte', async () => {
    const snapshots = temporaryDirectory()
    const { exitCode, stdout } = await sync(join(defaultSnapshots, 'source'), snapshots)
    expect(exitCode).toBe(0)
    const { id } = JSON.parse(stdout)
    expect(readPointer(defaultSnapshots, 'CURRENT')).toBe(id)
    const built = readFileSync(pathOf(snapshots, id))
    expect(built.equals(readFileSync(pathOf(defaultSnapshots, id)))).toBe(true)
  })
})

describe('a sync', () => {
  it('gives the same bytes and id each time, and publishes them once', async () => {
    const source = sourceOf(50)
    const snapshots = temporaryDirectory()
    const first = JSON.parse((await sync(source, snapshots)).stdout)
    const bytes = readFileSync(first.path)
    const second = JSON.parse((await sync(source, snapshots)).stdout)
    expect([first.published, second.published]).toEqual([true, false])
    expect(second.id).toBe(first.id)
    expect(readFileSync(second.path).equals(bytes)).toBe(true)
    expect(filesOf(snapshots)).toEqual([`${first.id}.msgpack`, 'CURRENT', 'SYNCED'].sort())
    const elsewhere = JSON.parse((await sync(source, temporaryDirectory())).stdout)
    expect(elsewhere.id).toBe(first.id)
    expect(readFileSync(elsewhere.path).equals(bytes)).toBe(true)
  })

  it('runs within a limit of memory that Node.js was given', async () => {
    const words = syncWords(sourceOf(3), temporaryDirectory())
    const { exitCode, stderr } = await run(words, { nodeWords: ['--max-old-space-size=1024'] })
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, ''])
  })
})

describe('rejects', () => {
  const bad = ['{"sdu":"x","name":"X","topics":["Rust"]}', 'not JSON']

  it('above the share publish nothing and leave CURRENT as it is', async () => {
    const snapshots = temporaryDirectory()
    const { id } = JSON.parse((await sync(sourceOf(10), snapshots)).stdout)
    const { exitCode, stdout, stderr } = await sync(sourceOf(199, bad), snapshots)
    expect([exitCode, stdout]).toEqual([1, ''])
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines[0]).toMatchObject({ level: 'info', event: 'sync' })
    const { level, event, message } = lines.at(-1)
    expect([level, event]).toEqual(['error', 'sync-failed'])
    expect(message).toMatch(/: 2 of 199 records rejected; nothing was published$/)
    expect(readPointer(snapshots, 'CURRENT')).toBe(id)
    expect(filesOf(snapshots)).toEqual(
      [`${id}.msgpack`, 'CURRENT', 'HELD-BACK', 'SYNCED', 'rejects.ndjson'].sort(),
    )
  })
})

describe('a source that gives nothing', () => {
  it('leaves no snapshot: missing, or without a verified authority', async () => {
    const empty = temporaryDirectory()
    writeFileSync(
      join(empty, 'authorities.ndjson'),
      '{"sdu":"1","name":"A","topics":["Rust"],"verified":false}\n',
    )
    for (const source of [join(empty, 'none'), empty]) {
      const snapshots = temporaryDirectory()
      const { exitCode, stderr } = await sync(source, snapshots)
      expect(exitCode).toBe(1)
      expect(stderr).toContain(source)
      expect(filesOf(snapshots)).toEqual([])
    }
  })
})
