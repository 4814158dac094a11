import { describe, expect, it } from 'vitest'
import { readWith } from '../../../src/reading/readers.ts'
import { Corrections, readCorrection } from '../../../src/source/corrections.ts'
import { authority } from '../../support/records.ts'
import { tableAt } from '../../support/table-sections.ts'

const rowsOf = tableAt(new URL('corrections.tsv', import.meta.url))

const from = { source: 'https://ann.example', date: '2026-11-01' }

function fault(record: unknown): string | undefined {
  const [first] = readWith(readCorrection, record).faults ?? []
  return first && `${first.path.join('.')}: ${first.reason}`
}

describe('a correction', () => {
  it('sets what it names, read as in a record, and nothing else', () => {
    const set = { name: ' Ann ', website: null, topics: ['Go'], country_name: 'France' }
    const { value } = readWith(readCorrection, { sdu: '7', set, ...from })
    expect(value?.fields).toEqual({
      name: 'Ann',
      website: null,
      topics: [{ topic: 'Go', weight: undefined }],
      countryName: 'France',
    })
  })

  it.each(rowsOf('corrections that are refused'))('is refused with %j', (change, expected) => {
    expect(fault({ sdu: '7', set: { name: 'Ann' }, ...from, ...JSON.parse(change) })).toBe(expected)
  })
})

describe('corrections', () => {
  it('are of one record, the last of a field counts, and those of nobody are known', () => {
    const corrections = new Corrections()
    corrections.add({ sdu: '7', fields: { name: 'Anne', bio: 'Writes.' }, ...from })
    corrections.add({ sdu: '7', fields: { name: 'Ann' }, ...from })
    corrections.add({ sdu: '9', fields: { name: 'Bob' }, ...from })
    const [seven, eight] = [authority({ sdu: '7' }), authority({ sdu: '8' })]
    expect(corrections.corrected(seven)).toEqual({ ...seven, name: 'Ann', bio: 'Writes.' })
    expect(corrections.corrected(eight)).toBe(eight)
    expect(corrections.unused()).toEqual(['9'])
  })
})
