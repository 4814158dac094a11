/** Look-ups and texts that stay in a file: they take no memory, and are proved before they leave it. */
import { closeSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSnapshot, readSnapshot, writeSnapshot } from '../../../../src/snapshot/file.ts'
import type { SectionName } from '../../../../src/snapshot/sections.ts'
import { loadSnapshot, pathOf } from '../../../../src/snapshot/store/directory.ts'
import { announcedId } from '../../../../src/snapshot/store/states.ts'
import { StoredBlocks } from '../../../../src/snapshot/texts/stored-blocks.ts'
import { storedColumns } from '../../../../src/snapshot/texts/stored-texts.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { fixtureSnapshot, resealed, withElement } from '../../../support/snapshot-fixture.ts'

const directory = join(import.meta.dirname, '../../../../snapshots')
const defaultPath = pathOf(directory, announcedId(directory)!)
const names = storedColumns

function onDisk(path: string) {
  const file = openSnapshot(path)
  onTestFinished(() => closeSync(file))
  return { textsOnDisk: { file } }
}

it.each([
  ['verified before', readSnapshot],
  ['verified now', loadSnapshot],
])('reads every number of the file as it is in memory, %s', (_, load) => {
  const { sections } = readSnapshot(defaultPath)
  const { texts } = load(defaultPath, onDisk(defaultPath))
  for (const name of names) {
    const blocks = new StoredBlocks(texts!, [texts!.pages[name]!])
    const bytes = sections[name].BYTES_PER_ELEMENT
    const read = (_: number, index: number) => blocks.numberAt(index, bytes)
    const numbers = Array.from(sections[name], read)
    expect(numbers, name).toEqual([...sections[name]])
  }
})

it.each([
  ['verified before', readSnapshot],
  ['verified now', loadSnapshot],
])('has no section of texts and look-ups in memory, %s', (_, load) => {
  const { sections } = load(defaultPath, onDisk(defaultPath))
  for (const name of ['profile.json', 'topic.json', 'peer.gaps', ...names] as SectionName[]) {
    expect(sections[name], name).toHaveLength(0)
  }
})

it.each(names)('refuses a file whose %s disagree with other sections', (name) => {
  const snapshot = fixtureSnapshot()
  const largest = 2 ** (8 * snapshot.sections[name].BYTES_PER_ELEMENT) - 1
  const sections = withElement(snapshot.sections, name, 0, largest)
  const path = join(temporaryDirectory(), 'wrong.msgpack')
  writeSnapshot(path, resealed(snapshot, { sections }))
  expect(() => loadSnapshot(path, onDisk(path))).toThrow(/evidence\./)
})

it('proves texts of a file of unknown origin, and reads none where it was proved', () => {
  const snapshot = fixtureSnapshot()
  const path = join(temporaryDirectory(), 'damaged.msgpack')
  writeSnapshot(path, snapshot)
  const { textsOnDisk } = onDisk(path)
  const load = (isProved: boolean) =>
    readSnapshot(path, { textsOnDisk: { ...textsOnDisk, isProved } })
  const known = load(true)
  expect(load(false)).toEqual(known)
  expect(known.texts!.pages['topic.json']!.checksums).toHaveLength(1)
  const bytes = readFileSync(path)
  bytes[snapshot.header.sections.find(({ name }) => name === 'topic.json')!.offset]! ^= 1
  writeFileSync(path, bytes)
  expect(load(true)).toEqual(known)
  expect(() => load(false)).toThrow('section topic.json: checksum does not match')
})
