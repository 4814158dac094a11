/** MCP over HTTP: whole sessions with the official client, what they cost, and who is refused. */
import { describe, expect, it } from 'vitest'
import {
  connectHttp,
  eras,
  messageOf,
  post,
  sharedMcpService,
  startMcpService,
  textOf,
} from './served.ts'
import { expectWholeSession } from './session.ts'

/** Of tests that neither count what its account has left nor end its thread. */
const plain = sharedMcpService()

const call = messageOf('tools/call', {
  name: 'search_authorities',
  arguments: { query: 'rust' },
})

async function lasting(response: Response): Promise<object> {
  const body = (await response.json()) as object
  return { ...body, request_id: '', duration: 0 }
}

describe('a session over HTTP', () => {
  it.each(eras)('finds, lists and calls everything (%s)', async (era) => {
    const service = await plain()
    await expectWholeSession(await connectHttp(service, era))
    expect(service.errors).toEqual([])
  })

  it('is spoken in the revision that the client asks for', async () => {
    const service = await plain()
    const versions = await Promise.all(
      eras.map(async (era) => (await connectHttp(service, era)).getNegotiatedProtocolVersion()),
    )
    expect(versions).toEqual(['2025-11-25', '2026-07-28'])
  })
})

describe('a subscription', () => {
  it('ends at once, because no list changes', async () => {
    const revision = '2026-07-28'
    const method = 'subscriptions/listen'
    const name = 'io.modelcontextprotocol'
    const _meta = {
      [`${name}/protocolVersion`]: revision,
      [`${name}/clientCapabilities`]: {},
    }
    const params = { _meta, notifications: { toolsListChanged: true } }
    const headers = { 'MCP-Protocol-Version': revision, 'Mcp-Method': method }
    const response = await post(await plain(), messageOf(method, params), headers)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text).toMatch(/^event: message\ndata: .*"notifications\/subscriptions\/acknowledged"/)
    expect(text).toMatch(/"resultType":"complete".*\n\n$/)
  })
})

describe('a search by a text that nobody is found by', () => {
  it('says what is shown instead, or what to try', async () => {
    const client = await connectHttp(await plain(), eras[1]!)
    const answerTo = async (query: string) =>
      textOf(await client.callTool({ name: 'search_authorities', arguments: { query } }))
    expect(await answerTo('bob bilder')).toMatch(
      /\nNo exact match; showing 'bob builder'\.\n\n1\. Bob/,
    )
    expect(await answerTo('qwxz vlkj')).toMatch(
      /\nNo authority found for "qwxz vlkj"\. Try .* use match_handle\./,
    )
    expect(await answerTo('bob builder')).toMatch(/\n1\. Bob Builder/)
  })
})

describe('what a call costs', () => {
  it.each(eras)('is the price of its route, a query for each handle and SDU (%s)', async (era) => {
    const service = await startMcpService(100_000)
    const client = await connectHttp(service, era)
    const costs: number[] = []
    for (const [name, given] of [
      ['search_authorities', { query: 'rust' }],
      ['get_authority_detail', { sdus: ['7', '8', '404'] }],
      ['find_peers', { handles: ['ann', 'bob'] }],
      ['match_handle', { handles: ['nobody'] }],
      ['search_authorities', { query: ' ' }],
    ] as const) {
      const before = service.balanceMicroUsd()
      await client.callTool({ name, arguments: given })
      costs.push(before - service.balanceMicroUsd())
    }
    expect(costs).toEqual([1_000, 6_000, 6_000, 500, 0])
  })

  it('is said before the first call', async () => {
    const client = await connectHttp(await plain(), 'modern')
    expect(client.getInstructions()).toContain('charged to the account of the API key')
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates[0]!.description).toContain('Charged as one search')
  })

  it('is nothing for lists, the topics and the prompt, and a search for a topic', async () => {
    const service = await startMcpService(100_000)
    const client = await connectHttp(service, 'modern')
    await client.listTools()
    await client.readResource({ uri: 'authority-index://topics' })
    await client.getPrompt({ name: 'rank_sources', arguments: { sources: 'x' } })
    expect(service.balanceMicroUsd()).toBe(100_000)
    await client.readResource({ uri: 'authority-index://topics/Rust' })
    expect(service.balanceMicroUsd()).toBe(99_000)
  })

  it.each(eras)('is told and not charged when the balance is below it (%s)', async (era) => {
    const service = await startMcpService(1_500)
    const client = await connectHttp(service, era)
    const result = await client.callTool({
      name: 'get_authority_detail',
      arguments: { sdus: ['7'] },
    })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toContain('costs 0.002 USD, the balance is 0.0015 USD')
    expect(textOf(result)).toContain('top up')
    expect(service.balanceMicroUsd()).toBe(1_500)
    const ranking = client.readResource({ uri: 'authority-index://topics/Rust' })
    await expect(ranking).resolves.toBeDefined()
    const refused = client.readResource({ uri: 'authority-index://topics/Compilers' })
    await expect(refused).rejects.toThrow('top up')
  })
})

describe('the door', () => {
  it('answers 401 as the API does, and says where a client takes the key, to a message without a valid one', async () => {
    const service = await plain()
    for (const Authorization of ['', 'Bearer ', 'Bearer aik_unknown', 'Basic YTpi']) {
      const response = await post(service, call, { Authorization })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer')
      const theirs = await fetch(`${service.address}/api/v1/index?query=rust`)
      const detail = expect.stringContaining('in the settings of your client')
      expect(await lasting(response)).toEqual({ ...(await lasting(theirs)), detail })
    }
  })

  it('answers the address with a trailing slash, or with a query, as that without', async () => {
    const service = await plain()
    for (const target of ['/mcp', '/mcp/', '/mcp/?utm_source=chat', '/mcp?a=b']) {
      const answered = await post(service, call, {}, target)
      expect([target, answered.status, await answered.text()]).toEqual([
        target,
        200,
        expect.stringContaining('Ann Other'),
      ])
      const url = `${service.address}${target}`
      const Origin = 'http://localhost:3000'
      const asked = { Origin, 'Access-Control-Request-Method': 'POST' }
      const preflight = await fetch(url, { method: 'OPTIONS', headers: asked })
      const allowed = preflight.headers.get('access-control-allow-origin')
      expect([target, preflight.status, allowed]).toEqual([target, 204, Origin])
      const headers = { Authorization: `Bearer ${service.key}` }
      const got = await fetch(url, { headers })
      expect([target, got.status, got.headers.get('allow')]).toEqual([target, 405, 'POST'])
      expect((await post(service, '{}', { Authorization: '' }, target)).status).toBe(401)
      const foreign = await post(service, '{}', { Origin: 'https://evil.example' }, target)
      expect(foreign.status).toBe(403)
    }
    // No other path has become one of these.
    for (const target of ['/mcp//', '/mcp/x', '/MCP/']) {
      expect((await post(service, call, {}, target)).status).toBe(404)
    }
    for (const era of eras) {
      const client = await connectHttp(service, era, '/mcp/')
      expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    }
  })

  it('answers 403 to a web page that is not on the list, whatever its key', async () => {
    const service = await startMcpService(1_000_000, {
      origins: ['https://app.example.com'],
    })
    const statusOf = async (Origin: string) => (await post(service, call, { Origin })).status
    for (const origin of [
      'https://evil.example',
      'http://localhost.evil.example',
      'http://app.example.com',
      'https://app.example.com:8443',
      'file://localhost',
      'null',
    ]) {
      expect([origin, await statusOf(origin)]).toEqual([origin, 403])
    }
    for (const origin of ['https://app.example.com', 'http://localhost:3000', 'http://[::1]:1']) {
      expect([origin, await statusOf(origin)]).toEqual([origin, 200])
    }
    expect(service.balanceMicroUsd()).toBe(1_000_000 - 3 * 1_000)
  })

  it('answers 413 to a body above a mebibyte, and goes on', async () => {
    const service = await plain()
    const large = await post(service, new Uint8Array((1 << 20) + 1))
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ status: 413, results: [] })
    // Unread by the client's parser, because it is no JSON: only its length is allowed.
    expect((await post(service, new Uint8Array(1 << 20))).status).toBe(400)
    expect((await post(service, call)).status).toBe(200)
  })

  it('answers what is not of the protocol with the status that the protocol wants', async () => {
    const service = await plain()
    expect((await post(service, '{')).status).toBe(400)
    expect((await post(service, '')).status).toBe(400)
    expect((await post(service, call, { 'Content-Type': 'text/plain' })).status).toBe(415)
    const headers = { Authorization: `Bearer ${service.key}` }
    for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
      const { status } = await fetch(`${service.address}/mcp`, { method, headers })
      expect([method, status]).toEqual([method, 405])
    }
  })
})
