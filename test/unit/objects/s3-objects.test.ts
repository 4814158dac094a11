/** A bucket as a server of this computer plays it: what is sent, and what comes of odd answers. */
import { createHash } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBucket } from '../../../src/objects/object-address.ts'
import { openS3 } from '../../../src/objects/s3-objects.ts'
import { recordsOf } from '../../../src/source/ndjson/file-records.ts'
import { findFiles } from '../../../src/source/ndjson/files.ts'
import { findObject, objectChunks } from '../../../src/source/ndjson/stored-files.ts'
import { bucketPlaceOf } from '../../../src/storage-addresses.ts'

const address = 's3://bucket/prefix'
const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'here' }

let answer: RequestListener = (_, response) => void response.end()
const ports = new Set<number | undefined>()
const server = createServer((request, response) => {
  ports.add(request.socket.remotePort)
  request.resume().on('end', () => answer(request, response))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  Object.assign(process.env, credentials, { AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` })
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A place in the bucket that waits for no time, and what it has waited for. */
async function opened() {
  const waits: number[] = []
  const sleep = async (milliseconds: number) => void waits.push(milliseconds)
  return { objects: await openS3(bucketPlaceOf(address)!, { sleep, random: () => 0 }), waits }
}

describe('an object that others create at the same time', () => {
  it('is tried again, later each time, and given up after six conflicts', async () => {
    let puts = 0
    answer = (_, response) => {
      puts += 1
      response.writeHead(409).end()
    }
    const { objects, waits } = await opened()
    const created = objects.create('one', Buffer.from('1'))
    await expect(created).rejects.toMatchObject({
      code: 'storage-unreachable',
      message: 's3://bucket/prefix/one: others create it at the same time (409)',
    })
    expect(puts).toBe(6)
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000])
  })

  it('is made where the conflict passes', async () => {
    let puts = 0
    answer = (_, response) => {
      puts += 1
      response.writeHead(puts < 3 ? 409 : 200, { etag: '"1"' }).end()
    }
    const { objects } = await opened()
    expect(await objects.create('one', Buffer.from('1'))).toBe(true)
    expect(puts).toBe(3)
  })
})

describe('places of one thread', () => {
  it('share a client, and so its connection, however often they are opened', async () => {
    answer = (_, response) =>
      void response.writeHead(200, { etag: '"1"', 'content-length': 1 }).end()
    ports.clear()
    for (let look = 0; look < 5; look += 1) await findObject(address, 'authorities.ndjson')
    expect((await openBucket(address)).name).toBe(address)
    expect(ports.size).toBe(1)
  })
})

describe('an object of a source', () => {
  it('that fails in the middle of its stream is a source that cannot be read', async () => {
    answer = (request, response) => {
      const isFirst = request.headers.range === undefined
      if (!isFirst) return void response.writeHead(403).end()
      response.writeHead(200, { etag: '"1"', 'content-length': 100_000 })
      response.write(Buffer.alloc(50_000))
      setImmediate(() => response.destroy())
    }
    const chunks = objectChunks({ address, key: 'authorities.ndjson', etag: '"1"' })
    await expect(Readable.from(chunks).toArray()).rejects.toMatchObject({
      code: 'source-unreadable',
    })
  })

  describe('that is a Parquet file', () => {
    const rows = Array.from({ length: 3_000 }, (_, row) => String(row + 1))
    const bios = rows.map((row) => createHash('sha512').update(row).digest('hex').repeat(4))
    const file = Buffer.from(
      parquetWriteBuffer({
        columnData: [
          { name: 'sdu', data: rows },
          { name: 'name', data: rows.map((row) => `Ann ${row}`) },
          { name: 'bio', data: bios },
          { name: 'topics', data: rows.map(() => 'Rust') },
        ],
        rowGroupSize: 500,
        codec: 'UNCOMPRESSED',
      }),
    )
    const sent: number[] = []

    function serve(etagAfter: number): RequestListener {
      sent.length = 0
      return ({ url, method, headers }, response) => {
        if (!url?.includes('authorities.parquet')) return void response.writeHead(404).end()
        const etag = sent.length < etagAfter ? '"1"' : '"2"'
        if (headers['if-match'] === '"1"' && etag === '"2"')
          return void response.writeHead(412).end()
        const [, from, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
        const isPart = from !== undefined
        const part = isPart ? file.subarray(Number(from), Number(last) + 1) : file
        const range = { 'content-range': `bytes ${from}-${last}/${file.length}` }
        const facts = { etag, 'content-length': part.length, ...(isPart && range) }
        response.writeHead(isPart ? 206 : 200, facts)
        if (method !== 'HEAD') sent.push(part.length)
        response.end(method === 'HEAD' ? undefined : part)
      }
    }

    async function linesRead(): Promise<string[]> {
      const [found] = await findFiles(address)
      const lines: string[] = []
      const visit = ({ text }: { readonly text: string }) => lines.push(text)
      for await (const _ of recordsOf(found!).read({ visit }));
      return lines
    }

    it('is read in parts, and never whole', async () => {
      answer = serve(Number.POSITIVE_INFINITY)
      const lines = await linesRead()
      expect(lines.map((line) => JSON.parse(line).bio)).toEqual(bios)
      expect(Math.max(...sent)).toBeLessThan(file.length / 2)
    })

    it('is read as one version of it, or not', async () => {
      answer = serve(3)
      await expect(linesRead()).rejects.toMatchObject({
        code: 'source-unreadable',
        message: 's3://bucket/prefix/authorities.parquet was changed while it was read',
      })
    })
  })
})
