/** One file of changes: how large it may be, and that reading it in pieces sees every byte. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashText } from '../../../src/memory/hash-buckets.ts'
import type { Refusal } from '../../../src/problems.ts'
import { changeOf } from '../../../src/snapshot/changes/change.ts'
import {
  changeEntries,
  nextNumber,
  publishChanges,
  removeUnannounced,
} from '../../../src/snapshot/changes/change-directory.ts'
import { peopleOf, readChangeFile } from '../../../src/snapshot/changes/change-file.ts'
import { temporaryDirectory } from '../../support/built.ts'

const people = Array.from({ length: 50 }, (_, number) => String(number + 1))
  .sort((a, b) => hashText(a) - hashText(b))
  .map((sdu) => ({ sdu, changes: [changeOf('removed', null, null)] }))

/** In the order of the header, of which the checksum is. */
function factsOf(number: number) {
  const id = String(number).padStart(32, '0')
  const announcedAt = new Date(0).toISOString()
  const made = { createdAt: null, recipe: 1, digest: '', counts: {}, stability: null }
  return { number, id, parent: null, announcedAt, ...made }
}

function isRefused(path: string): boolean {
  try {
    return readChangeFile(path) === undefined
  } catch (error) {
    return (error as Refusal).code === 'snapshot-refused'
  }
}

describe('a file of changes', () => {
  it('that would be larger than it may be is refused before it has a name, and nothing is left', () => {
    const directory = temporaryDirectory()
    const publish = () => publishChanges(directory, factsOf(1), people, { bytesMax: 100 })
    expect(publish).toThrow('the changes would take more than 100 bytes')
    expect(readdirSync(join(directory, 'changes'))).toEqual([])
  })

  it('says the same when it is read, and is refused with another bit, wherever that is', () => {
    const directory = temporaryDirectory()
    publishChanges(directory, factsOf(1), people)
    const { path } = changeEntries(directory)[0]!
    expect([...peopleOf(readChangeFile(path))]).toEqual(people)
    const bytes = readFileSync(path)
    const accepted = [...bytes.keys()].filter((at) => {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1 << (at % 8)
      writeFileSync(path, changed)
      return !isRefused(path)
    })
    expect(accepted).toEqual([])
  })
})

describe('the number of the next announcement', () => {
  it('is told without removing anything; files that were never announced are removed apart', () => {
    const directory = temporaryDirectory()
    for (const number of [1, 2, 3]) publishChanges(directory, factsOf(number), people)
    const numbers = () => changeEntries(directory).map(({ number }) => number)
    expect(nextNumber(directory, factsOf(2).id)).toBe(3)
    expect(numbers()).toEqual([1, 2, 3])
    removeUnannounced(directory, 3)
    expect(numbers()).toEqual([1, 2])
    expect(nextNumber(directory, 'f'.repeat(32))).toBe(3)
  })
})
