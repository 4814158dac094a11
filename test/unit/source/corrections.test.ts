import { describe, expect, it } from 'vitest'
import { readWith } from '../../../src/reading/readers.ts'
import { Corrections, readCorrection } from '../../../src/source/corrections.ts'
import { authority } from '../../support/records.ts'

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

  it.each([
    [{ set: {} }, 'set: must set something'],
    [{ set: { sdu: '8' } }, 'set.sdu: is no field of a record'],
    [{ set: { nmae: 'Ann' } }, 'set.nmae: is no field of a record'],
    [{ set: { name: 7 } }, 'set.name: must be a text'],
    [{ set: 'Ann' }, 'set: must be an object'],
    [{ set: { name: '' } }, 'set.name: must not be blank'],
    [{ set: { topics: [] } }, 'set.topics: must name at least one topic'],
    [{ sdu: 'ann' }, 'sdu: must be 1 to 32 digits'],
    [{ source: ' ' }, 'source: must say where it is from'],
    [{ source: 7 }, 'source: must be a text'],
    [{ date: undefined }, 'date: must be a day such as 2026-11-01'],
    [{ date: 'yesterday' }, 'date: must be a day such as 2026-11-01'],
  ])('is refused with %j', (change, expected) => {
    expect(fault({ sdu: '7', set: { name: 'Ann' }, ...from, ...change })).toBe(expected)
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
