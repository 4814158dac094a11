/** Texts of a snapshot that is being made, in a file: the same snapshot as from memory, or what the file has against it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { build } from '../../../../src/indexer/indexer.ts'
import { Refusal } from '../../../../src/problems.ts'
import { UnnamedFile } from '../../../../src/process/unnamed-file.ts'
import { sealed, writeSnapshot } from '../../../../src/snapshot/file.ts'
import { Profiles } from '../../../../src/snapshot/people/profiles.ts'
import { pieceBytes } from '../../../../src/snapshot/pieces.ts'
import { closeTexts, publish } from '../../../../src/snapshot/store/directory.ts'
import { FiledTexts } from '../../../../src/snapshot/texts/filed-texts.ts'
import { collected, temporaryDirectory } from '../../../support/built.ts'
import { withTexts } from '../../../support/filed-in-memory.ts'
import { Random } from '../../../support/random.ts'
import { authority } from '../../../support/records.ts'

/** Random people, some of whom say more than one buffer holds. */
function somePeople(seed: number) {
  const random = new Random(seed, 3)
  const authorities = Array.from({ length: 1 + random.below(40) }, (_, index) =>
    authority({
      sdu: String(index + 1),
      name: `Person ${index + 1}`,
      bio: 'é"\n'.repeat(random.below(index % 13 === 0 ? pieceBytes / 2 : 300)),
      authorityScore: random.below(10_000) / 100,
    }),
  )
  return { authorities }
}

function made(seed: number, file: ConstructorParameters<typeof FiledTexts>[0], perPage: number) {
  const { collector, keywords } = collected(somePeople(seed))
  const filed = new FiledTexts(file)
  const { sections, ...content } = build(collector, filed, () => {}, perPage)(keywords.sections())
  const all = { createdAt: null, sourceFingerprint: '0'.repeat(64), ...content }
  return { ...sealed(all, sections, filed), filed, content: all }
}

it.each([1, 2, 3, 4, 5, 6])(
  'writes the bytes that a snapshot in memory has, of source %i',
  (seed) => {
    const directory = temporaryDirectory()
    const file = new UnnamedFile(directory, 'profiles.tmp')
    onTestFinished(() => file.close())
    const { content, ...snapshot } = made(seed, file, seed % 2 === 0 ? 4 : 64)
    const sections = withTexts(snapshot.sections, snapshot.filed, content.counts)
    const inMemory = join(directory, 'in-memory')
    const whole = sealed(content, sections)
    writeSnapshot(inMemory, whole)

    const published = publish(join(directory, 'snapshots'), snapshot)
    onTestFinished(() => closeTexts(published.snapshot))
    const path = join(directory, 'snapshots', `${snapshot.header.id}.msgpack`)
    expect(readFileSync(path).equals(readFileSync(inMemory))).toBe(true)
    const [read, known] = [new Profiles(published.snapshot), new Profiles(whole)]
    for (let ordinal = 0; ordinal < content.counts.authorities; ordinal += 1) {
      expect(read.textAt(ordinal)).toBe(known.textAt(ordinal))
    }
  },
)

it('takes a file that is whole already for the snapshot, and reads its profiles there', () => {
  const directory = temporaryDirectory()
  const snapshots = join(directory, 'snapshots')
  for (const written of [true, false]) {
    const file = new UnnamedFile(directory, 'profiles.tmp')
    const { content: _, ...snapshot } = made(1, file, 64)
    const published = publish(snapshots, snapshot)
    file.close()
    expect(published.written).toBe(written)
    expect(published.snapshot.sections['profile.json']).toHaveLength(0)
    expect(new Profiles(published.snapshot).textAt(0)).toContain('"name":"Person ')
    closeTexts(published.snapshot)
  }
})

const full = new Refusal('store-refused', 'no space left on device')

it('fails with the error of a file that takes no more, while it is made', () => {
  const append = () => {
    throw full
  }
  expect(() => made(1, { append, read: () => {}, close: () => {} }, 64)).toThrow(full)
})

it('leaves nothing in the directory where the file cannot be read, and publishes nothing', () => {
  const directory = temporaryDirectory()
  let isMade = false
  const read = () => {
    if (isMade) throw full
  }
  const { content: _, ...snapshot } = made(1, { append: () => {}, read, close: () => {} }, 64)
  isMade = true
  expect(() => publish(directory, snapshot)).toThrow(full)
  expect(readdirSync(directory)).toEqual([])
})

it('refuses what came back from the file other than it went there', () => {
  const directory = temporaryDirectory()
  const { content: _, ...snapshot } = made(
    1,
    { append: () => {}, read: (into) => into.fill(0x20), close: () => {} },
    64,
  )
  expect(() => publish(directory, snapshot)).toThrow(
    'section profile.json: checksum does not match',
  )
  expect(readdirSync(directory)).toEqual([])
})
