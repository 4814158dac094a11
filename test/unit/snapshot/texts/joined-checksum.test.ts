/** The checksum of parts together is that of their bytes. */
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { joinedChecksum } from '../../../../src/snapshot/texts/joined-checksum.ts'
import { Random } from '../../../support/random.ts'

/** The checksum of bytes by those of parts that end there. */
function joinedAt(bytes: Uint8Array, ends: readonly number[]): number {
  const begins = Uint32Array.from([0, ...ends])
  const checksums = Uint32Array.from(ends, (end, part) => crc32(bytes.subarray(begins[part]!, end)))
  return joinedChecksum(checksums, begins)
}

const random = new Random(1, 2)
const bytes = Uint8Array.from({ length: 200_000 }, () => random.next())

it.each([
  ['one part', [bytes.length]],
  ['halves', [100_000, bytes.length]],
  [
    'parts of any length, also none',
    [0, 1, 1, 2, 9, 9, 4_000, 20_383, 36_767, 53_152, bytes.length],
  ],
  ['single bytes', [...bytes.slice(0, 1_000).keys()].map((at) => at + 1)],
])('is the same of %s', (_, ends) => {
  expect(joinedAt(bytes, ends)).toBe(crc32(bytes.subarray(0, ends.at(-1))))
})

it('is the same of parts at random', () => {
  for (let round = 0; round < 50; round += 1) {
    const ends = Array.from({ length: 20 }, () => random.next() % bytes.length)
    ends.sort((a, b) => a - b)
    expect([ends, joinedAt(bytes, ends)]).toEqual([ends, crc32(bytes.subarray(0, ends.at(-1)))])
  }
})

it('is that of nothing where there are no parts', () => {
  expect(joinedAt(bytes, [])).toBe(crc32(new Uint8Array(0)))
})

it('is another if two parts change places', () => {
  const [first, second] = [crc32(bytes.subarray(0, 500)), crc32(bytes.subarray(500, 1_000))]
  const begins = Uint32Array.of(0, 500, 1_000)
  expect(joinedChecksum(Uint32Array.of(second, first), begins)).not.toBe(
    joinedChecksum(Uint32Array.of(first, second), begins),
  )
})
