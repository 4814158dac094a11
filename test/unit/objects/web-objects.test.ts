import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBucket, openObjects } from '../../../src/objects/object-address.ts'
import { bucketPlaceOf, isWebAddress } from '../../../src/storage-addresses.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

const content = Buffer.from('0123456789')
const etag = '"one"'

/** A web server of one object, as good as they are. */
function serveWhole({ url, method, headers }: IncomingMessage, response: ServerResponse): void {
  const facts = { etag, 'last-modified': 'Sun, 22 Nov 2026 08:00:00 GMT' }
  if (url !== '/base/key') return void response.writeHead(404).end()
  if (headers['if-match'] !== undefined && headers['if-match'] !== etag) {
    return void response.writeHead(412).end()
  }
  const [, from = 0, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? []
  const part = content.subarray(Number(from), last ? Number(last) + 1 : undefined)
  const range = { 'content-range': `bytes ${from}-${last}/${content.length}` }
  const isPart = part.length < content.length
  const all = { ...facts, 'content-length': part.length, ...(isPart && range) }
  response.writeHead(isPart ? 206 : 200, all).end(method === 'HEAD' ? '' : part)
}

async function baseOf(answer: Answer): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`
}

async function textOf(answer: Answer, wanted = {}): Promise<string> {
  const got = await (await openObjects(await baseOf(answer))).get('key', wanted)
  if (got.kind !== 'found') return got.kind
  return Buffer.concat((await got.body.toArray()) as Buffer[]).toString()
}

describe('objects of a web server', () => {
  it('are told of and read, from any byte on', async () => {
    const objects = await openObjects(await baseOf(serveWhole))
    expect(await objects.head('key')).toMatchObject({
      bytes: 10,
      etag,
      modifiedMs: Date.parse('2026-11-22T08:00:00Z'),
      seenAtMs: expect.any(Number),
    })
    expect(await objects.head('other')).toBeUndefined()
    expect(await textOf(serveWhole)).toBe('0123456789')
    expect(await textOf(serveWhole, { from: 7, ifMatch: etag })).toBe('789')
    expect(await textOf(serveWhole, { from: 2, to: 5 })).toBe('234')
    expect(await textOf(serveWhole, { to: 5 })).toBe('01234')
    for (const wanted of [{ from: 7 }, { from: 2, to: 5 }]) {
      const got = await objects.get('key', wanted)
      expect(got).toMatchObject({ facts: { bytes: 10 } })
    }
  })

  it('are asked for once more where a connection ends before its answer, and no more', async () => {
    let asked = 0
    const closing = (times: number): Answer => {
      asked = 0
      return (request, response) => {
        asked += 1
        if (asked > times) serveWhole(request, response)
        else response.destroy()
      }
    }
    expect(await textOf(closing(1), { from: 7, ifMatch: etag })).toBe('789')
    await expect(textOf(closing(2))).rejects.toMatchObject({ code: 'storage-unreachable' })
    expect(asked).toBe(2)
  })

  it('are missing or changed where they are', async () => {
    const objects = await openObjects(await baseOf(serveWhole))
    expect(await objects.get('other')).toEqual({ kind: 'missing' })
    expect(await objects.get('key', { ifMatch: '"two"' })).toEqual({ kind: 'changed' })
  })

  it('are read from a byte on where the server knows neither Range nor If-Match', async () => {
    const simple: Answer = (_, response) => {
      response.writeHead(200, { etag, 'content-length': content.length }).end(content)
    }
    expect(await textOf(simple, { from: 7, ifMatch: etag })).toBe('789')
    expect(await textOf(simple, { from: 2, to: 5 })).toBe('234')
    expect(await textOf(simple, { to: 5 })).toBe('01234')
    expect(await textOf(simple, { from: 7, ifMatch: '"two"' })).toBe('changed')
  })

  it.each([
    ['no ETag', { 'content-length': 10 }, 200, 'storage-refused', /gives no ETag/],
    ['another encoding', { etag, 'content-encoding': 'br' }, 200, 'storage-refused', /Encoding/],
    ['no right', {}, 403, 'storage-refused', /403/],
    ['too many requests', {}, 429, 'storage-unreachable', /429/],
    ['trouble', {}, 503, 'storage-unreachable', /503/],
  ])('are refused for %s', async (_, headers, status, code, message) => {
    const answer: Answer = (_request, response) => {
      response.writeHead(status, headers).end()
    }
    const expected = { code, message: expect.stringMatching(message) }
    await expect(textOf(answer)).rejects.toMatchObject(expected)
  })

  it('cannot be reached where nobody listens', async () => {
    const objects = await openObjects('http://127.0.0.1:1/base')
    await expect(objects.head('key')).rejects.toMatchObject({ code: 'storage-unreachable' })
  })
})

describe('an address', () => {
  it('is of a place in a bucket, or of a web server', () => {
    expect(bucketPlaceOf('s3://my.bucket-1/')).toMatchObject({ bucket: 'my.bucket-1', prefix: '' })
    expect(bucketPlaceOf('s3://bucket/a/b/')).toMatchObject({ prefix: 'a/b', addressing: 'auto' })
    expect(bucketPlaceOf('s3://bucket/a?addressing=host')).toEqual({
      ...{ bucket: 'bucket', prefix: 'a', addressing: 'host' },
    })
    const webs = ['https://example.org', 'http://127.0.0.1:8080/base/']
    expect(webs.map(isWebAddress)).toEqual([true, true])
    const none = ['s3://', 's3://B', 's3://bucket?x=1', 'ftp://a', 'https://a?b', '/s3', '']
    expect(none.filter((each) => isWebAddress(each) || bucketPlaceOf(each))).toEqual([])
  })

  it('that is none is refused', async () => {
    const refused = { code: 'wrong-usage', message: expect.stringContaining('s3://bucket/prefix') }
    await expect(openObjects('nowhere')).rejects.toMatchObject(refused)
    await expect(openBucket('https://example.org')).rejects.toMatchObject(refused)
  })
})
