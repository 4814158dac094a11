/** The file of derived columns beside a snapshot: believed while everything is as it was written, else as good as none. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeSnapshot } from '../../../src/snapshot/file.ts'
import {
  derivedPathOf,
  isDerivedOf,
  readDerived,
  writeDerived,
} from '../../../src/snapshot/store/derived-file.ts'
import {
  directoryStore,
  loadForAnswers,
  pathOf,
  publish,
} from '../../../src/snapshot/store/directory.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'
import { fixtureSnapshot, resealed, withElement } from '../../support/snapshot-fixture.ts'

const columns = {
  orders: { handles: Uint32Array.of(3, 1, 2), none: new Uint32Array(0) },
  rows: [Uint32Array.of(7), Uint32Array.of(1, 2 ** 32 - 1)],
}
const noRest = () => {}

/** A published snapshot with columns beside it. */
function kept() {
  const directory = temporaryDirectory()
  const { id } = publish(directory, fixtureSnapshot()).snapshot.header
  const fileName = `${id}.msgpack`
  const key = { directory, fileName, version: 1 }
  writeDerived(key, columns, noRest)
  const read = (more: Partial<typeof key> = {}) => readDerived({ ...key, ...more }, noRest)
  return { ...key, id, path: derivedPathOf(directory, fileName), read }
}

describe('columns beside a snapshot', () => {
  it('are read as they were written, into memory that threads share', () => {
    const { read } = kept()
    const found = read() as typeof columns
    expect(found).toEqual(columns)
    expect(found.rows[1]?.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it('are the same bytes if one column is longer than what is read at once', () => {
    const { directory, fileName, version } = kept()
    const long = Uint32Array.from({ length: 150_000 }, (_, index) => index * 28_631)
    writeDerived({ directory, fileName, version }, { long }, noRest)
    const found = readDerived<{ long: Uint32Array }>({ directory, fileName, version }, noRest)
    expect(Buffer.from(found!.long.buffer).equals(Buffer.from(long.buffer))).toBe(true)
  })

  it('are none if any byte of them is another', () => {
    const { path, read } = kept()
    const bytes = readFileSync(path)
    for (let at = 0; at < bytes.length; at += 1) {
      bytes[at]! ^= 0x20
      writeFileSync(path, bytes)
      expect([at, read()]).toEqual([at, undefined])
      bytes[at]! ^= 0x20
    }
    writeFileSync(path, bytes)
    expect(read()).toEqual(columns)
  })

  it('are none if they were cut short', () => {
    const { path, read } = kept()
    const bytes = readFileSync(path)
    for (let length = 0; length < bytes.length; length += 1) {
      writeFileSync(path, bytes.subarray(0, length))
      expect([length, read()]).toEqual([length, undefined])
    }
  })

  it('are none to another version of the columns', () => {
    const { read } = kept()
    expect(read({ version: 2 })).toBeUndefined()
    expect(read()).toEqual(columns)
  })

  it.each([
    ['touched', (path: string) => utimesSync(path, 1_000_000, 1_000_000)],
    ['copied', copied],
    ['written again', (path: string) => writeFileSync(path, readFileSync(path))],
    ['removed', (path: string) => rmSync(path)],
  ])('are none if the file of the snapshot was %s since', (_, change) => {
    const { directory, id, fileName, read } = kept()
    change(pathOf(directory, id))
    expect(read()).toBeUndefined()
    expect(isDerivedOf(directory, fileName)).toBe(false)
  })

  it('are none if they are of another snapshot', () => {
    const { directory, path, read } = kept()
    const { id } = publish(directory, another()).snapshot.header
    copyFileSync(path, derivedPathOf(directory, `${id}.msgpack`))
    expect(read({ fileName: `${id}.msgpack` })).toBeUndefined()
    expect(read()).toEqual(columns)
  })

  it('are none, and nothing of them is left, if they cannot be written', () => {
    const { directory, fileName, version, path, read } = kept()
    rmSync(path)
    mkdirSync(path)
    const write = () => writeDerived({ directory, fileName, version }, columns, noRest)
    expect(write).toThrow()
    expect(readdirSync(directory).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(read()).toBeUndefined()
    rmSync(path, { recursive: true })
    mkdirSync(`${path}.tmp`)
    expect(write).toThrow('EISDIR')
  })

  it('are written in the place of those that a killed process left half written', () => {
    const { directory, fileName, version, path, read } = kept()
    renameSync(path, `${path}.tmp`)
    writeDerived({ directory, fileName, version }, columns, noRest)
    expect(read()).toEqual(columns)
    expect(existsSync(`${path}.tmp`)).toBe(false)
  })
})

describe('a snapshot that is removed', () => {
  it('takes its columns along, whole or half written', async () => {
    const { directory, id, path } = kept()
    writeFileSync(`${path}.tmp`, 'half')
    await directoryStore(directory).remove(id)
    expect(derivedIn(directory)).toEqual([])
  })

  it('leaves no columns if it is removed while they are written', () => {
    const { directory, fileName, version, path } = kept()
    rmSync(path)
    writeDerived({ directory, fileName, version }, columns, () =>
      rmSync(join(directory, fileName), { force: true }),
    )
    expect(derivedIn(directory)).toEqual([])
  })

  it('by hand leaves columns until the next snapshot is published', () => {
    const { directory, id, path } = kept()
    publish(directory, another())
    expect(derivedIn(directory)).toHaveLength(1)
    writeFileSync(`${path}.tmp`, 'half')
    rmSync(pathOf(directory, id))
    publish(directory, fixtureWith(98))
    expect(derivedIn(directory)).toEqual([])
  })
})

it('is not verified again if columns of it as it lies there are beside it', () => {
  const directory = temporaryDirectory()
  const { sections } = fixtureSnapshot()
  const changes = { sections: withElement(sections, 'peer.gaps', 0, 99) }
  const wrong = resealed(fixtureSnapshot(), changes)
  const { id } = wrong.header
  writeSnapshot(pathOf(directory, id), wrong)
  expect(() => loadForAnswers(directory, id)).toThrow('section peer.gaps: ')
  writeDerived({ directory, fileName: `${id}.msgpack`, version: 1 }, columns, noRest)
  expect(loadForAnswers(directory, id).header.id).toBe(id)
  copied(pathOf(directory, id))
  expect(() => loadForAnswers(directory, id)).toThrow('section peer.gaps: ')
})

/** Puts a copy in the place of a file. */
function copied(path: string): void {
  copyFileSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
}

function derivedIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => name.includes('.derived'))
}

function another() {
  return fixtureWith(99)
}

function fixtureWith(sdu: number) {
  return snapshotOf({ authorities: [authority({ sdu: String(sdu) })] })
}
