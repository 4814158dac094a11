/** Bodies, durations and request ids: the bytes that every answer has. */
import { randomFillSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Body } from '../../../../src/api/items/body.ts'
import { RequestIds } from '../../../../src/api/pipeline/request-ids.ts'
import { copySourceOf } from '../../../../src/memory/copy-text.ts'
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('durations.tsv', import.meta.url))

function textOf(body: Body): string {
  return Buffer.from(body.view()).toString()
}

function durationText(seconds: number): string {
  const body = new Body('[0.000000]')
  body.begin()
  body.writeDuration(1, seconds)
  return textOf(body).slice(1, -1)
}

describe('the items of a body as an answer to be kept', () => {
  it('are those that were written last, also where the body has grown since the last answer', () => {
    const body = new Body('[')
    for (const length of [10, 100_000, 20]) {
      body.begin()
      const start = body.length
      body.text(`${length}`.repeat(length))
      const answer = body.answerFrom(start, 'words', '', 0)
      const { data } = answer.source
      const bytes = Buffer.from(data.buffer, data.byteOffset + start, answer.end - start)
      expect(bytes.toString()).toBe(`${length}`.repeat(length))
      expect(answer).toMatchObject({ start, way: 'words', members: '', isOfSection: false })
    }
  })
})

describe('a duration', () => {
  it.each(rowsOf('durations in seconds'))('of %d s is written as %s', (seconds, text) => {
    expect(durationText(Number(seconds))).toBe(text)
  })
})

describe('a body', () => {
  it('holds what was written since it began, however long', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.nat(),
      fc.nat(200_000).map((n) => '€'.repeat(n)),
    )
    const body = new Body()
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        body.begin()
        for (const each of pieces) {
          if (typeof each === 'number') body.integer(each)
          else if (each.length % 2 === 0) body.text(each)
          else body.slice(copySourceOf(Buffer.from(`(${each})`)), 1, Buffer.byteLength(each) + 1)
        }
        expect(textOf(body) === pieces.join('')).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a request id', () => {
  it('is a UUID of version 4, never the same', () => {
    const source = new RequestIds(randomFillSync)
    const ids = Array.from({ length: 2_000 }, () => source.nextText())
    for (const id of ids) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('is made of the random bytes it was given, but for version and variant', () => {
    const [all, none] = [0xff, 0].map((byte) =>
      new RequestIds((block) => block.fill(byte)).nextText(),
    )
    expect(all).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
    expect(none).toBe('00000000-0000-4000-8000-000000000000')
  })
})
