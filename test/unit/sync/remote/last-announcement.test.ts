/** The last announcement of a store whose hint is lost, late or wrong, and whose oldest are removed. */
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../src/limits.ts'
import type { ReadableObjects } from '../../../../src/objects/object-store.ts'
import { storageRefused } from '../../../../src/objects/storage-refusals.ts'
import {
  lastAnnouncement,
  listedAnnouncement,
} from '../../../../src/sync/remote/last-announcement.ts'
import { announcementKey, encodeAnnouncement } from '../../../../src/sync/remote/layout.ts'
import { MemoryObjects } from '../../../support/objects/memory-objects.ts'

const steadiness = { sleep: async () => {}, random: () => 0, report: () => {} }

/** A store with the announcements from one number to another, and this in its hint. */
async function storeOf(first: number, last: number, hint?: number): Promise<MemoryObjects> {
  const store = new MemoryObjects()
  for (let number = first; number <= last; number += 1) {
    const facts = { number, id: 'a'.repeat(32), bytes: 1, parts: ['b'.repeat(64)] }
    const at = new Date(0).toISOString()
    const said = encodeAnnouncement({ ...facts, at, removals: '', changes: [] })
    await store.put(announcementKey(number), said)
  }
  if (hint !== undefined) await store.put('CURRENT', Buffer.from(String(hint)))
  store.calls.length = 0
  return store
}

/** The same store behind a web server, which does not list. */
function webOf(store: MemoryObjects): ReadableObjects {
  return {
    name: 'http://web',
    head: (key) => store.head(key),
    get: (key, wanted) => store.get(key, wanted),
  }
}

async function numberIn(store: ReadableObjects, known = 0): Promise<number | undefined> {
  return (await lastAnnouncement(store, known, steadiness))?.number
}

describe('the last announcement', () => {
  it('is found by the hint in two requests where nothing is new', async () => {
    const store = await storeOf(1, 5, 5)
    expect(await numberIn(store, 5)).toBeUndefined()
    expect(store.calls.length).toBe(2)
  })

  it.each([
    ['is right', 5_500],
    ['is lost', undefined],
    ['is of an announcement that was removed', 3],
    ['is of one that was never made', 9_999_999],
    ['is late', 5_100],
  ])('is found from nothing where the hint %s, whether the store lists or not', async (_, hint) => {
    const store = await storeOf(4_501, 5_500, hint)
    expect(await numberIn(store)).toBe(5_500)
    expect(await numberIn(webOf(store))).toBe(5_500)
    expect(store.calls.length).toBeLessThan(100)
  })

  it.each([
    ['is lost', undefined],
    ['is of one that was never made', 9_999_999],
    ['goes back', 600],
  ])('is found from one that is known where the hint %s', async (_, hint) => {
    const store = await storeOf(501, 1_500, hint)
    for (const known of [501, 1_000, 1_499]) {
      store.calls.length = 0
      expect(await numberIn(webOf(store), known)).toBe(1_500)
      expect(store.calls.length).toBeLessThan(40)
    }
    expect(await numberIn(webOf(store), 1_500)).toBeUndefined()
  })

  it('is found by probes by a reader that may not list', async () => {
    const store = await storeOf(4_501, 5_500)
    const list = () => Promise.reject(storageRefused(store.name, '403 AccessDenied'))
    expect(await numberIn({ ...webOf(store), list })).toBe(5_500)
  })

  it('of a store that was begun anew is found by a node that knows a higher one', async () => {
    const store = await storeOf(1, 3, 3)
    expect(await numberIn(webOf(store), 700)).toBe(3)
    expect(await numberIn(store, 700)).toBe(3)
  })

  it('is none where nothing is announced, and that is found with few requests', async () => {
    const store = await storeOf(1, 0)
    expect(await numberIn(store)).toBeUndefined()
    expect(await numberIn(webOf(store))).toBeUndefined()
    expect(store.calls.length).toBeLessThan(80)
  })
})

describe('a publisher', () => {
  it('goes on behind the last of all, whatever the hint says and others have begun below', async () => {
    const store = await storeOf(501, 1_500, 2)
    for (const number of [1, 2]) {
      store.held.set(announcementKey(number), store.held.get(announcementKey(501))!)
    }
    const found = await listedAnnouncement(store, 0, steadiness)
    expect(found?.number).toBe(501 + limits.announcementsKeptMax - 1)
    expect(await listedAnnouncement(store, 1_500, steadiness)).toBeUndefined()
  })
})
