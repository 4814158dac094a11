/** The indexes beside a snapshot: made once, read from then on, and made again where their file is worth nothing. */

import { deepStrictEqual } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { activate } from '../../../src/api/active-snapshot.ts'
import {
  type DerivedIndexes,
  derivedIndexesIn,
  indexesVersion,
  madeOf,
} from '../../../src/engine/derived-indexes.ts'
import type * as LoaderModule from '../../../src/service/loader.ts'
import {
  columnsIn,
  derivedOf,
  derivedPathOf,
  isDerivedOf,
  readDerived,
  removeDerived,
  writeDerived,
} from '../../../src/snapshot/store/derived-file.ts'
import { directoryStore, publish } from '../../../src/snapshot/store/directory.ts'
import { verified } from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'

function published() {
  const directory = temporaryDirectory()
  const { snapshot } = publish(directory, fixtureSnapshot())
  const path = derivedPathOf(directory, `${snapshot.header.id}.msgpack`)
  const made = { times: 0 }
  const make = () => {
    made.times += 1
    return madeOf(snapshot)
  }
  const have = (least = 0) =>
    derivedOf(directory, snapshot.header, { version: indexesVersion, make, least })
  return { directory, snapshot, path, made, have }
}

it('are made by the first load and read by the next ones', () => {
  const { snapshot, made, have } = published()
  const columns = madeOf(snapshot)
  expect(have()).toEqual({ columns })
  expect(made.times).toBe(1)
  expect(have()).toEqual({ columns })
  expect(made.times).toBe(1)
  const served = activate(snapshot, have().columns)
  expect(served.suggestions.topics('golan', 3)).toEqual(
    activate(snapshot).suggestions.topics('golan', 3),
  )
})

it.each([
  ['damaged', (path: string) => writeFileSync(path, readFileSync(path).fill(0, 200, 300))],
  ['cut short', (path: string) => truncateSync(path, 300)],
  ['removed', (path: string) => rmSync(path)],
])('are made again, and written, if their file was %s', (_, spoil) => {
  const { snapshot, path, made, have } = published()
  have()
  spoil(path)
  expect(have()).toEqual({ columns: madeOf(snapshot) })
  expect(made.times).toBe(2)
  have()
  expect(made.times).toBe(2)
})

it('are made by each load of a directory that cannot be written, and the load gets the reason', () => {
  const { snapshot, path, made, have } = published()
  mkdirSync(`${path}.tmp`)
  for (const times of [1, 2]) {
    const { columns, problem } = have()
    expect(columns).toEqual(madeOf(snapshot))
    expect(problem).toContain('EISDIR')
    expect(made.times).toBe(times)
  }
})

it('have no file beside a small snapshot', () => {
  const { snapshot, path, have } = published()
  expect(have(4096)).toEqual({ columns: madeOf(snapshot) })
  expect(existsSync(path)).toBe(false)
})

it('are those of their version', () => {
  const hash = createHash('sha256')
  const add = (value: unknown): void => {
    if (value instanceof Uint32Array) hash.update(value)
    else {
      for (const [name, each] of Object.entries(value as object)) {
        hash.update(name)
        add(each)
      }
    }
  }
  add(madeOf(fixtureSnapshot()))
  // If they change, raise `indexesVersion`: a file that was written before must not be read as this one.
  expect(hash.digest('hex').slice(0, 16)).toBe('321efbe905941347')
})

const people = Array.from({ length: 4096 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust'],
  socials: { github: { handle: `person${index + 1}` } },
}))

/** A directory with the snapshot of a sync, its id and the file of its indexes. */
async function synced() {
  const place = new SyncedInProcess()
  const outcome = await place.sync({ authorities: people })
  if (outcome.refusal !== undefined) throw new Error(outcome.refusal)
  const { id, notes } = outcome
  const key = { directory: place.snapshots, fileName: `${id}.msgpack` }
  return { place, id, notes, key, path: derivedPathOf(key.directory, key.fileName) }
}

/** A thread that loads snapshots. */
async function newLoader(directory: string): Promise<LoaderModule.Loader> {
  // As it was built: a thread cannot be started from TypeScript on every Node.js.
  const built = join(import.meta.dirname, '..', '..', '..', 'dist', 'loader.js')
  const { Loader }: typeof LoaderModule = await import(built)
  const loader = new Loader(directory, 0, () => 0, false)
  onTestFinished(() => loader.close())
  return loader
}

it('are left by a sync or by the first load, and read by the thread that loads the snapshot', async () => {
  const { id, notes, key } = await synced()
  expect(notes).toEqual([])
  const versioned = { ...key, version: indexesVersion }
  const left = readDerived<DerivedIndexes>(versioned, () => {})!
  expect(left.orders.handles).toHaveLength(people.length)
  writeDerived(versioned, { ...left, mark: Uint32Array.of(7) }, () => {})
  const loader = await newLoader(key.directory)
  expect(await loader.load(id)).toMatchObject({ mark: Uint32Array.of(7) })
  // Of unknown origin: the load verifies it, and leaves them with the word that it did.
  removeDerived(key.directory, key.fileName)
  rmSync(join(key.directory, verified.name))
  deepStrictEqual((await loader.load(id)).orders, left.orders)
  expect(isDerivedOf(key.directory, key.fileName)).toBe(true)
})

it('lie in the memory of the snapshot before, whether they are read or made', async () => {
  const { id, key } = await synced()
  const loader = await newLoader(key.directory)
  const load = async () => {
    const snapshot = await loader.load(id)
    await loader.recycle(snapshot, false)
    return columnsIn(derivedIndexesIn(snapshot)).map(([, { buffer }]) => new Uint8Array(buffer))
  }
  const before = await load()
  removeDerived(key.directory, key.fileName)
  for (const after of [await load(), await load()]) {
    for (const [column, now] of after.entries()) {
      now[0]! ^= 1
      expect(before[column]![0]).toBe(now[0])
    }
  }
})

it('that a sync cannot write cost it a line', async () => {
  const { place, id, path } = await synced()
  await directoryStore(place.snapshots).remove(id)
  mkdirSync(`${path}.tmp`)
  const again = await place.sync({}, { force: true })
  expect(again).toMatchObject({ id, published: true })
  expect(again.notes.filter((line) => line.includes('EISDIR'))).toHaveLength(1)
})
