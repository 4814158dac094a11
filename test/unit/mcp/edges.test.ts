/** MCP where something goes wrong: clients that go away, threads that die, and what nobody should send. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HeldRequests, linkedTo } from './linked.ts'
import {
  connectHttp,
  eras,
  type McpService,
  messageOf,
  post,
  sharedMcpService,
  startMcpService,
  textOf,
} from './served.ts'

const opened = 1_000_000
/** Of tests that count no money. */
const plain = sharedMcpService(opened)
const price = 1_000

const search = { name: 'search_authorities', arguments: { query: 'rust' } }
const call = messageOf('tools/call', search)

/** A service whose control thread does what a test says, and a connection that a call was sent over. */
async function heldService() {
  const held = new HeldRequests()
  let cut = () => {}
  const service = await startMcpService(opened, {
    answerOf: (api) => {
      const linked = linkedTo(held.over(api))
      cut = linked.cut
      return linked.answer
    },
  })
  const { port } = new URL(service.address)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const body = JSON.stringify(call)
  const head = `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\n`
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
  return { service, socket, cut, held, request: await held.next() }
}

async function textUntilClosed(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
  })
  await once(socket, 'close')
  return text
}

describe('a call is charged', () => {
  it('when its answer was handed to the connection, and reserved until then', async () => {
    const { service, socket, request } = await heldService()
    expect(await request.ask()).toBe(200)
    expect([service.balanceMicroUsd(), service.charged()]).toEqual([opened - price, 0])
    request.answer()
    const [part] = await once(socket, 'data')
    expect(String(part)).toContain('200 OK')
    await expect.poll(service.charged).toBe(1)
    expect(service.balanceMicroUsd()).toBe(opened - price)
  })

  it('never when its client has gone away before, whatever is asked for it afterwards', async () => {
    const { service, socket, request } = await heldService()
    await request.ask()
    socket.destroy()
    await expect.poll(service.balanceMicroUsd).toBe(opened)
    expect(await request.ask()).toBe(499)
    request.answer()
    expect([service.balanceMicroUsd(), service.charged()]).toEqual([opened, 0])
    expect(service.errors).toEqual([])
  })

  it('never when the server ends the connection, for a request sent behind it', async () => {
    const { service, socket, request } = await heldService()
    await request.ask()
    const answered = textUntilClosed(socket)
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await answered).toBe('')
    await expect.poll(service.balanceMicroUsd).toBe(opened)
    expect(service.charged()).toBe(0)
  })

  it('never when its thread dies before the answer, which is a 500; another one goes on', async () => {
    const { service, socket, cut, held, request } = await heldService()
    await request.ask()
    cut()
    const [part] = await once(socket, 'data')
    expect(String(part)).toContain('500 Internal Server Error')
    await expect.poll(service.balanceMicroUsd).toBe(opened)
    expect(service.charged()).toBe(0)
    // What is still asked belongs to no request.
    request.answer()
    expect(await request.ask()).toBe(499)
    expect([service.balanceMicroUsd(), service.charged()]).toEqual([opened, 0])
    expect(service.errors).toHaveLength(1)
    const next = post(service, call)
    const asked = await held.next()
    asked.answer()
    expect((await next).status).toBe(200)
  })

  it('never when the answer is a failure', async () => {
    const { service, socket, request } = await heldService()
    await request.ask()
    request.answer(500)
    await once(socket, 'data')
    await expect.poll(service.balanceMicroUsd).toBe(opened)
    expect(service.charged()).toBe(0)
  })
})

describe('the rate limit', () => {
  it('counts every message, whatever it asks for, and a call once', async () => {
    const service = await startMcpService(opened, { messagesMax: 4 })
    const statuses = []
    for (const each of [
      messageOf('ping'),
      messageOf('tools/list'),
      call,
      call,
      messageOf('ping'),
    ]) {
      statuses.push((await post(service, each)).status)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    expect(service.charged()).toBe(2)
  })

  it('counts each message of a batch, and lets in all of them or none', async () => {
    const service = await startMcpService(opened, { messagesMax: 4 })
    const batch = [1, 2, 3].map((id) => messageOf('tools/list', {}, id))
    expect((await post(service, batch)).status).toBe(200)
    const refused = await post(service, batch)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(refused.headers.get('ratelimit')).toBe('"account";r=0;t=2')
    expect(await refused.json()).toMatchObject({ title: 'Too many requests', results: [] })
  })

  it('is not all: a batch of more than twenty messages is refused, whatever the rate', async () => {
    const service = await plain()
    const batch = Array.from({ length: 100 }, (_, id) => messageOf('tools/list', {}, id))
    const refused = await post(service, batch)
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32_600, message: 'a batch holds at most 20 messages' },
      id: null,
    })
    expect((await post(service, batch.slice(0, 20))).status).toBe(200)
  })
})

describe('a web page', () => {
  const page = 'https://app.example.com'
  const asking = {
    Origin: page,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,mcp-protocol-version',
  }

  function preflight({ address }: McpService, headers: Record<string, string>) {
    return fetch(`${address}/mcp`, { method: 'OPTIONS', headers })
  }

  it('of an allowed origin may ask, without a key for the question whether it may', async () => {
    const service = await startMcpService(opened, { origins: [page] })
    const response = await preflight(service, asking)
    expect(response.status).toBe(204)
    expect(response.headers.get('x-request-id')).not.toBeNull()
    expect(response.headers.get('content-length')).toBeNull()
    expect(response.headers.get('access-control-allow-origin')).toBe(page)
    expect(response.headers.get('access-control-allow-methods')).toBe('POST')
    expect(response.headers.get('vary')).toBe('Origin')
    const allowed = response.headers.get('access-control-allow-headers')!.toLowerCase().split(', ')
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'last-event-id',
        'mcp-protocol-version',
        'mcp-session-id',
      ]),
    )
  })

  it('reads every answer, also what refuses it', async () => {
    const service = await startMcpService(opened, { origins: [page] })
    for (const [origin, headers, status] of [
      [page, {}, 200],
      [page, { Authorization: '' }, 401],
      [page, { 'Content-Type': 'text/plain' }, 415],
      ['http://localhost:6274', {}, 200],
    ] as const) {
      const response = await post(service, call, { Origin: origin, ...headers })
      expect(response.status).toBe(status)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('vary')).toBe('Origin')
      const exposed = response.headers.get('access-control-expose-headers')
      expect(exposed).toContain('Mcp-Session-Id')
      expect(exposed).toContain('WWW-Authenticate')
    }
  })

  it('of another origin may neither ask nor read', async () => {
    const service = await startMcpService(opened, { origins: [page] })
    const evil = { ...asking, Origin: 'https://evil.example' }
    for (const response of [await preflight(service, evil), await post(service, call, evil)]) {
      expect(response.status).toBe(403)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
      expect(response.headers.get('vary')).toBe('Origin')
    }
    expect(service.balanceMicroUsd()).toBe(opened)
  })
})

describe('half of a surrogate pair', () => {
  it.each(eras)('is an error of the arguments, wherever it stands (%s)', async (era) => {
    const service = await startMcpService(opened)
    const client = await connectHttp(service, era)
    for (const [name, given] of [
      ['search_authorities', { query: 'rust \ud800' }],
      ['find_peers', { handles: ['ann', '\udc00bob'] }],
      ['match_handle', { handles: ['\ud83d'] }],
    ] as const) {
      const result = await client.callTool({ name, arguments: given })
      expect([name, result.isError]).toEqual([name, true])
      expect(textOf(result)).toContain('half of a surrogate pair')
    }
    expect(service.errors).toEqual([])
    expect(service.charged()).toBe(0)
    const whole = { name: 'match_handle', arguments: { handles: ['\ud83d\ude00'] } }
    expect(textOf(await client.callTool(whole))).toContain('No authority owns')
  })
})

describe('a name that every object has', () => {
  it('is that of no tool, and of no prompt', async () => {
    const service = await plain()
    for (const name of ['toString', 'constructor', '__proto__']) {
      const asked = [
        messageOf('tools/call', { name, arguments: {} }),
        messageOf('prompts/get', { name }),
      ]
      for (const each of asked) {
        const text = await (await post(service, each)).text()
        expect(text).toMatch(/not found/i)
        expect(text).not.toContain('disabled')
      }
    }
  })
})
