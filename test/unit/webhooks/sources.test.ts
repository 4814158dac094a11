/** Events of announcements and of syncs that are held back. */
import { describe, expect, test } from 'vitest'
import { WebhookTables } from '../../../src/ledger/lmdb/webhooks/webhook-tables.ts'
import { changeOf } from '../../../src/snapshot/changes/change.ts'
import { changeEntries, publishChanges } from '../../../src/snapshot/changes/change-directory.ts'
import { readChangeFile, sduHash } from '../../../src/snapshot/changes/change-file.ts'
import { noteAnnouncements, noteHeldBack } from '../../../src/webhooks/sources.ts'
import { HandClock, newEnvironment, temporaryDirectory } from '../../support/ledger-fixture.ts'

const order = { url: 'https://hooks.example.com/', account: null, events: [], below: [], sdus: [] }

/** The files of so many announcements, a minute apart, each of which changes the score of 1 and 2. */
function announcements(clock: HandClock, count: number) {
  const directory = temporaryDirectory()
  for (let number = 1; number <= count; number += 1) {
    clock.nowMs += 60_000
    const people = ['1', '2']
      .map((sdu) => ({ sdu, changes: [changeOf('score', 1, 2)] }))
      .sort((a, b) => sduHash(a.sdu) - sduHash(b.sdu))
    const announcedAt = new Date(clock.nowMs).toISOString()
    const names = { number, id: idOf(number), parent: number === 1 ? null : idOf(number - 1) }
    const made = { createdAt: null, recipe: 1, digest: '', counts: {}, stability: null }
    publishChanges(directory, { ...names, announcedAt, ...made }, people, {})
  }
  return changeEntries(directory).map(({ path }) => readChangeFile(path))
}

function idOf(number: number): string {
  return String(number).padStart(32, '0')
}

function newScene() {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  const store = new WebhookTables(environment)
  const written = () =>
    environment.read((tables) => Array.from(tables.outbox.getRange(), ({ value }) => value))
  return { clock, store, written }
}

describe('announcements', () => {
  test('give an event each, also those that came while no service ran, and none twice', async () => {
    const { clock, store, written } = newScene()
    await store.add(order)
    const files = announcements(clock, 3)
    await noteAnnouncements(store, files.slice(0, 1))
    await noteAnnouncements(store, files)
    await noteAnnouncements(store, files)
    expect(written().map(({ data }) => data.snapshot_id)).toEqual([idOf(1), idOf(2), idOf(3)])
    expect(written()[1]).toMatchObject({
      type: 'snapshot.announced',
      data: { previous_snapshot_id: idOf(1), changed_people: 2 },
    })
  })

  test('from before an endpoint was made are not for it', async () => {
    const { clock, store, written } = newScene()
    const files = announcements(clock, 2)
    await store.add(order)
    await noteAnnouncements(store, files)
    expect(written()).toEqual([])
  })

  test('name the watched authorities that they changed, without the values', async () => {
    const { clock, store, written } = newScene()
    await store.add({ ...order, events: ['authority.changed'], sdus: ['2', '3'] })
    await noteAnnouncements(store, announcements(clock, 1))
    expect(written().map(({ type, data }) => ({ type, ...data }))).toEqual([
      {
        type: 'authority.changed',
        sdu: '2',
        snapshot_id: idOf(1),
        previous_snapshot_id: null,
        changes: [{ type: 'score', topic: null }],
      },
    ])
  })
})

test('a sync that is held back gives one event, until it is held back anew', async () => {
  const { store, written } = newScene()
  await store.add(order)
  for (const at of ['2026-11-23T12:00:00Z', '2026-11-23T12:00:00Z', '2026-11-23T13:00:00Z']) {
    await noteHeldBack(store, { at, reason: 'too many names changed' })
  }
  expect(written().map(({ data }) => data.at)).toEqual([
    '2026-11-23T12:00:00Z',
    '2026-11-23T13:00:00Z',
  ])
})
