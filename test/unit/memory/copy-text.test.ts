import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copySlackBytes, copySourceOf, copyText } from '../../../src/memory/copy-text.ts'
import { dataViewOf } from '../../../src/memory/text-table.ts'

describe('a copy of text', () => {
  it('is the same bytes wherever it stands, and touches nothing before it', () => {
    // What comes nearest to eight bytes that are no number: the largest bytes that UTF-8 has.
    const character = fc.constantFrom('\x7f', '\u{10ffff}', '\u{fffff}', '\uffff', 'a', 'é')
    const text = fc.string({ unit: character, maxLength: 60 })
    fc.assert(
      fc.property(text, text, text, fc.nat(9), (before, copied, after, at) => {
        const source = Buffer.from(`${before}${copied}${after}`)
        const start = Buffer.byteLength(before)
        const length = Buffer.byteLength(copied)
        const target = Buffer.alloc(at + length + copySlackBytes)
        copyText(copySourceOf(source), start, start + length, dataViewOf(target), at)
        expect(target.subarray(0, at)).toEqual(Buffer.alloc(at))
        expect(target.toString('utf8', at, at + length)).toBe(copied)
      }),
      { numRuns: 1_000 },
    )
  })
})
