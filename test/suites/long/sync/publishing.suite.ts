import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sealed } from '../../../../src/snapshot/file.ts'
import { announce, loadSnapshot, publish } from '../../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { sourceOf, sync } from '../../../support/synced.ts'

const snapshotsIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.msgpack'))
    .sort()

describe('a sync', () => {
  it.each([
    ['an earlier', -1],
    ['a later', 1],
  ])('makes anew what %s recipe made of the same source', async (_, difference) => {
    const source = sourceOf(50)
    const snapshots = temporaryDirectory()
    const first = JSON.parse((await sync(source, snapshots)).stdout)
    const { header, sections } = loadSnapshot(first.path)
    const recipe = header.recipe + difference
    const other = sealed({ ...header, recipe }, sections)
    publish(snapshots, other)
    announce(snapshots, other.header.id)
    const second = JSON.parse((await sync(source, snapshots)).stdout)
    expect(second).toMatchObject({ id: first.id, published: true })
    expect(readPointer(snapshots, 'CURRENT')).toBe(first.id)
  })

  it('announces what it published, and keeps as many as `--keep` says', async () => {
    const snapshots = temporaryDirectory()
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) {
      const { stdout } = await sync(sourceOf(3, [], name), snapshots, '--keep', '2', '--force')
      ids.push(JSON.parse(stdout).id)
      expect(readPointer(snapshots, 'CURRENT')).toBe(ids.at(-1))
    }
    expect(snapshotsIn(snapshots)).toEqual([`${ids[1]}.msgpack`, `${ids[2]}.msgpack`].sort())
  })

  it('writes down when the records were made, if `--created-at` says so', async () => {
    const source = sourceOf(3)
    const createdAt = '2026-11-01T00:00:00.000Z'
    const dated = JSON.parse(
      (await sync(source, temporaryDirectory(), '--created-at', createdAt)).stdout,
    )
    const undated = JSON.parse((await sync(source, temporaryDirectory())).stdout)
    expect(loadSnapshot(dated.path).header.createdAt).toBe(createdAt)
    expect(loadSnapshot(undated.path).header.createdAt).toBeNull()
    expect(dated.id).not.toBe(undated.id)
  })
})
