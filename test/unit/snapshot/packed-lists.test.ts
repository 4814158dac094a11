/** Packed lists: read as they were packed, whatever their form, and with filters that are their own. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wordSections } from '../../../src/indexer/field-sections.ts'
import { filterShape } from '../../../src/snapshot/filters.ts'
import { listFormOf, readPacked } from '../../../src/snapshot/packed-lists.ts'

/** Lists of so many people, from those that nobody is in to those that everybody is in. */
const worlds = fc.constantFrom(1, 5, 100, 1_000, 70_000, 300_000).chain((authorities) => {
  const ordinal = fc.nat(authorities - 1)
  const few = fc.uniqueArray(ordinal, { maxLength: 80 })
  const many = fc.tuple(ordinal, fc.constantFrom(1, 3, 20, 300)).map(([first, step]) => {
    const length = Math.ceil((authorities - first) / step)
    return Array.from({ length }, (_, index) => first + index * step)
  })
  const list = fc.oneof(few, many).map((numbers) => numbers.sort((a, b) => a - b))
  return fc.record({
    authorities: fc.constant(authorities),
    lists: fc.array(list, { maxLength: 12 }),
  })
})

function packed(lists: readonly (readonly number[])[], authorities: number) {
  const starts = new Uint32Array(lists.length + 1)
  lists.forEach(({ length }, list) => {
    starts[list + 1] = starts[list]! + length
  })
  const sections = wordSections({ starts, values: Uint32Array.from(lists.flat()) }, authorities)
  const packedNumbers = { halves: sections['word.halves'], rows: sections['word.filters'] }
  const read = (list: number) => {
    const row = sections['word.filter-starts'][list]!
    const place = sections['word.places'][list]!
    const size = lists[list]!.length
    const isWhole = listFormOf(filterShape(size, authorities)) === 'whole'
    if (isWhole) return sections['word.ordinals'].subarray(place, place + size)
    const numbers = new Uint32Array(size)
    expect(readPacked(packedNumbers, { size, place, row }, authorities, numbers)).toBe(size)
    return numbers
  }
  return { sections, read }
}

describe('packed lists', () => {
  it('are read as they were packed, and have their own filters', () => {
    fc.assert(
      fc.property(worlds, ({ lists, authorities }) => {
        const { sections, read } = packed(lists, authorities)
        lists.forEach((list, index) => {
          const numbers = read(index)
          expect(Buffer.from(Uint32Array.from(list).buffer).equals(bytesOf(numbers))).toBe(true)
          const { shift, words } = filterShape(list.length, authorities)
          const row = sections['word.filter-starts'][index]!
          const bits = new Uint32Array(words)
          for (const ordinal of words === 0 ? [] : list) {
            bits[ordinal >>> (shift + 5)]! |= 1 << (ordinal >>> shift)
          }
          const filter = sections['word.filters'].subarray(row, row + words)
          expect(bytesOf(filter).equals(bytesOf(bits))).toBe(true)
        })
      }),
      { numRuns: 60 },
    )
  })

  it('are written no more than once: as bits alone where more than one in eight is in them', () => {
    const all = Array.from({ length: 1_600 }, (_, ordinal) => ordinal)
    const half = all.filter((ordinal) => ordinal % 7 === 0)
    const fewer = all.filter((ordinal) => ordinal % 8 === 0)
    const { sections } = packed([all, half, fewer, [1, 2]], 1_600)
    expect(sections['word.halves'].length).toBe(fewer.length)
    expect([...sections['word.ordinals']]).toEqual([1, 2])
  })
})

function bytesOf({ buffer, byteOffset, byteLength }: Uint32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
