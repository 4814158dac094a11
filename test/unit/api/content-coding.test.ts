/** Bodies as gzip: what is read of requests, and which answers are compressed. */
import { deepStrictEqual } from 'node:assert/strict'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AnswerCoding,
  codingProblem,
  type Gzip,
  inflated,
} from '../../../src/api/content-coding.ts'
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

  const said = [
    ['a', 'b'],
    ['Content-Encoding', 'gzip'],
    ['Vary', 'Accept-Encoding'],
  ]
  const gzip = () => 'gzip'
  const largeBytes = (64 << 10) + 1

  it('is compressed for a client that takes it, and says so', () => {
    const coded = new AnswerCoding(1_024).now(reply(1_024), () => 'br, gzip;q=0.5')!
    const { headers, body, ...rest } = coded
    expect(gunzipSync(body)).toEqual(reply(1_024).body)
    expect(headers).toEqual(said)
    expect(rest).toEqual({ status: 200, seconds: 0 })
  })

  it.each([
    ['short', reply(1_023), 1_024, 'gzip'],
    ['a refusal', reply(2_000, 400), 1_024, 'gzip'],
    ['for a client that does not take it', reply(2_000), 1_024, 'br, gzip;q=0'],
    ['for a client that says nothing', reply(2_000), 1_024, ''],
    ['of a service that compresses none', reply(largeBytes), 0, 'gzip'],
    ['large and a refusal', reply(largeBytes, 400), 1_024, 'gzip'],
    ['large, for a client that does not take it', reply(largeBytes), 1_024, 'br'],
  ])('is left as it is where it is %s', (_, given, bytesMin, accepted) => {
    expect(new AnswerCoding(bytesMin).now(given, () => accepted)).toBe(given)
  })

  it('that is large is compressed later, whatever becomes of its bytes', async () => {
    const coding = new AnswerCoding(1_024)
    const large = { ...reply(largeBytes), head: Buffer.from('id') }
    expect(coding.now(large, gzip)).toBeUndefined()
    const coded = new Promise<ApiReply>((resolve) => coding.later(large, resolve))
    large.body.fill(0)
    large.head.fill(0)
    const { headers, body, head } = await coded
    expect([headers, Buffer.from(head!).toString()]).toEqual([said, 'id'])
    expect(gunzipSync(body)).toEqual(reply(largeBytes).body)
  })

  it('is left as it is where many are compressed, or many bytes, until those are done', () => {
    const done: (() => void)[] = []
    const inThreads: Gzip = (body, onDone) => void done.push(() => onDone(null, body))
    const coding = new AnswerCoding(1_024, inThreads)
    const taken = (bytes: number) => coding.now(reply(bytes), gzip) === undefined
    expect(taken(limits.compressionBytesMax)).toBe(true)
    expect(taken(limits.compressionBytesMax + 1)).toBe(false)
    coding.later(reply(largeBytes), () => {})
    expect([taken(limits.compressionBytesMax), taken(largeBytes)]).toEqual([false, true])
    for (let count = 1; count < limits.compressionsMax; count += 1) {
      coding.later(reply(largeBytes), () => {})
    }
    expect(taken(largeBytes)).toBe(false)
    expect(coding.now(reply(2_000), gzip)!.headers).toEqual(said)
    for (const end of done) end()
    expect(taken(limits.compressionBytesMax)).toBe(true)
  })

  it('goes out as it is where it cannot be compressed', () => {
    const inThreads: Gzip = (body, onDone) => onDone(new Error('no memory'), body)
    const coded: ApiReply[] = []
    new AnswerCoding(1_024, inThreads).later(reply(largeBytes), (each) => void coded.push(each))
    expect(coded.map(({ headers, body }) => [headers, body.length])).toEqual([
      [[['a', 'b']], largeBytes],
    ])
  })
})
