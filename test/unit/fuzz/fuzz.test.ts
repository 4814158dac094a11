/** The fuzzer, for some seconds; `npm run fuzz` runs it for as long as one likes. */

import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDirectory } from '../../support/built.ts'
import { fuzz } from '../../support/fuzz/fuzz.ts'
import { fuzzService } from '../../support/fuzz/target.ts'

describe('the service', () => {
  it('keeps its promises whatever is sent to it, and is as well afterwards', async () => {
    const directory = temporaryDirectory()
    const statuses = await fuzzService({ directory, requests: 4_000, seed: 7, report: () => {} })
    const met = Object.keys(statuses).map(Number)
    for (const status of [200, 304, 400, 401, 402, 404, 405, 431, 505]) {
      expect(met).toContain(status)
    }
  })
})

describe('the fuzzer', () => {
  /** Fuzzes a server with given answers. */
  async function fuzzed(listener: RequestListener): Promise<unknown> {
    const server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const { port } = server.address() as AddressInfo
    const keys = { poor: 'poor-key', rich: 'rich-key' }
    const mayHave = (account: string, usd: number) => (account === 'poor') === usd < 50
    return fuzz({ port, keys, mayHave, requests: 500, seed: 1, report: () => {} }).catch(
      ({ message }: Error) => message,
    )
  }

  it('finds a server that fails', async () => {
    expect(await fuzzed((_, response) => response.writeHead(500).end())).toMatch(/^500: /)
  })

  it("finds a server that tells one account's balance to another", async () => {
    const found = await fuzzed(({ headers }, response) => {
      const hasKey = /poor-key$|rich-key$/.test(headers.authorization ?? '')
      response.writeHead(200, hasKey ? { 'X-Balance-Usd': '49' } : {}).end()
    })
    expect(found).toMatch(/^not the balance of rich: /)
  })

  it('finds a server that tells a balance without a key', async () => {
    const found = await fuzzed(({ headers }, response) => {
      const balance = headers.authorization?.startsWith('Bearer rich-key') ? '99' : '1'
      response.writeHead(200, { 'X-Balance-Usd': balance }).end()
    })
    expect(found).toMatch(/^a balance without a key: /)
  })
})
