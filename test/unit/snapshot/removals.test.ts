/** The list of who was removed: it knows them, and tells nobody who they are. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fingerprintWithout,
  holdsRemoved,
  listLost,
  partsOf,
  Removals,
  readRemovals,
} from '../../../src/snapshot/store/removals.ts'
import { snapshotOf, temporaryDirectory } from '../../support/built.ts'
import { authority, connection, social } from '../../support/records.ts'

const why = { reason: 'asked for it', at: '2026-11-01T00:00:00.000Z' }
const empty = new Removals('1'.repeat(64), [])
const one = empty.with({ sdu: '4711', handles: ['twitter:ann'] }, why)

describe('a list of removals', () => {
  it('knows SDUs and handles, and nobody else', () => {
    expect(['4711', 'twitter:ann'].map((end) => one.has(end))).toEqual([true, true])
    expect(['471', '47110', 'ann', 'github:ann'].filter((end) => one.has(end))).toEqual([])
    expect(empty.has('4711')).toBe(false)
  })

  it('knows an SDU with more or fewer leading zeros', () => {
    const padded = empty.with({ sdu: '0012', handles: [] }, why)
    expect(['12', '012', '00000012'].map((end) => padded.has(end))).toEqual([true, true, true])
    expect(one.has('004711')).toBe(true)
    expect(['120', '1'].some((end) => padded.has(end))).toBe(false)
  })

  it('is read as it was written, and names nobody', () => {
    const directory = temporaryDirectory()
    one.write(directory)
    expect(readRemovals(directory).digest).toBe(one.digest)
    expect(readRemovals(directory).has('4711')).toBe(true)
    const text = readFileSync(join(directory, 'REMOVED'), 'utf8')
    expect(text).toContain(why.reason)
    expect(text).not.toMatch(/\b4711\b|\bann\b/)
  })

  it('keeps the first reason, and learns handles', () => {
    const later = { reason: 'again', at: '2026-12-01T00:00:00.000Z' }
    const more = one.with({ sdu: '4711', handles: ['github:ann'] }, later)
    expect(more.length).toBe(1)
    expect(['twitter:ann', 'github:ann'].map((end) => more.has(end))).toEqual([true, true])
    expect(more.digest).not.toBe(one.digest)
    expect(more.with({ sdu: '4711', handles: ['github:ann'] }, later).digest).toBe(more.digest)
  })

  it('finds them named in a text, however it is broken', () => {
    const named = [
      '{"sdu":"4711"',
      '{"from":"1","to":"twitter:ann"}',
      '{"handle": "@Ann"',
      'to 4711.',
    ]
    expect(named.filter((text) => !one.isNamedIn(text))).toEqual([])
    expect(
      ['{"sdu":"47110"}', '{"name":"Anna"}', ''].filter((text) => one.isNamedIn(text)),
    ).toEqual([])
  })

  it('that cannot be read is refused, because it may not be taken for an empty one', () => {
    const directory = temporaryDirectory()
    expect(readRemovals(directory).length).toBe(0)
    for (const text of ['', '{}', '{"key":"1"}', one.digest]) {
      writeFileSync(join(directory, 'REMOVED'), text)
      expect(() => readRemovals(directory)).toThrow('is no list of removals')
    }
  })

  it('is told in the fingerprint of a source', () => {
    expect(fingerprintWithout('abc', empty)).toBe('abc')
    expect(partsOf(fingerprintWithout('abc', one))).toEqual({ source: 'abc', digest: one.digest })
    expect(partsOf('abc')).toEqual({ source: 'abc', digest: '' })
  })

  it('that is gone, shorter or another than the one of a snapshot is lost', () => {
    const two = one.with({ sdu: '4712', handles: [] }, why)
    const more = one.with({ sdu: '4711', handles: ['github:ann'] }, why)
    const other = new Removals('2'.repeat(64), []).with({ sdu: '4711', handles: [] }, why)
    const made = fingerprintWithout('abc', one)
    const whole = [one, two, more].map((list) => listLost(made, list))
    expect(whole).toEqual([undefined, undefined, undefined])
    expect(listLost('abc', empty)).toBeUndefined()
    expect(listLost(made, empty)).toContain('the list is gone')
    expect(listLost(made, other)).toContain('not the one')
    expect(listLost(fingerprintWithout('abc', two), one)).toContain('has 1 people')
    expect(listLost('abc without 0123456789abcdef', empty)).toContain('the list is gone')
  })
})

describe('a snapshot', () => {
  const bob = authority({ sdu: '1' })

  it('holds one who was removed as a person, or as a handle that nobody owns', () => {
    const asPerson = snapshotOf({ authorities: [bob, authority({ sdu: '4711' })] })
    const connections = [connection('1', 'twitter:ann')]
    const asHandle = snapshotOf({ authorities: [bob], connections })
    expect([asPerson, asHandle].map((each) => holdsRemoved(each, one))).toEqual([true, true])
    expect(holdsRemoved(asPerson, empty)).toBe(false)
  })

  it('does not when the handle is of somebody else now, or on another platform', () => {
    const owned = snapshotOf({ authorities: [{ ...bob, socials: [social('twitter', 'Ann')] }] })
    const connections = [connection('1', 'github:ann')]
    const elsewhere = snapshotOf({ authorities: [bob], connections })
    expect([owned, elsewhere].map((each) => holdsRemoved(each, one))).toEqual([false, false])
  })
})
