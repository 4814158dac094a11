/** Checksums of blocks in a snapshot: a load of a file that was proved reads no text. */

import { deepStrictEqual } from 'node:assert/strict'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openSnapshot, type Snapshot } from '../../../../src/snapshot/file.ts'
import { Profiles } from '../../../../src/snapshot/people/profiles.ts'
import { loadForAnswers, pathOf } from '../../../../src/snapshot/store/directory.ts'
import { noteVerified, verified } from '../../../../src/snapshot/store/states.ts'
import { UnreadableTexts } from '../../../../src/snapshot/texts/stored-blocks.ts'
import { SyncedInProcess } from '../../../support/synced-in-process.ts'

const people = Array.from({ length: 4096 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust'],
  socials: { github: { handle: `person${index + 1}` } },
}))

let directory = ''
let id = ''

beforeEach(async () => {
  const place = new SyncedInProcess()
  const outcome = await place.sync({ authorities: people })
  if (outcome.refusal !== undefined) throw new Error(outcome.refusal)
  ;({ id } = outcome)
  directory = place.snapshots
})

function load(): Snapshot {
  const file = openSnapshot(pathOf(directory, id))
  onTestFinished(() => closeSync(file))
  return loadForAnswers(directory, id, { textsOnDisk: { file } })
}

function profileOf(snapshot: Snapshot, ordinal: number): string {
  return new Profiles(snapshot).rests.textAt(ordinal)
}

/** People are as important as each other: they are numbered by their SDUs. */
function handleOf(ordinal: number): string {
  return `"person${ordinal + 1}"`
}

/** Damages a byte of the profile of somebody in the file, which then counts as the one that was verified. */
function damage(snapshot: Snapshot, ordinal: number): void {
  const { offset } = snapshot.header.sections.find(({ name }) => name === 'profile.json')!
  const file = openSync(pathOf(directory, id), 'r+')
  const at = offset + snapshot.sections['profile.starts'][ordinal + 1]! - 3
  const byte = Buffer.alloc(1)
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
  noteVerified(directory, `${id}.msgpack`)
}

/** From now on nothing is known of the file. */
function forget(): void {
  rmSync(join(directory, verified.name))
}

describe('checksums of blocks', () => {
  it('are those of the snapshot, whether its file is known or of unknown origin', () => {
    const known = load()
    expect(known.texts!.pages['profile.json']!.checksums.length).toBeGreaterThan(20)
    expect(known.texts!.pages['topic.json']!.checksums.length).toBeGreaterThan(0)
    forget()
    const proved = load()
    const { file } = known.texts!
    deepStrictEqual({ ...proved, texts: { ...proved.texts, file } }, known)
  })
})

describe('a damaged text', () => {
  it('is found when it is read, and by a load of a file of unknown origin', () => {
    damage(load(), 4000)
    const snapshot = load()
    expect(profileOf(snapshot, 50)).toContain(handleOf(50))
    expect(profileOf(snapshot, 3000)).toContain(handleOf(3000))
    expect(() => profileOf(snapshot, 4000)).toThrow(UnreadableTexts)
    forget()
    expect(load).toThrow('section profile.json: checksum does not match')
  })
})
