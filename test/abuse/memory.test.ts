/** Attacks on the memory of the service, each of which once took a gigabyte or more. */
import { describe, expect, it } from 'vitest'
import type { RunningService } from '../program.ts'
import {
  attackedService,
  deafConnection,
  sendAll,
  tollBytesMax,
  tollOf,
  wireRequest,
} from './attack.ts'

/** Sends the same request over and over on a few connections, none of which is read from. */
async function pipelineDeaf({ port }: RunningService, requestText: string, count: number) {
  const sockets = await Promise.all([1, 2, 3].map(() => deafConnection(port)))
  await Promise.all(sockets.map((socket) => sendAll(socket, requestText.repeat(count))))
}

describe('answers that nobody reads', () => {
  const search = '/api/v1/index?query=us+politics&limit=50'
  it.each([
    ['of a path without a key', () => wireRequest('/openapi.json'), 20_000],
    ['of the metrics', () => wireRequest('/metrics'), 20_000],
    ['that refuse', () => wireRequest('/api/v1/match'), 400_000],
    ['without a body', () => wireRequest('/healthz', {}, 'HEAD'), 400_000],
    ['of searches', ({ headers }: RunningService) => wireRequest(search, headers), 30_000],
  ])('%s take a bounded memory, and a bystander is answered', async (_, requestOf, count) => {
    const service = await attackedService()
    const toll = await tollOf(service, () => pipelineDeaf(service, requestOf(service), count))
    expect(toll.aboveRestBytes).toBeLessThan(tollBytesMax)
    expect(toll.failures).toBe(0)
  })
})

describe('a body', () => {
  it('of a million chunks of one byte is refused, and costs no more than its bytes', async () => {
    const service = await attackedService()
    const head = wireRequest(
      '/mcp',
      { ...service.headers, 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' },
      'POST',
    )
    const toll = await tollOf(service, async ({ port }) => {
      const socket = await deafConnection(port)
      await sendAll(socket, head + '1\r\na\r\n'.repeat(1_000_000))
    })
    expect(toll.aboveRestBytes).toBeLessThan(tollBytesMax)
    expect(toll.failures).toBe(0)
  })
})
