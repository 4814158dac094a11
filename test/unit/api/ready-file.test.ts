/** Ready-made bytes: which encoding a client gets, and when it has them already. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type EncodedBytes,
  encodingFor,
  readyReply,
  readyText,
} from '../../../src/api/ready-file.ts'

const bytes = Buffer.from('x')
const all: EncodedBytes = { gzip: bytes, identity: bytes }
const text = 'authority '.repeat(1_000)
const file = readyText('text/plain', text)

describe('the encoding', () => {
  it.each([
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip;q=0, *', 'identity'],
    ['deflate', 'identity'],
  ] as const)('for a client that takes %j is %s', (accepted, encoding) => {
    expect(encodingFor(accepted, all)).toBe(encoding)
  })
})

it('the gzip of a text is the text', () => {
  const { body, headers } = readyReply(file, { acceptEncoding: 'gzip', ifNoneMatch: '' }, [])
  expect(body.length).toBeLessThan(text.length / 10)
  expect(gunzipSync(body).toString()).toBe(text)
  expect(headers).toContainEqual(['Content-Encoding', 'gzip'])
  expect(headers).toContainEqual(['Vary', 'Accept-Encoding'])
})

it('the tag of one encoding does not hold for another, nor for another text', () => {
  const tagOf = (of: typeof file, acceptEncoding: string) =>
    Object.fromEntries(readyReply(of, { acceptEncoding, ifNoneMatch: '' }, []).headers).ETag!
  const tags = [tagOf(file, 'gzip'), tagOf(file, ''), tagOf(readyText('text/plain', 'y'), '')]
  expect(new Set(tags).size).toBe(3)
  const statuses = tags.map(
    (tag) => readyReply(file, { acceptEncoding: '', ifNoneMatch: `W/${tag}` }, []).status,
  )
  expect(statuses).toEqual([200, 304, 200])
})
