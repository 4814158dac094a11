/** The directory of snapshots: published before announced, kept while anybody may need it. */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeSnapshot } from '../../../src/snapshot/file.ts'
import {
  announce,
  findSnapshot,
  listSnapshots,
  loadForAnswers,
  loadIfWhole,
  loadSnapshot,
  loadStored,
  pathOf,
  pointersOf,
  publish,
  removeSnapshot,
  retain,
  storedSnapshots,
} from '../../../src/snapshot/store/directory.ts'
import {
  announcedId,
  noteVerified,
  pointers,
  readPointer,
} from '../../../src/snapshot/store/states.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { numbered, published } from '../../support/published.ts'
import { contradictory, fixtureSnapshot } from '../../support/snapshot-fixture.ts'

function copied(path: string): void {
  copyFileSync(path, `${path}.new`)
  renameSync(`${path}.new`, path)
}

describe('loading to answer from', () => {
  /** A directory with a snapshot that contradicts itself, as if it had been verified; and its path. */
  function contradicting() {
    const directory = temporaryDirectory()
    const wrong = contradictory()
    const { id } = wrong.header
    const path = pathOf(directory, id)
    writeSnapshot(path, wrong)
    return { directory, id, path }
  }

  it('verifies nothing again that was verified when it was published', () => {
    const { directory, id } = contradicting()
    expect(() => loadForAnswers(directory, id)).toThrow('section peer.gaps: ')
    noteVerified(directory, `${id}.msgpack`)
    expect(loadForAnswers(directory, id).header.id).toBe(id)
    expect(() => loadStored(directory, id)).toThrow('section peer.gaps: ')
  })

  it.each([
    ['touched', (path: string) => utimesSync(path, 1_000_000, 1_000_000)],
    ['copied', copied],
    ['written again', (path: string) => writeFileSync(path, readFileSync(path))],
  ])('verifies a file that was %s since', (_, change) => {
    const { directory, id, path } = contradicting()
    noteVerified(directory, `${id}.msgpack`)
    change(path)
    expect(() => loadForAnswers(directory, id)).toThrow('section peer.gaps: ')
  })

  it('verifies a file of another size than its note, and everything where the notes are damaged', () => {
    const { directory, id } = contradicting()
    noteVerified(directory, `${id}.msgpack`)
    const notes = join(directory, 'VERIFIED')
    writeFileSync(notes, readFileSync(notes, 'utf8').replace(/ \d+ /, ' 1 '))
    expect(() => loadForAnswers(directory, id)).toThrow('section peer.gaps: ')
    writeFileSync(notes, Buffer.alloc(100, 0xff))
    expect(() => loadForAnswers(directory, id)).toThrow('section peer.gaps: ')
  })

  it('finds a byte that the disk changed, verified or not', () => {
    const directory = temporaryDirectory()
    const { id } = publish(directory, fixtureSnapshot()).snapshot.header
    const path = pathOf(directory, id)
    const bytes = readFileSync(path)
    bytes[bytes.length - 1]! ^= 1
    writeFileSync(path, bytes)
    noteVerified(directory, `${id}.msgpack`)
    expect(() => loadForAnswers(directory, id)).toThrow('section ')
  })

  it('keeps notes of the files that are there', () => {
    const { directory, ids } = published(2)
    for (const id of ids) noteVerified(directory, `${id}.msgpack`)
    rmSync(pathOf(directory, ids[0]!))
    publish(directory, numbered(7))
    const lines = readFileSync(join(directory, 'VERIFIED'), 'utf8').trim().split('\n')
    const names = lines.map((line) => line.split('.msgpack')[0])
    expect(names).toEqual([ids[1], numbered(7).header.id])
  })
})

describe('publishing', () => {
  it('writes a whole file under its id and announces nothing', () => {
    const directory = join(temporaryDirectory(), 'new', 'deep')
    const { header } = fixtureSnapshot()
    const { snapshot, written } = publish(directory, fixtureSnapshot())
    expect(written).toBe(true)
    expect(snapshot.header).toEqual(header)
    expect(loadSnapshot(pathOf(directory, header.id)).header).toEqual(header)
    expect(readdirSync(directory).sort()).toEqual([`${header.id}.msgpack`, 'VERIFIED'].sort())
    expect(announcedId(directory)).toBeUndefined()
  })

  it('writes nothing when the file is there and whole', () => {
    const directory = temporaryDirectory()
    const { header } = publish(directory, fixtureSnapshot()).snapshot
    utimesSync(pathOf(directory, header.id), 1_000_000, 1_000_000)
    const again = publish(directory, fixtureSnapshot())
    expect([again.written, again.snapshot.header]).toEqual([false, header])
    expect(listSnapshots(directory)[0]!.publishedAt).toBe('1970-01-12T13:46:40.000Z')
  })

  it('reads back into the memory that the snapshot lies in', () => {
    const { sections } = fixtureSnapshot()
    const { snapshot } = publish(temporaryDirectory(), fixtureSnapshot())
    for (const name of ['profile.json', 'identity.slots', 'handle.nodes'] as const) {
      expect(snapshot.sections[name].buffer).toBe(sections[name].buffer)
      expect(snapshot.sections[name]).toEqual(sections[name])
    }
  })

  it('replaces a file of its name that is damaged or is another snapshot', () => {
    const directory = temporaryDirectory()
    const { header } = publish(directory, fixtureSnapshot()).snapshot
    const path = pathOf(directory, header.id)
    writeFileSync(path, readFileSync(path).subarray(0, 5000))
    expect(publish(directory, fixtureSnapshot()).written).toBe(true)
    const other = publish(directory, numbered(1)).snapshot.header.id
    copyFileSync(pathOf(directory, other), path)
    expect(publish(directory, fixtureSnapshot()).written).toBe(true)
    expect(loadStored(directory, header.id).header).toEqual(header)
  })

  it('refuses a snapshot that contradicts itself, and leaves no file', () => {
    const directory = temporaryDirectory()
    expect(() => publish(directory, contradictory())).toThrow('section peer.gaps: ')
    expect(readdirSync(directory)).toEqual([])
  })

  it('removes what a killed sync left behind, and nothing else', () => {
    const { directory, ids } = published(1)
    announce(directory, ids[0]!)
    for (const name of [`${'a'.repeat(32)}.msgpack.tmp`, 'CURRENT.tmp']) {
      writeFileSync(join(directory, name), 'half')
    }
    writeFileSync(join(directory, 'rejects.ndjson'), '{}')
    const foreign = ['notes.tmp', 'mine.msgpack.tmp', 'README']
    for (const name of foreign) writeFileSync(join(directory, name), 'of somebody else')
    publish(directory, numbered(7))
    const { id } = numbered(7).header
    expect(readdirSync(directory).sort()).toEqual(
      [`${ids[0]}.msgpack`, `${id}.msgpack`, 'ANNOUNCED', 'CURRENT', 'VERIFIED', 'rejects.ndjson']
        .concat(foreign)
        .sort(),
    )
  })
})

describe('loading a snapshot by its id', () => {
  it('refuses a file that holds another one', () => {
    const { directory, ids } = published(2)
    copyFileSync(pathOf(directory, ids[0]!), pathOf(directory, ids[1]!))
    expect(loadStored(directory, ids[0]!).header.id).toBe(ids[0])
    expect(() => loadStored(directory, ids[1]!)).toThrow(`holds snapshot ${ids[0]}`)
  })
})

describe('a pointer', () => {
  it('of a pin wins over the current one until it is removed', () => {
    const { directory, ids } = published(2)
    announce(directory, ids[1]!)
    expect(readFileSync(join(directory, 'CURRENT'), 'utf8')).toBe(`${ids[1]}\n`)
    pointers.PINNED.write(directory, ids[0]!)
    expect(announcedId(directory)).toBe(ids[0])
    expect(pointersOf(directory)).toEqual({ current: ids[1], pinned: ids[0] })
    expect(pointers.PINNED.remove(directory)).toBe(true)
    expect(pointers.PINNED.remove(directory)).toBe(false)
    expect(announcedId(directory)).toBe(ids[1])
  })

  it('that holds no id is none', () => {
    const directory = temporaryDirectory()
    for (const content of ['', 'latest', '../../etc/passwd', 'A'.repeat(32)]) {
      writeFileSync(join(directory, 'CURRENT'), content)
      expect(readPointer(directory, 'CURRENT')).toBeUndefined()
    }
  })
})

describe('the list of snapshots', () => {
  it('has the last announced first, whatever the times of files, with what points to each', () => {
    const { directory, ids } = published(3)
    announce(directory, ids[1]!)
    pointers.PINNED.write(directory, ids[0]!)
    const listed = listSnapshots(directory)
    expect(listed.map(({ id, current, pinned }) => [id, current, pinned])).toEqual([
      [ids[1], true, false],
      [ids[2], false, false],
      [ids[0], false, true],
    ])
    expect(listed[1]!.header).toEqual(numbered(2).header)
    expect(listed[0]!.bytes).toBe(readFileSync(listed[0]!.path).length)
  })

  it('holds a damaged file without a header, and no other file', () => {
    const { directory, ids } = published(1)
    writeFileSync(pathOf(directory, ids[0]!), 'damaged')
    writeFileSync(join(directory, 'notes.msgpack'), '')
    expect(listSnapshots(directory)).toMatchObject([{ id: ids[0], header: undefined }])
    expect(loadIfWhole(directory, ids[0]!)).toBeUndefined()
    expect(() => loadStored(directory, ids[0]!)).toThrow(pathOf(directory, ids[0]!))
  })

  it('is in the order of announcements, also of one that is announced again', () => {
    const { directory, ids } = published(4)
    for (const place of [3, 0, 2, 1, 0]) announce(directory, ids[place]!)
    const order = listSnapshots(directory).map(({ id }) => ids.indexOf(id))
    expect(order).toEqual([0, 1, 2, 3])
  })

  it('holds nothing of others, and takes no harm from it', () => {
    const { directory, ids } = published(1)
    mkdirSync(join(directory, `${'b'.repeat(32)}.msgpack`))
    mkdirSync(join(directory, 'CURRENT.tmp.d'))
    symlinkSync('nowhere', join(directory, `${'c'.repeat(32)}.msgpack`))
    expect(listSnapshots(directory).map(({ id }) => id)).toEqual(ids)
  })

  it('is empty where there is no directory, which operators are told', () => {
    const directory = join(temporaryDirectory(), 'none')
    expect(listSnapshots(directory)).toEqual([])
    const missing = expect.objectContaining({ code: 'snapshot-missing' })
    expect(() => storedSnapshots(directory)).toThrow(missing)
    expect(pointersOf(directory)).toEqual({ current: undefined, pinned: undefined })
  })
})

describe('snapshots of a directory', () => {
  const idsOf = (directory: string) => storedSnapshots(directory).map(({ id }) => id)

  it('are gone once they are removed, also those that are not there', () => {
    const { directory, ids } = published(2)
    const [first = '', second = ''] = ids
    for (let time = 0; time < 2; time += 1) removeSnapshot(directory, first)
    expect(idsOf(directory)).toEqual([second])
    const missing = expect.objectContaining({ code: 'snapshot-missing' })
    expect(() => loadStored(directory, first)).toThrow(missing)
    expect(loadIfWhole(directory, first)).toBeUndefined()
    expect(loadIfWhole(directory, second)?.header.id).toBe(second)
  })

  it('are found by the beginning of an id when only one begins so', () => {
    const { directory, ids } = published(2)
    expect(findSnapshot(directory, ids[0]!.slice(0, 12)).id).toBe(ids[0])
    const wrong = expect.objectContaining({ code: 'wrong-usage' })
    expect(() => findSnapshot(directory, '')).toThrow(wrong)
    expect(() => findSnapshot(directory, 'x')).toThrow(`${directory}: no snapshot`)
  })

  it('are retained: the last announced, and the current and the pinned one however old', () => {
    const { directory, ids } = published(6)
    const [never = '', ...announced] = ids
    for (const id of announced) announce(directory, id)
    pointers.PINNED.write(directory, announced[0]!)
    expect(retain(directory, 3)).toEqual([announced[1], never])
    expect(idsOf(directory).sort()).toEqual([announced[0], ...announced.slice(2)].sort())
    pointers.PINNED.remove(directory)
    announce(directory, announced[0]!)
    expect(retain(directory, 2)).toEqual([announced[3], announced[2]])
    expect(idsOf(directory)).toEqual([announced[0], announced[4]])
  })
})
