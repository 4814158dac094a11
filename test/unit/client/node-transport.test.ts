/** Connections of the client in Node.js, against a server of one's own; the clock is the test's. */
import { once } from 'node:events'
import http, { createServer, type Server } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { NodeTransport } from '../../../src/client/wire/node-transport.ts'
import { WireFailure } from '../../../src/client/wire/transport.ts'

/** A server that counts connections, and a transport with a clock that stands still. */
async function scene(keepAlive: Record<string, string>, connectionsMax = 8) {
  let connections = 0
  let inFlight = 0
  let inFlightMost = 0
  const held: (() => void)[] = []
  const server: Server = createServer((request, response) => {
    inFlight += 1
    inFlightMost = Math.max(inFlightMost, inFlight)
    const end = () => {
      inFlight -= 1
      response.writeHead(200, keepAlive).end(request.url)
    }
    if (request.url === '/held') held.push(end)
    else if (request.url === '/cut') response.writeHead(200, { 'content-length': 9 }).write('half')
    else end()
    if (request.url === '/cut') setImmediate(() => request.socket.destroy())
  })
  server.keepAliveTimeout = 60_000
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clock = { ms: 0 }
  const transport = new NodeTransport({ http, https }, { connectionsMax, clock: () => clock.ms })
  onTestFinished(() => {
    transport.close()
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = (path: string, isFresh = false, signal = new AbortController().signal) =>
    transport.send({ method: 'GET', url: base + path, headers: {}, signal, isFresh })
  return {
    server,
    clock,
    send,
    held,
    count: () => connections,
    inFlightMost: () => inFlightMost,
  }
}

test('a connection is used again within the time of Keep-Alive less a second, and no longer', async () => {
  const { clock, send, count } = await scene({ 'keep-alive': 'timeout=8' })
  await send('/')
  clock.ms += 6_999
  await send('/')
  expect(count()).toBe(1)
  clock.ms += 7_000
  expect((await send('/x')).text).toBe('/x')
  expect(count()).toBe(2)
})

test('without a Keep-Alive it is used again for four seconds', async () => {
  const { clock, send, count } = await scene({ 'keep-alive': 'none' })
  await send('/')
  clock.ms += 3_999
  await send('/')
  clock.ms += 4_000
  await send('/')
  expect(count()).toBe(2)
})

test('a retry gets a connection of its own', async () => {
  const { send, count } = await scene({ 'keep-alive': 'timeout=8' })
  await send('/')
  await send('/', true)
  expect(count()).toBe(2)
})

test('a failure says whether the connection had been used, and whether an answer had begun', async () => {
  const { send, server } = await scene({ 'keep-alive': 'timeout=8' })
  const cut = await send('/cut').catch((error: unknown) => error)
  expect(cut).toBeInstanceOf(WireFailure)
  expect(cut).toMatchObject({ wasReused: false, hasBegun: true })
  await send('/')
  server.removeAllListeners('request')
  server.on('request', (request) => request.socket.destroy())
  const dead = await send('/').catch((error: unknown) => error)
  expect(dead).toMatchObject({ wasReused: true, hasBegun: false })
})

test('requests beyond the most connections wait for one', async () => {
  const { send, held, inFlightMost } = await scene({ 'keep-alive': 'timeout=8' }, 2)
  const all = Array.from({ length: 6 }, () => send('/held'))
  for (let round = 0; round < 3; round += 1) {
    while (held.length < 2) await new Promise(setImmediate)
    for (const end of held.splice(0)) end()
  }
  expect((await Promise.all(all)).length).toBe(6)
  expect(inFlightMost()).toBe(2)
})

test('a request that waits for a connection ends with its signal', async () => {
  const { send, held } = await scene({ 'keep-alive': 'timeout=8' }, 1)
  const first = send('/held')
  const controller = new AbortController()
  const second = send('/', false, controller.signal).catch((error: unknown) => error)
  controller.abort()
  expect(await second).toBeInstanceOf(WireFailure)
  while (held.length === 0) await new Promise(setImmediate)
  held.shift()!()
  expect((await first).text).toBe('/held')
  expect((await send('/after')).text).toBe('/after')
})
