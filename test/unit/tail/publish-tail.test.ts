/** A snapshot that is split: heads in a directory of their own, each with its tail. */
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  announce,
  announcedId,
  directoryStore,
  publish,
} from '../../../src/snapshot/store/directory.ts'
import { headDirectory, publishTail } from '../../../src/sync/tail/publish-tail.ts'
import { tailNameOf } from '../../../src/tail/tail-store.ts'
import { MemoryTail } from '../../support/memory-tail.ts'
import { peopleNamed } from '../../support/operated.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

it('that has no more people than a head is the head, and the tail before it ends', async () => {
  const snapshots = join(temporaryDirectory(), 'snapshots')
  const heads = join(snapshots, headDirectory)
  const whole = peopleNamed('First')
  const { id } = whole.header
  publish(snapshots, whole)
  announce(snapshots, id)
  const tail = new MemoryTail()
  const notes: string[] = []
  const split = (head: number) => {
    const progress = {
      ...{ phase: () => {}, update: () => {}, stop: () => {} },
      note: (line: string) => notes.push(line),
    }
    const order = { tail, snapshots, head, keep: 1, graceMs: 0, force: false, progress }
    const stores = { wholes: directoryStore(snapshots), heads: directoryStore(heads) }
    return publishTail(order, stores, id)
  }

  const first = await split(10)
  expect(first).not.toBe(id)
  expect(announcedId(heads)).toBe(first)
  expect(await tail.facts(tailNameOf(first))).toMatchObject({ head: 10, people: 60 })

  // As an earlier version has left it.
  await tail.complete(first, { head: 10, people: 60, blocks: { names: 1, people: 1, reasons: 1 } })

  expect(await split(60)).toBe(id)
  expect(announcedId(heads)).toBe(id)
  expect(notes).toEqual(['the head of 60 people holds everybody: no tail is written'])
  expect(await tail.facts(tailNameOf(id))).toBeUndefined()
  expect(await tail.facts(tailNameOf(first))).toBeUndefined()
  expect(await tail.facts(first)).toBeUndefined()
})
