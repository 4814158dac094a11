/** The key of the list of removals lies apart from the list: where it is made, moved, named, and when it is gone. */
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadForAnswers } from '../../../src/snapshot/store/directory.ts'
import { Removals, readRemovals } from '../../../src/snapshot/store/removals.ts'
import { recordRemoval } from '../../../src/sync/removals/forgetting.ts'
import { settleKey } from '../../../src/sync/removals/key-place.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { peopleOf, SyncedInProcess } from '../../support/synced-in-process.ts'

const people = peopleOf(30)
const why = { reason: 'asked', at: '2026-11-01T00:00:00.000Z' }
const key = 'c'.repeat(64)

/** A directory with a list of one person, and the key beside it. */
function listed(): string {
  const directory = join(temporaryDirectory(), 'snapshots')
  mkdirSync(directory)
  new Removals(key, []).with({ sdu: '7', handles: [] }, why).write(directory)
  return directory
}

const listIn = (directory: string) => readFileSync(join(directory, 'REMOVED'), 'utf8')
const forgetIn = (snapshots: string, sdu: string, removalKey = '') =>
  recordRemoval({ snapshots, removalKey, sdu, reason: 'asked', force: false, clock: Date.now })

describe('the key of a list of removals', () => {
  it('is made with the first removal, beside the directory, for its owner alone', async () => {
    const place = new SyncedInProcess()
    await place.sync({ authorities: people })
    await forgetIn(place.snapshots, '3')
    const file = `${place.snapshots}.removal-key`
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(listIn(place.snapshots)).not.toContain(readFileSync(file, 'utf8').trim())
    expect(readRemovals(place.snapshots).has('3')).toBe(true)
  })

  it('lies where it is named, and a key that is there already is taken', async () => {
    const place = new SyncedInProcess()
    await place.sync({ authorities: people })
    const file = join(temporaryDirectory(), 'key')
    writeFileSync(file, `${key}\n`)
    await forgetIn(place.snapshots, '3', file)
    expect(readRemovals(place.snapshots).key).toMatchObject({ secret: key, file })
    expect(existsSync(`${place.snapshots}.removal-key`)).toBe(false)
  })

  it('is moved to a file that is named, and is gone from the one before', () => {
    const directory = listed()
    const file = join(temporaryDirectory(), 'elsewhere')
    expect(settleKey(directory, file)).toContain(`but in ${file}`)
    expect(existsSync(`${directory}.removal-key`)).toBe(false)
    expect(readRemovals(directory).has('7')).toBe(true)
    expect(settleKey(directory, file)).toBeUndefined()
    expect(settleKey(directory, '')).toBeUndefined()
  })

  it('that is gone, or is another, lets no sync publish, forced or not, until it is back', async () => {
    const place = new SyncedInProcess(listed())
    await place.sync({ authorities: people })
    const file = `${place.snapshots}.removal-key`
    renameSync(file, `${file}-away`)
    for (const force of [false, true]) {
      expect((await place.sync({}, { force })).refusal).toContain(`its key is not at ${file}`)
    }
    writeFileSync(file, 'd'.repeat(64))
    expect((await place.sync()).refusal).toContain('its key is not at')
    renameSync(`${file}-away`, file)
    expect(await place.sync()).toMatchObject({ published: false, authorities: 29 })
  })

  it('is not needed to load a snapshot that was made with the list', async () => {
    const place = new SyncedInProcess(listed())
    const { id } = await place.taken({ authorities: people })
    rmSync(`${place.snapshots}.removal-key`)
    expect(loadForAnswers(place.snapshots, id).header.id).toBe(id)
  })
})
