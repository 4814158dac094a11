/**
 * Damaged snapshot files: bytes that are not what was written, and files whose checksums and id are right but
 * whose sections, counts or lengths contradict each other. The same seed gives the same files.
 */
import { readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packed, payloadBytes } from '../../src/snapshot/column-file.ts'
import { type Snapshot, writeSnapshot } from '../../src/snapshot/file.ts'
import { idOf, type SnapshotHeader } from '../../src/snapshot/header.ts'
import { sectionNames } from '../../src/snapshot/sections.ts'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from './built.ts'
import { Random } from './random.ts'
import { resealed, withElement } from './snapshot-fixture.ts'

interface Mutation {
  readonly kind: string
  readonly id: string
  readonly bytes: Buffer
}

interface Whole {
  readonly snapshot: Snapshot
  readonly file: Buffer
}

type Damage = (whole: Whole, random: Random) => Omit<Mutation, 'kind'>

export function* mutations(snapshot: Snapshot, count: number, seed = 1): Generator<Mutation> {
  const random = new Random(seed, count)
  const whole = { snapshot, file: fileOf(snapshot) }
  const all = Object.entries(damages)
  for (let index = 0; index < count; index += 1) {
    const [kind, damage] = all[index % all.length]!
    yield { kind, ...damage(whole, random) }
  }
}

/**
 * Puts a damaged file into a directory in one step, as a sync would, and returns its id. The number
 * is its time, so that it differs from a file of the same name that was there before.
 */
export function dropped(directory: string, { id, bytes }: Mutation, number: number): string {
  const path = pathOf(directory, id)
  writeFileSync(`${path}.tmp`, bytes)
  utimesSync(`${path}.tmp`, number, number)
  renameSync(`${path}.tmp`, path)
  return id
}

function fileOf(snapshot: Snapshot): Buffer {
  const path = join(temporaryDirectory(), 'whole.msgpack')
  writeSnapshot(path, snapshot)
  return readFileSync(path)
}

function changed({ snapshot, file }: Whole, change: (bytes: Buffer) => Buffer | undefined) {
  const bytes = Buffer.from(file)
  return { id: snapshot.header.id, bytes: change(bytes) ?? bytes }
}

function sealed({ snapshot }: Whole, changes: Parameters<typeof resealed>[1]) {
  const wrong = resealed(snapshot, changes)
  return { id: wrong.header.id, bytes: fileOf(wrong) }
}

/** The file under a header that says something else of it, with the id of that header. */
function headed({ snapshot, file }: Whole, header: SnapshotHeader) {
  const wrong = { ...header, id: idOf(header) }
  const region = Math.ceil(packed(snapshot.header).length / 4096) * 4096
  const bytes = Buffer.from(file)
  bytes.fill(0xc0, 0, region)
  const encoded = packed(wrong)
  if (encoded.length > region) throw new Error('the header does not fit')
  encoded.copy(bytes)
  return { id: wrong.id, bytes }
}

const numbers = sectionNames.filter((name) => /starts|ordinals|nodes|members|topics/.test(name))

const damages: Readonly<Record<string, Damage>> = {
  'a flipped bit': (whole, random) =>
    changed(whole, (bytes) => {
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8)
      return undefined
    }),
  'cut short': (whole, random) =>
    changed(whole, (bytes) => bytes.subarray(0, random.below(bytes.length))),
  'bytes in excess': (whole, random) =>
    changed(whole, (bytes) => Buffer.concat([bytes, Buffer.alloc(1 + random.below(5000), 0xc0)])),
  'a hole': (whole, random) =>
    changed(whole, (bytes) => {
      const { offset, length, type } = random.pick(
        whole.snapshot.header.sections.filter((entry) => payloadBytes(entry) > 0),
      )
      bytes.fill(0x5f, offset, offset + payloadBytes({ type, length }))
      return undefined
    }),
  'a number out of range and sealed': (whole, random) => {
    const { sections } = whole.snapshot
    const name = random.pick(numbers.filter((each) => sections[each].length > 0))
    const index = random.below(sections[name].length)
    return sealed(whole, { sections: withElement(sections, name, index, 0xffff_ffff - index) })
  },
  'a length that is none': (whole, random) => {
    const { header } = whole.snapshot
    const at = random.below(header.sections.length)
    const length = random.pick([0xffff_ffff, 0x3fff_ffff, 0x7fff_ffff, 1 << 26, 0])
    const sections = header.sections.map((entry, index) =>
      index === at ? { ...entry, length: entry.length === length ? length + 1 : length } : entry,
    )
    return headed(whole, { ...header, sections })
  },
}
