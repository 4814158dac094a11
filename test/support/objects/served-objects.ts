/** A web server of this computer that serves the objects of a store, as `--follow http://…` wants it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { Publisher } from '../../../src/sync/remote/publisher.ts'
import type { MemoryObjects } from './memory-objects.ts'

/** @param resetAfterBytes each answer that is longer is reset after so many bytes of it. */
export async function serveObjects(
  store: MemoryObjects,
  resetAfterBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  const server = createServer((request, response) => {
    const held = store.held.get((request.url ?? '').slice(1))
    if (held === undefined) return void response.writeHead(404).end()
    const { bytes } = held
    const etag = `"${bytes.length}"`
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const length = bytes.length - from
    response.writeHead(from > 0 ? 206 : 200, { etag, 'content-length': length })
    if (request.method === 'HEAD') return void response.end()
    if (length <= resetAfterBytes) return void response.end(bytes.subarray(from))
    const part = bytes.subarray(from, from + resetAfterBytes)
    // What is written first leaves before the reset.
    response.write(part, () => setTimeout(() => request.socket.resetAndDestroy(), 20))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A publisher that never waits. */
export function publisherOf(store: MemoryObjects, directory: string): Publisher {
  const steadiness = { sleep: async () => {}, random: () => 0, report: () => {} }
  return new Publisher({ store, directory, keep: 3, graceMs: 1, steadiness, clock: Date.now })
}
