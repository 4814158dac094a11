import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineSplitter } from '../../../../src/source/ndjson/lines.ts'

type Visited = [number: number, text: string, fault?: string]

function split(chunks: readonly Uint8Array[], bytesMax = 100): Visited[] {
  const lines: Visited[] = []
  const splitter = lineSplitter(bytesMax, (number, text, fault) => {
    lines.push(fault === undefined ? [number, text] : [number, text, fault])
  })
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  return lines
}

/** Every way to cut the bytes in two, and the way that leaves single bytes. */
function cuts(bytes: Buffer): Buffer[][] {
  const pairs = Array.from({ length: bytes.length + 1 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ])
  return [...pairs, Array.from(bytes, (byte) => Buffer.from([byte]))]
}

describe('lines', () => {
  it('are the same wherever the chunks are cut, with bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":1}\nb'),
      Buffer.from([0xff, 0xc3]),
      Buffer.from('\né\n'),
      Buffer.from([0xe2, 0x82]),
    ])
    const expected = [
      [1, '{"a":1}'],
      [2, 'b\ufffd\ufffd', 'is not UTF-8'],
      [3, 'é'],
      [4, '\ufffd', 'is not UTF-8'],
    ]
    for (const chunks of cuts(bytes)) expect(split(chunks)).toEqual(expected)
  })

  it('are the same wherever the chunks are cut, with lines that are too long', () => {
    const bytes = Buffer.from('12345\n1234567\nέέέ\né12345\n123456')
    const expected = [
      [1, '12345'],
      [2, '123456', 'is too long'],
      [3, 'έέέ'],
      [4, 'é1234', 'is too long'],
      [5, '123456'],
    ]
    for (const chunks of cuts(bytes)) expect(split(chunks, 6)).toEqual(expected)
  })

  it('are what splitting the whole text gives', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', ' ', 'é', '🌍', '\ufeff') })
    const cutAt = fc.array(fc.nat(60))
    fc.assert(
      fc.property(text, cutAt, (whole, positions) => {
        const bytes = Buffer.from(`-${whole}`)
        const ends = [0, ...positions.sort((a, b) => a - b), bytes.length]
        const chunks = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
        const expected = `-${whole}`
          .split('\n')
          .map((line, index) => [index + 1, line.replace(/\r$/, '')] as const)
          .filter(([, line]) => line.trim() !== '')
        expect(split(chunks, 1000)).toEqual(expected)
      }),
    )
  })

  it('keep no more of a giant line than the limit and one chunk', () => {
    const visited: string[] = []
    const splitter = lineSplitter(1000, (number, text, fault) => {
      visited.push(`${number} ${text.length} ${fault}`)
    })
    const before = process.memoryUsage().arrayBuffers
    for (let chunk = 0; chunk < 128; chunk++) splitter.push(Buffer.alloc(1 << 22, 'a'))
    splitter.push(Buffer.from('\n{}\n'))
    splitter.end()
    expect(visited).toEqual(['1 1000 is too long', '2 2 undefined'])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(384 << 20)
  })
})

it('a line without end is refused, and is not kept meanwhile', () => {
  const splitter = lineSplitter(1_000, () => {})
  const chunk = Buffer.alloc(1 << 24)
  let pushed = 0
  const pushAll = () => {
    for (; pushed < 100; pushed += 1) splitter.push(chunk)
  }
  expect(pushAll).toThrow('line 1 has no end')
  expect(pushed).toBe(64)
})
