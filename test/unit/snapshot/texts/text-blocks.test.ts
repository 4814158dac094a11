/** Checksums of blocks beside a snapshot: with them a load reads no text. */

import { deepStrictEqual } from 'node:assert/strict'
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openSnapshot, type Snapshot } from '../../../../src/snapshot/file.ts'
import { profileRests } from '../../../../src/snapshot/section-pages.ts'
import {
  derivedPathOf,
  readDerived,
  removeDerived,
  writeDerived,
} from '../../../../src/snapshot/store/derived-file.ts'
import { directoryStore, loadForAnswers, pathOf } from '../../../../src/snapshot/store/directory.ts'
import { verified } from '../../../../src/snapshot/store/states.ts'
import { UnreadableTexts } from '../../../../src/snapshot/texts/stored-blocks.ts'
import { blocksVersion, type TextBlocks } from '../../../../src/snapshot/texts/stored-texts.ts'
import { SyncedInProcess } from '../../../support/synced-in-process.ts'

const people = Array.from({ length: 4096 }, (_, index) => ({
  sdu: String(index + 1),
  name: `Person Number${index + 1}`,
  topics: ['Rust'],
  socials: { github: { handle: `person${index + 1}` } },
}))

let directory = ''
let id = ''
/** As the sync left them. */
let blocks: TextBlocks = {}

beforeEach(async () => {
  const place = new SyncedInProcess()
  const outcome = await place.sync({ authorities: people })
  if (outcome.refusal !== undefined) throw new Error(outcome.refusal)
  ;({ id } = outcome)
  directory = place.snapshots
  blocks = leftBlocks()!
})

function key() {
  return { directory, fileName: `${id}.msgpack`, version: blocksVersion, kind: '.blocks' } as const
}

function leftBlocks() {
  return readDerived<TextBlocks>(key())
}

function load(): Snapshot {
  const file = openSnapshot(pathOf(directory, id))
  onTestFinished(() => closeSync(file))
  return loadForAnswers(directory, id, { textsOnDisk: { file } })
}

/** The profile of somebody, read from the file. */
function profileOf(snapshot: Snapshot, ordinal: number): string {
  return profileRests(snapshot).textAt(ordinal)
}

/** People are as important as each other: they are numbered by their SDUs. */
function handleOf(ordinal: number): string {
  return `"person${ordinal + 1}"`
}

/** Damages a byte of the profile of somebody in the file, which then counts as the one that was verified. */
function damage(snapshot: Snapshot, ordinal: number): void {
  const { offset } = snapshot.header.sections.find(({ name }) => name === 'profile.json')!
  const file = openSync(pathOf(directory, id), 'r+')
  const at = offset + snapshot.sections['profile.ends'][ordinal]! - 3
  const byte = Buffer.alloc(1)
  writeSync(file, byte, 0, 1, at)
  closeSync(file)
  writeDerived(key(), blocks)
}

describe('checksums of blocks', () => {
  it('are left by a sync, and the same by a load that finds none', async () => {
    expect(blocks['profile.json']!.checksums.length).toBeGreaterThan(20)
    expect(blocks['topic.json']!.checksums.length).toBeGreaterThan(0)
    const found = load()
    removeDerived(directory, `${id}.msgpack`)
    rmSync(join(directory, verified.name))
    const proved = load()
    deepStrictEqual(leftBlocks(), blocks)
    const { file } = proved.texts!
    expect(file).toEqual(expect.any(Number))
    deepStrictEqual(proved, { ...found, texts: { ...found.texts, file } })
    await directoryStore(directory).remove(id)
    expect(readdirSync(directory).filter((name) => name.startsWith(id))).toEqual([])
  })

  it('cost nothing but the reading where none can be left', () => {
    const path = derivedPathOf(directory, `${id}.msgpack`, '.blocks')
    rmSync(path)
    mkdirSync(path)
    const before = readdirSync(directory)
    expect(profileOf(load(), 4000)).toContain(handleOf(4000))
    expect(readdirSync(directory)).toEqual(before)
  })
})

describe('a damaged text', () => {
  it('is found when it is read, and by a load that knows no checksums', () => {
    damage(load(), 4000)
    const snapshot = load()
    expect(profileOf(snapshot, 50)).toContain(handleOf(50))
    expect(profileOf(snapshot, 3000)).toContain(handleOf(3000))
    expect(() => profileOf(snapshot, 4000)).toThrow(UnreadableTexts)
    rmSync(derivedPathOf(directory, `${id}.msgpack`, '.blocks'))
    expect(load).toThrow('section profile.json: checksum does not match')
  })
})
