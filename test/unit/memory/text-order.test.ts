/** Texts in the order of their bytes, against sorting them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginningWith, orderTexts, type TextRanges } from '../../../src/memory/text-order.ts'

function piecesOf(texts: readonly string[]): TextRanges {
  const bytes = texts.map((text) => Buffer.from(text))
  const ends: number[] = []
  for (const { length } of bytes) ends.push((ends.at(-1) ?? 0) + length)
  return {
    text: Buffer.concat(bytes),
    startOf: (number) => ends[number - 1] ?? 0,
    endOf: (number) => ends[number]!,
  }
}

function ordered(texts: readonly string[]): Uint32Array {
  const numbers = Uint32Array.from(texts, (_, number) => number)
  orderTexts(piecesOf(texts), numbers)
  return numbers
}

/** Few letters, so that texts have long beginnings in common. */
const short = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '-'), maxLength: 12 })
const texts = fc.array(fc.oneof(short, fc.string({ unit: 'grapheme', minLength: 1 })), {
  maxLength: 200,
})

/** Texts with long beginnings in common: more than keys have room for, and more texts than are compared one by one. */
const alike = fc
  .array(fc.tuple(fc.nat({ max: 40 }), short), {
    minLength: 60,
    maxLength: 200,
  })
  .map((some) => some.map(([length, end]) => `${'a'.repeat(length)}${end}`))

function expectInOrder(some: readonly string[]): void {
  const expected = some
    .map((text, number) => ({ bytes: Buffer.from(text), number }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes) || a.number - b.number)
  expect([...ordered(some)]).toEqual(expected.map(({ number }) => number))
}

describe('texts', () => {
  it('come in the order of their bytes, of equals by their numbers', () => {
    fc.assert(
      fc.property(texts, (given) => {
        expectInOrder(given.map((text) => text.replaceAll('\0', '')))
      }),
    )
  })

  it('come so where many have a long beginning in common, and with bytes of all kinds beside them', () => {
    const others = Array.from({ length: 255 }, (_, code) => String.fromCodePoint(code + 1))
    fc.assert(
      fc.property(alike, fc.boolean(), (given, isAny) => {
        expectInOrder(isAny ? [...given, ...others] : given)
      }),
    )
  })

  it('are found by their beginnings', () => {
    fc.assert(
      fc.property(texts, short, (given, begun) => {
        const some = given.map((text) => text.replaceAll('\0', ''))
        const order = ordered(some)
        const bytes = Buffer.from(begun)
        const { start, end } = beginningWith(
          piecesOf(some),
          order.length,
          bytes,
          bytes.length,
          (place) => order[place]!,
        )
        const isBegun = (number: number) =>
          Buffer.from(some[number]!).subarray(0, bytes.length).equals(bytes)
        const expected = [...order].filter(isBegun)
        expect([...order.subarray(start, end)]).toEqual(expected)
      }),
    )
  })
})
