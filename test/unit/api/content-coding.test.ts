/** Bodies as gzip: what is read of requests, and which answers are compressed. */
import { deepStrictEqual } from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codedReply, codingProblem, inflated } from '../../../src/api/content-coding.ts'
import type { ApiReply } from '../../../src/api/exchange.ts'
import { limits } from '../../../src/limits.ts'

describe('the body of a request', () => {
  it('is what it was before it was compressed, and as it is where it is plain', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        expect(inflated(gzipSync(bytes), 'gzip')).toEqual({ body: Buffer.from(bytes) })
        expect(inflated(bytes, '')).toEqual({ body: bytes })
        expect(inflated(bytes, 'identity')).toEqual({ body: bytes })
      }),
    )
  })

  it('inflates to as much as a plain one may have, and not to a byte more', () => {
    const most = Buffer.alloc(limits.batchBody.bytesMax)
    deepStrictEqual(inflated(gzipSync(most), 'gzip'), { body: most })
    const more = gzipSync(Buffer.alloc(limits.batchBody.bytesMax + 1))
    expect(inflated(more, 'gzip')).toMatchObject({ problem: { code: 'payload-too-large' } })
    const bomb = gzipSync(Buffer.alloc(100 << 20))
    expect(bomb.length).toBeLessThan(limits.batchBody.bytesMax)
    expect(inflated(bomb, 'gzip')).toMatchObject({ problem: { code: 'payload-too-large' } })
  })

  it('that is no gzip, or is cut anywhere, is malformed', () => {
    const whole = gzipSync(Buffer.from('{"handles":["ann"]}'))
    const wrong = [Buffer.from('{}'), ...Array.from(whole, (_, end) => whole.subarray(0, end))]
    for (const bytes of wrong) {
      expect(inflated(bytes, 'gzip')).toMatchObject({ problem: { code: 'malformed-request' } })
    }
  })

  it.each(['br', 'deflate', 'zstd', 'gzip, gzip', 'nothing'])('in %s is not read', (coding) => {
    expect(codingProblem(coding)).toMatchObject({ code: 'unsupported-media-type' })
  })

  it.each(['', 'identity', 'gzip', ' GZIP ', 'x-gzip'])('in %j is read', (coding) => {
    expect(codingProblem(coding)).toBeUndefined()
  })
})

describe('an answer', () => {
  const reply = (bytes: number, status = 200): ApiReply => {
    return { status, headers: [['a', 'b']], body: Buffer.alloc(bytes, 'x'), seconds: 0 }
  }

  const largestBytes = 64 << 10

  it.each([1_024, largestBytes])(
    'of %d bytes is compressed for a client that takes it',
    (bytes) => {
      const { headers, body, ...rest } = codedReply(reply(bytes), () => 'br, gzip;q=0.5')
      expect(gunzipSync(body)).toEqual(reply(bytes).body)
      expect(headers).toEqual([
        ['a', 'b'],
        ['Content-Encoding', 'gzip'],
        ['Vary', 'Accept-Encoding'],
      ])
      expect(rest).toEqual({ status: 200, seconds: 0 })
    },
  )

  it.each([
    ['short', reply(1_023), 'gzip'],
    ['large', reply(largestBytes + 1), 'gzip'],
    ['a refusal', reply(2_000, 400), 'gzip'],
    ['for a client that does not take it', reply(2_000), 'br, gzip;q=0'],
    ['for a client that says nothing', reply(2_000), ''],
  ])('is left as it is where it is %s', (_, given, accepted) => {
    expect(codedReply(given, () => accepted)).toBe(given)
  })
})
