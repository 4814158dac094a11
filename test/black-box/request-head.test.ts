/**
 * The head of a request as uWebSockets.js reads it, before the service sees anything. The newer
 * build reads it as HTTP says; the older one has flaws that are known, each of which is held here.
 */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { openSocket } from '../support/processes/connection.ts'
import { sharedService } from '../support/shared.ts'

// One thread, so that what arrives on one connection is read before what comes later on another.
const service = sharedService(['--threads', '1'])
let isOlder: boolean
let request: string

beforeAll(async () => {
  const metrics = await (await fetch(`${service.address}/metrics`)).text()
  const [, build] = /^authority_index_uwebsockets_info\{package="([^"]+)"/m.exec(metrics)!
  isOlder = build === 'uws-pack'
  const { authorization } = service.headers
  const lines = ['GET /api/v1/index?query=rust HTTP/1.1', 'Host: localhost']
  request = [...lines, `Authorization: ${authorization}`, '', ''].join('\r\n')
})

/** Sends bytes one piece after the other, each read before the next; answers the status. */
async function statusOf(pieces: readonly string[]): Promise<number> {
  const socket = await openSocket(service.port)
  const status = firstStatus(socket)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await roundPassed()
    socket.write(piece)
  }
  const answered = await status
  socket.destroy()
  return answered
}

/**
 * Waits until everything was read that was sent before. What is answered first may have been waiting
 * together with it, and read before it; what is asked for after that answer comes a round later.
 */
async function roundPassed(): Promise<void> {
  for (let asked = 0; asked < 2; asked += 1) await fetch(`${service.address}/healthz`)
}

async function firstStatus(socket: Socket): Promise<number> {
  const [chunk] = await once(socket, 'data')
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(String(chunk))?.[1])
}

/** Where the older build takes a piece for a request of another version when it ends there. */
function flawsOf(head: string): number[] {
  const version = head.indexOf(' HTTP/1.1')
  const within = Array.from({ length: ' HTTP/1.1\r'.length }, (_, index) => version + index + 1)
  return [head.indexOf('/'), ...within]
}

describe('a request', () => {
  it('that arrives in two pieces is answered, wherever it is cut', async () => {
    const cuts = Array.from({ length: request.length - 1 }, (_, index) => index + 1)
    const refused: number[] = []
    for (const cut of cuts) {
      const status = await statusOf([request.slice(0, cut), request.slice(cut)])
      if (status !== 200) refused.push(cut)
      expect([cut, status]).toEqual([cut, status === 200 ? 200 : 505])
    }
    // On a busy machine two pieces now and then arrive as one.
    expect(isOlder ? flawsOf(request) : []).toEqual(expect.arrayContaining(refused))
    expect(refused.length > 0).toBe(isOlder)
  })

  it('that arrives byte by byte is answered', async () => {
    expect(await statusOf([...request])).toBe(isOlder ? 505 : 200)
  })

  it('with two hosts is refused', async () => {
    const twice = request.replace('\r\n', '\r\nHost: elsewhere\r\n')
    expect(await statusOf([twice])).toBe(isOlder ? 200 : 400)
  })

  it.each([
    ['without a host', 'Host: localhost\r\n', '', 400],
    ['in another version', 'HTTP/1.1', 'HTTP/1.0', 505],
    ['with more headers than fit', '\r\n', `\r\nX-Long: ${'x'.repeat(17_000)}\r\n`, 431],
  ])('%s is refused', async (_, from, to, status) => {
    expect(await statusOf([request.replace(from, to)])).toBe(status)
  })
})
