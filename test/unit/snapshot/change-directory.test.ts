/** Chains of files of changes where files come to harm, go missing, grow old or lead elsewhere. */
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  changeEntries,
  readChain,
  retainChanges,
} from '../../../src/snapshot/changes/change-directory.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { announceNext, dayMs } from '../../support/announced.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

/** What is announced on a day; each day another snapshot. */
function ofDay(day: number): Snapshot {
  return snapshotOf({ authorities: [authority({ sdu: '1', authorityScore: day })] })
}

/** A directory in which so many snapshots were announced, from day 1 on; and what its chain says. */
class Scene {
  readonly directory = temporaryDirectory()

  constructor(days: number) {
    for (let day = 1; day <= days; day += 1) this.announce(day)
  }

  announce(day: number): void {
    announceNext(this.directory, day === 1 ? undefined : ofDay(day - 1), ofDay(day), day * dayMs)
  }

  pathOf(day: number): string {
    return changeEntries(this.directory).find(({ number }) => number === day)!.path
  }

  /** The days of the chain that leads to a day, and what is said of its end. */
  chain(
    day: number,
    sinceMs = 0,
  ): { readonly days: number[]; readonly broken: string | undefined } {
    const { files, broken } = readChain(this.directory, ofDay(day).header.id, { sinceMs })
    return { days: files.map(({ header }) => header.number), broken }
  }
}

/** Ways in which a file comes to harm, given its bytes. */
const damages: Readonly<Record<string, (bytes: Buffer) => Uint8Array>> = {
  'a bit of the header that is another': (bytes) => flipped(bytes, 40),
  'a bit of the people that is another': (bytes) => flipped(bytes, 4_096),
  'a bit of the index that is another': (bytes) => flipped(bytes, bytes.length - 1),
  'no last byte': (bytes) => bytes.subarray(0, -1),
  'no people': (bytes) => bytes.subarray(0, 4_096),
  'half a header': (bytes) => bytes.subarray(0, 60),
  'nothing in it': () => new Uint8Array(0),
}

function flipped(bytes: Buffer, at: number): Buffer {
  const other = Buffer.from(bytes)
  other[at]! ^= 1
  return other
}

describe.each(Object.entries(damages))('a file with %s', (_, damaged) => {
  it('is named, and the chain begins behind it', () => {
    const scene = new Scene(4)
    const path = scene.pathOf(2)
    writeFileSync(path, damaged(readFileSync(path)))
    const { days, broken } = scene.chain(4)
    expect(days).toEqual([3, 4])
    expect(broken).toMatch(`${path}: `)
  })

  it('that is the last leaves no chain, until the next announcement begins one', () => {
    const scene = new Scene(3)
    const path = scene.pathOf(3)
    writeFileSync(path, damaged(readFileSync(path)))
    expect(scene.chain(3)).toEqual({ days: [], broken: expect.stringContaining(path) })
    scene.announce(4)
    expect(scene.chain(4)).toEqual({ days: [4], broken: expect.stringContaining(path) })
  })

  it('is removed when it is the oldest, whatever its age', () => {
    const scene = new Scene(3)
    writeFileSync(scene.pathOf(1), damaged(readFileSync(scene.pathOf(1))))
    retainChanges(scene.directory, -362 * dayMs)
    expect(scene.chain(3)).toEqual({ days: [2, 3], broken: undefined })
    expect(changeEntries(scene.directory).map(({ number }) => number)).toEqual([2, 3])
  })
})

describe('a file that is missing', () => {
  it('is told of by the snapshot that it led to, and the chain begins behind it', () => {
    const scene = new Scene(4)
    rmSync(scene.pathOf(2))
    const told = `${scene.directory}/changes: no file leads to snapshot ${ofDay(2).header.id}`
    expect(scene.chain(4)).toEqual({ days: [3, 4], broken: told })
  })

  it('leaves no chain where it is the last, until the next announcement begins one', () => {
    const scene = new Scene(3)
    rmSync(scene.pathOf(3))
    const told = `${scene.directory}/changes: no file leads to snapshot ${ofDay(3).header.id}`
    expect(scene.chain(3)).toEqual({ days: [], broken: told })
    scene.announce(4)
    expect(scene.chain(4)).toEqual({ days: [3], broken: told })
  })

  it('is no fault where it is the oldest: it has grown too old', () => {
    const scene = new Scene(3)
    rmSync(scene.pathOf(1))
    expect(scene.chain(3)).toEqual({ days: [2, 3], broken: undefined })
  })

  it('is no fault where there are none at all', () => {
    const scene = new Scene(1)
    rmSync(scene.pathOf(1))
    expect(scene.chain(1)).toEqual({ days: [], broken: undefined })
  })
})

it('a file under the name of another is named, and not served', () => {
  const scene = new Scene(3)
  copyFileSync(scene.pathOf(1), scene.pathOf(2))
  expect(scene.chain(3)).toEqual({
    days: [3],
    broken: expect.stringMatching(`${scene.pathOf(2)}: holds the changes of number 1, `),
  })
})

it('a file is read anew when it is another than the one that was read', () => {
  const scene = new Scene(2)
  const { id } = ofDay(2).header
  const known = readChain(scene.directory, id).files
  const again = () => readChain(scene.directory, id, { known })
  expect(again().files.map((file) => known.includes(file))).toEqual([true, true])
  appendFileSync(scene.pathOf(1), 'x')
  expect(again()).toEqual({ files: [known[1]], broken: expect.stringContaining(scene.pathOf(1)) })
})

describe('changes are kept', () => {
  it('as long as is said, and those of the last announcement however old they are', () => {
    const scene = new Scene(5)
    retainChanges(scene.directory, 4 * dayMs)
    expect(scene.chain(5)).toEqual({ days: [4, 5], broken: undefined })
    retainChanges(scene.directory, 58 * dayMs)
    expect(scene.chain(5)).toEqual({ days: [5], broken: undefined })
  })

  it('and served so long only, though no sync has removed them yet', () => {
    const scene = new Scene(5)
    expect(scene.chain(5, 4 * dayMs).days).toEqual([4, 5])
    expect(scene.chain(5, 60 * dayMs).days).toEqual([5])
  })
})
