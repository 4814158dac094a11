/** A bucket as a server of this computer plays it: what is sent, and what comes of odd answers. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBucket } from '../../../src/objects/object-address.ts'
import { openS3 } from '../../../src/objects/s3-objects.ts'
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
    for (let look = 0; look < 5; look += 1) await (await openBucket(address)).head('one')
    expect((await openBucket(address)).name).toBe(address)
    expect(ports.size).toBe(1)
  })
})
