/** The orders of suggestions, against sorting what they order and turning the lists of names around. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastLevels } from '../../../src/memory/least-in-range.ts'
import { textAt } from '../../../src/memory/text-table.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { snapshotOf } from '../../support/built.ts'
import { smallSources } from '../../support/records.ts'

function handlesOf({ sections, header: { counts } }: Snapshot) {
  const texts = { text: sections['handle.text'], ends: sections['handle.ends'] }
  const ownerOf = (handle: number) =>
    sections['handle.nodes'][sections['handle.node-starts'][handle]!]!
  const handles = Array.from(texts.ends, (_, handle) => handle)
    .filter((handle) => ownerOf(handle) < counts.authorities)
    .map((handle) => ({ handle, key: Buffer.from(textAt(texts, handle)) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ handle }) => handle)
  return { handles, owners: handles.map(ownerOf) }
}

function namesOf({ sections, header: { counts } }: Snapshot): number[][] {
  const people: number[][] = Array.from({ length: counts.authorities }, () => [])
  const starts = sections['name.starts']
  for (let term = 0; term < counts.terms; term += 1) {
    const list = sections['name.ordinals'].subarray(starts[term], starts[term + 1])
    for (const ordinal of list) people[ordinal]!.push(term)
  }
  return people
}

function expectOrders(snapshot: Snapshot): void {
  const { sections } = snapshot
  const { handles, owners } = handlesOf(snapshot)
  expect([...sections['suggest.handles']]).toEqual(handles)
  expect([...sections['suggest.handle-owners']]).toEqual(owners)
  expect(new Uint32Array(sections['suggest.handle-levels'])).toEqual(
    leastLevels(Uint32Array.from(owners)),
  )
  const names = namesOf(snapshot)
  const starts = sections['suggest.name-starts']
  expect(starts.length).toBe(names.length + 1)
  const terms = names.map((_, ordinal) => [
    ...sections['suggest.name-terms'].subarray(starts[ordinal], starts[ordinal + 1]),
  ])
  expect(terms).toEqual(names)
  expect(sections['suggest.name-terms'].length).toBe(names.flat().length)
}

describe('the orders of suggestions', () => {
  it('are those of owned handles by their keys and of the terms of each name, for any source', () => {
    fc.assert(
      fc.property(smallSources, (records) => expectOrders(snapshotOf(records))),
      { numRuns: 30 },
    )
  })

  it('are so for the default snapshot', () => {
    const snapshot = loadSnapshot(pathOf('snapshots', readPointer('snapshots', 'CURRENT')!))
    expect(snapshot.header.counts.handles).toBeGreaterThan(1_000)
    expectOrders(snapshot)
  })
})
