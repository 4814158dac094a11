/** The file: what was written is read, and what was not written is refused. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Unpackr } from 'msgpackr'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { packed } from '../../../src/snapshot/column-file.ts'
import { readHeader, readSnapshot, writeSnapshot } from '../../../src/snapshot/file.ts'
import { idOf, type SnapshotHeader } from '../../../src/snapshot/header.ts'
import { sectionNames } from '../../../src/snapshot/sections.ts'
import { verifySections } from '../../../src/snapshot/verify/verify.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { isFlipRefused, opened, refusalOf, written } from '../../support/damage.ts'
import { smallSources } from '../../support/records.ts'
import { fixtureSnapshot } from '../../support/snapshot-fixture.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('file.tsv', import.meta.url))

describe('a snapshot file', () => {
  it('is read as it was written, and its sections agree', () => {
    fc.assert(
      fc.property(
        smallSources,
        fc.constantFrom(null, '2026-11-01T00:00:00.000Z'),
        (records, at) => {
          const snapshot = snapshotOf(records, at)
          const { header, sections } = readSnapshot(written(snapshot))
          expect(header).toEqual(snapshot.header)
          for (const name of sectionNames) {
            expect([...sections[name]]).toEqual([...snapshot.sections[name]])
            expect(sections[name].buffer).toBeInstanceOf(SharedArrayBuffer)
          }
          expect(verifySections(sections, header.counts)).toBeUndefined()
        },
      ),
      { numRuns: 25 },
    )
  })

  it('has a header that is read without the rest', () => {
    const snapshot = fixtureSnapshot()
    expect(readHeader(written(snapshot))).toEqual(snapshot.header)
  })

  it('is a sequence of MessagePack values: the header, then one bin a section, 8-byte aligned', () => {
    const snapshot = fixtureSnapshot()
    const values: unknown[] = []
    const unpackr = new Unpackr({ useRecords: false })
    unpackr.unpackMultiple(readFileSync(written(snapshot)), (value: unknown) => {
      if (value !== null) values.push(value)
    })
    expect(values.length).toBe(1 + sectionNames.length)
    expect(values[0]).toEqual(snapshot.header)
    snapshot.header.sections.forEach(({ name, offset }, index) => {
      const { buffer, byteOffset, byteLength } = snapshot.sections[name]!
      expect(Buffer.from(buffer, byteOffset, byteLength).equals(values[index + 1] as Buffer)).toBe(
        true,
      )
      expect(offset % 8).toBe(0)
    })
  })

  it('is never written over a file that is there', () => {
    const path = written()
    expect(() => writeSnapshot(path, fixtureSnapshot())).toThrow('EEXIST')
  })

  it('is refused as missing where there is none', () => {
    const path = join(temporaryDirectory(), 'none.msgpack')
    expect(() => readSnapshot(path)).toThrow(
      expect.objectContaining({
        code: 'snapshot-missing',
        message: `${path}: no such snapshot file`,
      }),
    )
  })
})

describe('a damaged file is refused by its name', () => {
  it('whatever bit is flipped', () => {
    const path = written()
    const file = opened(path)
    const position = fc.nat(readFileSync(path).length - 1)
    fc.assert(
      fc.property(position, fc.nat(7), (at, bit) => isFlipRefused(path, file, at, bit)),
      { numRuns: 2_000 },
    )
  })

  it('when bytes follow it', () => {
    for (const tail of [Buffer.of(0xc0), Buffer.alloc(8, 0xc0), Buffer.alloc(4096)]) {
      const path = written()
      appendFileSync(path, tail)
      expect(refusalOf(path)).toBe(`${path}: the file is longer than its sections`)
    }
  })

  it('and the section that is damaged is named', () => {
    const snapshot = fixtureSnapshot()
    for (const { name, offset, length } of snapshot.header.sections) {
      if (length === 0) continue
      const path = written(snapshot)
      const file = opened(path)
      writeSync(file, Buffer.of(0xa5, 0x5a), 0, 2, offset - 1)
      expect(refusalOf(path)).toBe(`${path}: section ${name}: its MessagePack framing is damaged`)
      writeSync(file, readFileSync(written(snapshot)), offset - 1, 1, offset - 1)
      expect(refusalOf(path)).toBe(`${path}: section ${name}: checksum does not match`)
    }
  })
})

/** A file whose header says something else, under an id that is right. */
function withHeader(changes: Record<string, unknown>): string {
  const path = written()
  const { header } = fixtureSnapshot()
  const changed = { ...header, ...changes } as SnapshotHeader
  const bytes = readFileSync(path)
  const region = Math.ceil(packed(header).length / 4096) * 4096
  const encoded = packed({ ...changed, id: idOf(changed) })
  expect(encoded.length).toBeLessThanOrEqual(region)
  bytes.fill(0xc0, 0, region)
  encoded.copy(bytes)
  writeFileSync(path, bytes)
  return path
}

function sectionsWith(index: number, changes: Record<string, unknown>): Record<string, unknown> {
  const { sections } = fixtureSnapshot().header
  return {
    sections: sections.map((entry, at) => (at === index ? { ...entry, ...changes } : entry)),
  }
}

describe('a header that cannot be served is refused', () => {
  it('not when it says what the file holds', () => {
    expect(refusalOf(withHeader({}))).toBeUndefined()
    expect(refusalOf(withHeader({ createdAt: '2026-11-01T00:00:00.000Z' }))).toBeUndefined()
    // Of a later program that makes the same sections in another way.
    expect(refusalOf(withHeader({ recipe: 4_000 }))).toBeUndefined()
  })

  /** What is other in the header, or in a section of it. */
  it.each(rowsOf('headers that are refused'))('%s', (_, section, json, problem) => {
    const changes = JSON.parse(json)
    const changed = section === '' ? changes : sectionsWith(Number(section), changes)
    expect(refusalOf(withHeader(changed))).toContain(problem)
  })

  it('when its id is not its own', () => {
    const path = written()
    const bytes = readFileSync(path)
    const { id } = fixtureSnapshot().header
    bytes.write(
      id.replaceAll(/./g, (digit) => (digit === '0' ? '1' : '0')),
      bytes.indexOf(id),
    )
    writeFileSync(path, bytes)
    expect(refusalOf(path)).toBe(`${path}: the header does not match its id`)
  })

  it.each(rowsOf('bytes that are no header'))('when the file %s', (_, content) => {
    const path = join(temporaryDirectory(), 'other.msgpack')
    writeFileSync(path, Buffer.from(content, 'hex'))
    expect(refusalOf(path)).toMatch(/: (the header is not MessagePack or is cut off|header )/)
  })

  it('on a machine that has its numbers the other way round', () => {
    const path = written()
    const order = vi.spyOn(os, 'endianness').mockReturnValue('BE')
    syncBuiltinESMExports()
    onTestFinished(() => {
      order.mockRestore()
      syncBuiltinESMExports()
    })
    expect(refusalOf(path)).toContain('snapshots are little-endian, this machine is big-endian')
  })

  it('when the file is a directory', () => {
    const path = join(temporaryDirectory(), 'directory')
    mkdirSync(path)
    expect(refusalOf(path)).toContain(`${path}: `)
  })
})
